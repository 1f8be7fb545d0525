import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatAddress } from '../../src/avalanche/address.js';
import { encodeCb58 } from '../../src/avalanche/cb58.js';
import { encodeGlobalID } from '../../src/graphql/global-id.js';
import { publicSchema } from '../../src/graphql/internal.js';
import { buildSchema } from '../../src/schema.js';
import { createApp, type TestApp } from '../harness/app.js';

const id = encodeCb58(Buffer.alloc(32, 77));
const evm = `0x${'7'.repeat(40)}`;
const node = 'NodeID-111111111111111111116DBWJs';
const stranger = formatAddress('fuji', Buffer.alloc(20, 77));
const onChain = 'network: fuji, blockchainId:';
const globalId = encodeGlobalID('Utxo', `fuji:${id}`);
const subQuery = `{ allTimeNativeBalance: { id: "n", evmChainId: "77", firstDate: "2024-01-01", lastDate: "2024-01-02", minBalance: "0" } }`;
const page = 'nodes { __typename } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }';

/**
 * Fields of the query that find one object, by name: with arguments that are well-formed and match nothing
 * stored.
 */
const byId: Record<string, readonly string[]> = {
  asset: [`(network: fuji, assetId: "${id}")`],
  block: [`(${onChain} "p-chain", number: 7)`, `(${onChain} "x-chain", hash: "${id}")`],
  chain: ['(chainId: "77")', `(chainId: "${id}")`],
  evmAddress: [`(chainId: "77", address: "${evm}")`, `(chainId: "${id}", address: "${evm}")`],
  icmMessage: [`(messageId: "${'7'.repeat(64)}")`],
  nftCollection: [`(chainId: "77", address: "${evm}")`, `(chainId: "${id}", address: "${evm}")`],
  lastActivity: [`(${onChain} "c-chain", addresses: ["${stranger}"])`],
  l1Validator: [`(network: fuji, validationId: "${id}")`],
  nftToken: [
    `(chainId: "77", address: "${evm}", tokenId: "7")`,
    `(chainId: "${id}", address: "${evm}", tokenId: "7")`,
  ],
  subnet: [`(network: fuji, subnetId: "${id}")`],
  node: [`(id: "${globalId}")`],
  transaction: ['p-chain', 'x-chain', 'c-chain'].map((chain) => `(${onChain} "${chain}", txHash: "${id}")`),
  utxo: [`(network: mainnet, utxoId: "${id}")`],
  validator: ['(network: fuji, nodeId: "NodeID-111111111111111111116DBWJs")'],
  vertex: [`(network: fuji, vertexHash: "${id}")`],
};

/** Fields of the query that are connections, in the same form. */
const lists: Record<string, readonly string[]> = {
  assets: ['(network: mainnet)'],
  blocks: ['(network: mainnet, blockchainId: "x-chain", startBlock: 7, endBlock: "1e+40")'],
  chains: ['', '(network: mainnet, feature: nftIndexing)'],
  compositeQuery: [`(operator: AND, queries: [${subQuery}])`, `(operator: OR, queries: [${subQuery}])`],
  assetTransactions: [`(network: mainnet, assetId: "${id}")`],
  delegatorStakes: ['(network: mainnet)'],
  validatorStakes: ['(network: mainnet)', `(network: mainnet, subnetId: "${id}")`],
  stakingTransactions: ['(network: mainnet)'],
  currentL1Validators: ['(network: mainnet)', `(network: mainnet, subnetId: "${id}")`],
  currentValidators: ['(network: mainnet)', `(network: mainnet, subnetId: "${id}")`],
  historicalRewards: [`(network: fuji, addresses: ["${stranger}"])`, `(network: fuji, nodeIds: ["${node}"])`],
  icmMessages: [
    `(address: "${evm}")`,
    `(sourceBlockchainId: "${id}")`,
    '(destinationBlockchainId: "77")',
    `(blockchainId: "${id}")`,
    `(from: "${evm}")`,
  ],
  internalTransactions: [
    `(chainId: "77", txHash: "0x${'7'.repeat(64)}")`,
    `(chainId: "${id}", blockNumber: 7)`,
    '(chainId: "43113", startBlock: "1e+40")',
  ],
  l1Metric: ['(network: mainnet, metric: totalValidatorFeesDaily)'],
  l1Validators: ['(network: mainnet)'],
  networkStats: ['(network: mainnet)'],
  nodeMetric: [`(nodeId: "${node}", metric: perNodeDailyFeesPaid)`],
  nftTokens: [`(chainId: "77", address: "${evm}")`, `(chainId: "${id}", address: "${evm}")`],
  pendingRewards: [`(network: fuji, addresses: ["${stranger}"])`, `(network: fuji, nodeIds: ["${node}"])`],
  subnets: ['(network: mainnet)'],
  subnetMetric: [`(subnetId: "${id}", metric: perSubnetDailyFeesPaid)`],
  transactions: [
    '(network: mainnet, blockchainId: "x-chain", txType: BaseTx)',
    `(${onChain} "p-chain", txTypes: [BaseTx], subnetId: "${id}", startBlock: 1)`,
    '(network: mainnet, addresses: ["avax1yu8wlxfdkj8mnca60jwwzvfyqzd6xlnf635tld"], since: 1)',
  ],
  utxos: [`(${onChain} "p-chain", assetId: "${id}", minUtxoAmount: "1e+70")`],
  validationMetric: [`(l1ValidationId: "${id}", metric: validationFeesDaily)`],
  validators: ['(network: mainnet)'],
  vertices: ['(network: mainnet)'],
};

