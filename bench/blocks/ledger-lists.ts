import { readArguments } from '../../src/arguments/argument.js';
import { nativeAssetIds } from '../../src/avalanche/networks.js';
import { balanceList } from '../../src/resources/address/list.js';
import { assetTransactionArguments } from '../../src/resources/asset/arguments.js';
import { assetList, holderList } from '../../src/resources/asset/list.js';
import { assetTransactionList } from '../../src/resources/asset/transaction-list.js';
import { blockList, blockTransactionList } from '../../src/resources/block/list.js';
import { historyList, transactionList } from '../../src/resources/history/list.js';
import { validationTransactionList } from '../../src/resources/l1-validator/transaction-list.js';
import { transactionListArguments } from '../../src/resources/transaction/arguments.js';
import { chainTransactionList, consumedList, emittedList } from '../../src/resources/transaction/list.js';
import { assetUtxoArguments, utxoStateArguments } from '../../src/resources/utxo/arguments.js';
import { assetUtxoList } from '../../src/resources/utxo/asset-list.js';
import { utxoList } from '../../src/resources/utxo/list.js';
import { stateUtxoList } from '../../src/resources/utxo/state-list.js';
import { vertexList } from '../../src/resources/vertex/list.js';
import { BLOCK, LARGE_ROW, TX_TYPE } from './ledger-data.js';
import { ask, type ListCase } from './lists.js';

const network = 'mainnet';
const assetId = nativeAssetIds.mainnet;
/** The second asset of a generated ledger. */
export const otherAssetId = nativeAssetIds.fuji;
/** Before anything was spent. */
const asOf = { time: '1690000000' };
/** Before all transactions, and after them. */
const times = { since: '1600000000', until: '1800000000' };
const blocks = { startBlock: '1', endBlock: '999999999' };

const ofBlocks = {
  network,
  blockchainId: 'p',
  proposer: null,
  startBlock: null,
  endBlock: null,
  since: null,
  until: null,
} as const;
const ofVertices = { network, blockchainId: 'x', vertexHeight: null, sortOrder: 'desc' } as const;

const orders = (['timestamp', 'amount'] as const).flatMap((sortBy) =>
  (['asc', 'desc'] as const).map((sortOrder) => ({ sortBy, sortOrder })),
);

export function ledgerLists(hot: string): ListCase[] {
  return [
    ...outputLists(hot),
    ...transactionLists(hot),
    ask(blockList, 'of a chain', ofBlocks),
    ask(blockList, 'of a proposer', { ...ofBlocks, proposer: 'node 1' }),
    ask(blockList, 'within numbers', { ...ofBlocks, startBlock: '1', endBlock: '999999999' }),
    ask(blockList, 'within times', { ...ofBlocks, ...times }),
    ask(vertexList, 'of a network', ofVertices),
    ask(vertexList, 'of a height', { ...ofVertices, vertexHeight: '1' }),
    ask(assetList, 'of a network', { network }),
    ask(holderList, 'of an asset', { network, blockchainId: 'x', assetId: otherAssetId }),
    ask(balanceList, 'of an address', {
      network,
      blockchainId: 'x',
      address: 'avax1holder1',
      at: '0',
    }),
  ];
}

function outputLists(hot: string): ListCase[] {
  const few = [hot, 'avax1cold1', 'avax1cold2', 'avax1cold3'].sort();
  const given = { network, blockchainId: 'x-chain' };
  const read = (filters: object) => readArguments(utxoStateArguments, { ...given, ...filters });
  const ordered = (asked: string, addresses: string[] | null, filters: object) =>
    orders.map((order) => {
      const query = { ...read({ ...order, ...filters }), addresses };
      return ask(utxoList, `${asked}, ${order.sortBy} ${order.sortOrder}`, query);
    });
  return [
    ...ordered('of a chain', null, {}),
    ...ordered('of an address', [hot], {}),
    ...ordered('of an address, spent ones too', [hot], { includeSpent: true }),
    ...ordered('of an address and asset', [hot], { assetId }),
    ...ordered('of an address, a minimum', [hot], { minUtxoAmount: '1000' }),
    ...ordered('of four addresses', few, {}),
    ask(utxoList, 'of a chain, in the past', { ...read({}), asOf }),
    ask(utxoList, 'of an address, in the past', { ...read({}), asOf, addresses: [hot] }),
    ...orders.map((order) =>
      ask(stateUtxoList, `of an address that can be spent, ${order.sortBy} ${order.sortOrder}`, {
        ...read(order),
        addresses: [hot],
        state: 'SPENDABLE' as const,
        at: '1700000000',
      }),
    ),
    ...orders.map((order) =>
      ask(
        assetUtxoList,
        `of an asset, ${order.sortBy} ${order.sortOrder}`,
        readArguments(assetUtxoArguments, { network, ...order }, { assetId }),
      ),
    ),
  ];
}

function transactionLists(hot: string): ListCase[] {
  const read = (filters: object) =>
    readArguments(transactionListArguments, { network, blockchainId: 'p-chain', ...filters });
  const filtered: [asked: string, filters: object][] = [
    ['of a type', { txType: TX_TYPE }],
    ['within times', times],
    ['within blocks', blocks],
    ['of a type within times', { txType: TX_TYPE, ...times }],
    ['of a type within blocks', { txType: TX_TYPE, ...blocks }],
  ];
  // An id need not have the form of an id here.
  const named = { nodeId: 'node', subnetId: 'subnet' };
  const transactionId = LARGE_ROW;
  return [
    ask(transactionList, 'of a chain', read({})),
    ...filtered.map(([asked, filters]) => ask(chainTransactionList, asked, read(filters))),
    ask(chainTransactionList, 'of a node', { ...read({}), nodeId: named.nodeId }),
    ask(chainTransactionList, 'of a subnet', { ...read({}), subnetId: named.subnetId }),
    ask(chainTransactionList, 'of a node and subnet', { ...read({}), ...named }),
    ask(historyList, 'of an address on all chains', {
      ...read({}),
      blockchainId: null,
      addresses: [hot],
    }),
    ask(historyList, 'of an address', { ...read({}), addresses: [hot] }),
    ...filtered.map(([asked, filters]) =>
      ask(historyList, `of an address, ${asked}`, { ...read(filters), addresses: [hot] }),
    ),
    ask(validationTransactionList, 'of an L1 validator', {
      ...read({}),
      l1ValidationId: 'validation 0000001',
    }),
    ...[
      ['of AVAX', assetId],
      ['of another asset', otherAssetId],
    ].map(([asked = '', id]) =>
      ask(assetTransactionList, asked, readArguments(assetTransactionArguments, { network, assetId: id })),
    ),
    ask(blockTransactionList, 'of a block', { network, chain: 'x', number: BLOCK }),
    ask(emittedList, 'of a transaction', { transactionId }),
    ask(consumedList, 'of a transaction', { transactionId }),
  ];
}
