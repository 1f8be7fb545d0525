import { readArguments } from '../../src/arguments/argument.js';
import { nativeAssetIds, networks } from '../../src/avalanche/networks.js';
import { badInput } from '../../src/errors.js';
import type { List } from '../../src/lists/read.js';
import { blockListArguments } from '../../src/resources/block/arguments.js';
import { blockList } from '../../src/resources/block/list.js';
import { chainList } from '../../src/resources/chain/list.js';
import { chainListArguments } from '../../src/resources/chain/arguments.js';
import { assetTransactionArguments } from '../../src/resources/asset/arguments.js';
import { assetTransactionList } from '../../src/resources/asset/transaction-list.js';
import { historyList } from '../../src/resources/history/list.js';
import { icmMessageListArguments, partyMessageArguments } from '../../src/resources/icm-message/arguments.js';
import { icmMessageList } from '../../src/resources/icm-message/list.js';
import { partyMessageList } from '../../src/resources/icm-message/party-list.js';
import {
  chainInternalTxArguments,
  internalTxListArguments,
} from '../../src/resources/internal-tx/arguments.js';
import { chainInternalTxList, internalTxList } from '../../src/resources/internal-tx/list.js';
import { ownedTokenArguments } from '../../src/resources/nft/arguments.js';
import { ownedTokenList } from '../../src/resources/nft/list.js';
import { readIdsFrom } from '../../src/resources/search/beginning-list.js';
import { readNamesFrom } from '../../src/resources/search/name-list.js';
import { subnetTransactionList } from '../../src/resources/subnet/list.js';
import { historicalRewardList, networkPendingList } from '../../src/resources/reward/network-list.js';
import {
  delegatorStakeArguments,
  stakingTransactionArguments,
  validatorStakeArguments,
} from '../../src/resources/stake/arguments.js';
import { delegatorStakeList } from '../../src/resources/stake/delegator-list.js';
import { validatorStakeList } from '../../src/resources/stake/list.js';
import { stakingTransactionList } from '../../src/resources/stake/transaction-list.js';
import { transactionListArguments } from '../../src/resources/transaction/arguments.js';
import { chainTransactionList } from '../../src/resources/transaction/list.js';
import { assetUtxoArguments, utxoStateArguments } from '../../src/resources/utxo/arguments.js';
import { assetUtxoList } from '../../src/resources/utxo/asset-list.js';
import { utxoList } from '../../src/resources/utxo/list.js';
import { stateUtxoList } from '../../src/resources/utxo/state-list.js';
import { validatorTransactionList } from '../../src/resources/validator/list.js';
import type { Storage } from '../../src/storage/open.js';
import { addressAt, chainAt, evmIdAt } from '../../test/harness/generated-evm.js';
import { TX_TYPE } from './ledger-data.js';
import { otherAssetId } from './ledger-lists.js';
import { ask, type ListCase } from './lists.js';

/** Values of a filter: the first matches many rows together with the first ones of others. */
type Values = readonly [many: object, ...others: object[]];

interface FilteredList<Query> {
  list: List<Query, unknown>;
  filters: Readonly<Record<string, Values>>;
  /** @throws AppError for filters that are refused together */
  query: (given: object) => NoInfer<Query>;
}

const network = 'mainnet';
const times: Values = [
  { since: '1600000000', until: '1800000000' },
  { since: '1790000000', until: null },
];
const blocks: Values = [
  { startBlock: '1', endBlock: '999999999' },
  { startBlock: '999999998', endBlock: null },
];
const types: Values = [
  { txType: TX_TYPE },
  { txTypes: ['CreateChainTx', 'ImportTx'] },
  { txType: 'ExportTx' },
];
const minimum: Values = [{ minUtxoAmount: '1000' }, { minUtxoAmount: '999999999999999999' }];
const order: Values = [
  { sortBy: 'timestamp', sortOrder: 'asc' },
  { sortBy: 'amount', sortOrder: 'desc' },
  { sortBy: 'amount', sortOrder: 'asc' },
];

/** Each set of the filters of each list that has any; those that the gateway refuses are left out. */
export function everySet(hot: string): ListCase[] {
  return [
    ...messages(),
    ...framesAndTokens(),
    ...outputs(hot),
    ...transactions(hot),
    ...ofBlocks(),
    ...stakes(hot),
    ...searches(),
  ];
}

function messages(): ListCase[] {
  return [
    ...sets({
      list: icmMessageList,
      filters: {
        network: [{ network }, { network: 'fuji' }],
        source: [{ sourceBlockchainId: chainAt(1) }, { sourceBlockchainId: chainAt(3) }],
        destination: [{ destinationBlockchainId: chainAt(2) }, { destinationBlockchainId: chainAt(3) }],
        either: [{ blockchainId: chainAt(1) }, { blockchainId: chainAt(3) }],
        from: [{ from: addressAt(1) }, { from: addressAt(101) }],
        to: [{ to: addressAt(2) }, { to: addressAt(1) }],
        times,
        status: [{ status: 'pending' }, { status: 'delivered' }],
      },
      query: (given) => readArguments(icmMessageListArguments, { ...given }),
    }),
    ...sets({
      list: partyMessageList,
      filters: { direction: [{ direction: 'sent' }, { direction: 'received' }], times },
      query: (given) => ({
        evmChainId: evmIdAt(1),
        address: addressAt(1),
        ...readArguments(partyMessageArguments, { ...given }),
      }),
    }),
  ];
}