/**
 * Of neither kind: an address exists, whether anything of it is stored or not, and a search says so. Webhooks
 * are of an API key.
 */
const others = [
  'address',
  'addresses',
  'chainBalances',
  'chainStatus',
  'chainsOfEvmAddress',
  'knowsProposers',
  'nodes',
  'rateLimit',
  'search',
  'searchSuggestions',
  'serviceConfig',
  'webhook',
  'webhookSecret',
  'webhooks',
];

let gateway: TestApp;

/** A field's answers to a new document and to one that was seen before, which different executors give. */
async function bothAnswers(field: string): Promise<unknown[]> {
  const answers = [];
  for (let times = 0; times < 2; times += 1) {
    const { data, errors } = await gateway.graphql<Record<string, unknown>>(`{ field: ${field} }`);
    expect(errors, field).toBeUndefined();
    answers.push(data['field']);
  }
  return answers;
}

const each = (fields: Record<string, readonly string[]>) =>
  Object.entries(fields).flatMap(([name, calls]) => calls.map((given): [string] => [`${name}${given}`]));

describe.each([
  ['on an empty database', []],
  // The sample has chains of every feature, one of them of the primary network's subnet on mainnet.
  ['in addition to a sample', ['chains', 'subnets']],
] satisfies [string, string[]][])('what is not stored %s', (_where, held) => {
  beforeAll(async () => {
    gateway = await createApp({}, { sample: held.length > 0 });
  });
  afterAll(() => gateway.close());

  test.each(each(byId))('is null if it is found by id: %s', async (field) => {
    expect(await bothAnswers(`${field} { __typename }`)).toEqual([null, null]);
  });

  const unheld = each(lists).filter(([field]) => !held.some((name) => field.startsWith(name)));
  test.each(unheld)('is an empty list: %s', async (field) => {
    const selection = field.startsWith('compositeQuery') ? page.replace(' { __typename }', '') : page;
    const empty = {
      nodes: [],
      pageInfo: { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null },
    };
    expect(await bothAnswers(`${field} { ${selection} }`)).toEqual([empty, empty]);
  });

  test('is null among other nodes, is no chain with a status, and leaves an address without outputs', async () => {
    expect(await bothAnswers(`nodes(ids: ["${globalId}", "${globalId}"]) { id }`)).toEqual([
      [null, null],
      [null, null],
    ]);
    expect(await bothAnswers('chainStatus(network: mainnet) { blockNumber }')).toEqual([[], []]);
    expect(await bothAnswers(`chainsOfEvmAddress(address: "${evm}") { chainId }`)).toEqual([[], []]);
    const none = { unlockedUnstaked: [], atomicMemoryLocked: [] };
    const balances = `chainBalances(${onChain} "p-chain", addresses: ["${stranger}"])`;
    expect(
      await bothAnswers(`${balances} { unlockedUnstaked { amount } atomicMemoryLocked { amount } }`),
    ).toEqual([none, none]);
    const known = [{ address: stranger, blockchainIds: [] }];
    expect(
      await bothAnswers(`addresses(network: fuji, addresses: ["${stranger}"]) { address blockchainIds }`),
    ).toEqual([known, known]);
    const address = 'address(network: mainnet, address: "avax1yu8wlxfdkj8mnca60jwwzvfyqzd6xlnf635tld")';
    const of =
      '{ balances { nodes { unspent } } utxos(blockchainId: "p-chain") { nodes { utxoId } } transactions { nodes { txHash } } }';
    const nothing = { balances: { nodes: [] }, utxos: { nodes: [] }, transactions: { nodes: [] } };
    expect(await bothAnswers(`${address} ${of}`)).toEqual([nothing, nothing]);
  });
});

test('every field of the query is tested for what is not stored', () => {
  const fields = Object.keys(publicSchema(buildSchema()).getQueryType()?.getFields() ?? {});
  expect([...Object.keys(byId), ...Object.keys(lists), ...others].sort()).toEqual(fields.sort());
});