function framesAndTokens(): ListCase[] {
  const frames = { evmChainId: '7', address: addressAt(1) };
  return [
    ...sets({
      list: internalTxList,
      filters: { blocks },
      query: (given) => ({ ...frames, ...readArguments(internalTxListArguments, { ...given }) }),
    }),
    ...sets({
      list: chainInternalTxList,
      filters: { blocks },
      query: (given) => ({ evmChainId: '7', ...readArguments(chainInternalTxArguments, { ...given }) }),
    }),
    ...sets({
      list: ownedTokenList,
      filters: { collection: [{ collection: addressAt(1000) }, { collection: addressAt(1001) }] },
      query: (given) => ({
        evmChainId: '7',
        owner: addressAt(1),
        ...readArguments(ownedTokenArguments, { ...given }),
      }),
    }),
    ...sets({
      list: chainList,
      filters: {
        network: [{ network }, { network: 'fuji' }],
        feature: [{ feature: 'nftIndexing' }],
      },
      query: (given) => readArguments(chainListArguments, { ...given }),
    }),
  ];
}

function ofBlocks(): ListCase[] {
  return sets({
    list: blockList,
    filters: { proposer: [{ proposer: 'node 1' }, { proposer: 'node 2' }], blocks },
    query: (given) => {
      // An id need not have the form of an id here.
      const { proposer = null, ...others } = given as { proposer?: string };
      const read = readArguments(blockListArguments, { network, blockchainId: 'p-chain', ...others });
      return { ...read, proposer };
    },
  });
}

/** Names need not have their form here. */
function stakes(hot: string): ListCase[] {
  const of = { network } as const;
  const addresses: Values = [{ addresses: [hot] }, { addresses: ['avax1holder1'] }];
  const rewards = (...nodes: [string, string]) => ({
    addresses,
    nodes: nodes.map((node) => ({ nodeIds: [node] })) as object as Values,
    order: [{ sortOrder: 'asc' }] as Values,
  });
  const ofRewards = (given: { addresses?: string[]; nodeIds?: string[] }) => {
    if (!given.addresses && !given.nodeIds) throw badInput('addresses or nodeIds');
    return { ...of, sortOrder: 'desc' as const, addresses: null, nodeIds: null, ...given };
  };
  return [
    ...sets({
      list: validatorStakeList,
      filters: {
        subnet: [{ subnetId: 'subnet' }, { subnetId: 'none' }],
        node: [{ nodeId: 'node' }, { nodeId: 'none' }],
        status: [
          { validationStatus: 'completed' },
          { validationStatus: 'active' },
          { validationStatus: 'pending' },
        ],
        left: [{ minTimeRemaining: '0' }, { maxTimeRemaining: '0' }],
        order: [{ sortOrder: 'asc' }, { sortBy: 'timeRemaining' }],
      },
      query: (given) => ({ ...readArguments(validatorStakeArguments, { ...of }), ...given }),
    }),
    ...sets({
      list: delegatorStakeList,
      filters: {
        owner: [{ rewardAddresses: [hot] }, { rewardAddresses: ['avax1holder1'] }],
        nodes: [{ nodeIds: ['node'] }, { nodeIds: ['none'] }],
        status: [{ delegationStatus: 'active' }, { delegationStatus: 'pending' }],
        order: [{ sortOrder: 'asc' }],
      },
      query: (given) => ({ ...readArguments(delegatorStakeArguments, { ...of }), ...given }),
    }),
    ...sets({
      list: stakingTransactionList,
      filters: { addresses, types: [{ txTypes: ['AddDelegatorTx'] }], times },
      query: (given) => ({ ...readArguments(stakingTransactionArguments, { ...of }), ...given }),
    }),
    ...sets({
      list: assetTransactionList,
      filters: {
        asset: [{ assetId: otherAssetId }],
        types: [{ txTypes: ['BaseTx'] }, { txTypes: ['ImportTx'] }],
        times,
      },
      query: (given) => ({
        ...readArguments(assetTransactionArguments, { ...of, assetId: nativeAssetIds.mainnet }),
        ...given,
      }),
    }),
    ...sets({ list: historicalRewardList, filters: rewards('0000003', '0000009'), query: ofRewards }),
    ...sets({ list: networkPendingList, filters: rewards('node', '0000009'), query: ofRewards }),
  ];
}

/** What a search reads of names and of beginnings of ids: of nearly all, of one and of none. */
function searches(): ListCase[] {
  const shown = 6;
  const none = () => [];
  const names = ['chain', 'zzzzzzzz'].map((text) => ({
    list: 'search names',
    asked: text,
    read: (storage: Storage) => readNamesFrom(storage, text, networks, shown).then(none),
  }));
  const ids = ['transaction 1', 'transaction 1777', 'validation 0', 'zzzzzzzz'].map((start) => ({
    list: 'search ids',
    asked: start,
    read: (storage: Storage) =>
      readIdsFrom(storage, { of: 'id', start, end: '' }, networks, shown).then(none),
  }));
  return [...names, ...ids];
}

function outputs(hot: string): ListCase[] {
  const given = { network, blockchainId: 'x-chain' };
  const asset: Values = [
    { assetId: nativeAssetIds.mainnet },
    { assetId: 'U8iRqJoiJm8xZHAacmvYyZVwqQx6uDNtQeP3CQ6fcgQk3JqnK' },
  ];
  const spent: Values = [{ includeSpent: true }];
  const some = ['avax1cold1', 'avax1cold2', hot].sort();
  // Addresses that are no addresses are not read.
  const owners: Values = [{ addresses: [hot] }, { addresses: some }, { addresses: ['avax1cold1'] }];
  const withOwners = (filters: object) => {
    const { addresses = null, asOf = null, state = null, ...others } = filters as Record<string, never>;
    const query = readArguments(utxoStateArguments, { ...given, ...others });
    return { ...query, addresses, asOf, state, at: '1700000000' };
  };
  return [
    ...sets({
      list: utxoList,
      filters: { owners, asset, minimum, spent, order },
      query: (filters) => withOwners(filters),
    }),
    ...sets({
      list: utxoList,
      filters: { owners, asset, minimum, order },
      query: (filters) => withOwners({ ...filters, asOf: { time: '1690000000' } }),
    }),
    ...sets({
      list: stateUtxoList,
      filters: { asset, minimum, order, state: [{ state: 'LOCKED_PLATFORM' }, { state: 'IN_FLIGHT' }] },
      query: (filters) => withOwners({ addresses: [hot], state: 'SPENDABLE', ...filters }) as never,
    }),
    ...sets({
      list: assetUtxoList,
      filters: { owners, minimum, spent, order },
      query: (filters) => {
        const { addresses = null, ...others } = filters as { addresses?: string[] };
        const read = readArguments(
          assetUtxoArguments,
          { network, ...others },
          { assetId: nativeAssetIds.mainnet },
        );
        return { ...read, addresses };
      },
    }),
  ];
}

function transactions(hot: string): ListCase[] {
  const read = (filters: object) => {
    const { nodeId = null, subnetId = null, addresses = null, ...others } = filters as Record<string, never>;
    const query = readArguments(transactionListArguments, { network, blockchainId: 'p-chain', ...others });
    return { ...query, nodeId, subnetId, addresses };
  };
  const all = { rowId: '1', txType: null, txTypes: null, since: null, until: null };
  const ofOne = { types, times };
  return [
    ...sets({
      list: chainTransactionList,
      filters: {
        types,
        node: [{ nodeId: 'node' }, { nodeId: 'none' }],
        subnet: [{ subnetId: 'subnet' }, { subnetId: 'none' }],
        times,
        blocks,
      },
      query: read,
    }),
    ...sets({
      list: historyList,
      filters: { types, times, blocks },
      query: (filters) => read({ ...filters, addresses: [hot] }),
    }),
    ...sets({ list: subnetTransactionList, filters: ofOne, query: (given) => ({ ...all, ...given }) }),
    ...sets({ list: validatorTransactionList, filters: ofOne, query: (given) => ({ ...all, ...given }) }),
  ];
}

/** Each set of filters with the first value of each, and with each other value of the last of them. */
function sets<Query>({ list, filters, query }: FilteredList<Query>): ListCase[] {
  const names = Object.keys(filters);
  const found: ListCase[] = [];
  for (let bits = 0; bits < 2 ** names.length; bits += 1) {
    const set = names.filter((_name, index) => bits & (1 << index));
    const many = Object.assign({}, ...set.map((name) => filters[name]?.[0])) as object;
    const others = filters[set.at(-1) ?? '']?.slice(1) ?? [];
    for (const other of [{}, ...others]) {
      const asked = readOrNull(() => query({ ...many, ...other }));
      const title = [
        set.join(' + ') || 'no filter',
        ...Object.entries(other).map(([name, value]) => `${name} ${value}`),
      ];
      if (asked) found.push(ask(list, title.join(', '), asked));
    }
  }
  return found;
}

/** Null for what the gateway refuses. */
function readOrNull<Query>(read: () => Query): Query | null {
  try {
    return read();
  } catch (error) {
    if ((error as { code?: string }).code === 'BAD_USER_INPUT') return null;
    throw error;
  }
}
