import { getNamedType, isNonNullType, isObjectType } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { examples } from '../../sample/examples.js';
import { nativeAssetIds } from '../../src/avalanche/networks.js';
import { publicSchema } from '../../src/graphql/internal.js';
import { buildSchema } from '../../src/schema.js';
import { createApp, type TestApp } from '../harness/app.js';
import { readSample } from '../harness/sample.js';
import { countStatements } from '../harness/statements.js';

const { busyAddress, evmChainId, nftCollection, subnetId, firstDate, lastDate } = examples;
const sample = readSample();

/** Owners of NFTs, holders of balances and addresses with messages: of each as many as there are together. */
function activeAddress(): string {
  const tokens = sample.rowsOf<{ owner?: string }>('evm.nft-tokens').map(({ owner }) => owner ?? '');
  const holders = sample
    .rowsOf<{ address: string }>(`evm.${evmChainId}.native-balances`)
    .map(({ address }) => address);
  const messages = sample.rowsOf<{ from: string; to: string }>('fuji.icm.messages');
  const parties = messages.flatMap(({ from, to }) => [from, to]);
  const least = (address: string) =>
    Math.min(...[tokens, holders, parties].map((all) => all.filter((each) => each === address).length));
  const [best = ''] = [...new Set(tokens)].sort((one, other) => least(other) - least(one));
  return best;
}

/** The types with connections, several if they are in a list: the text around their fields. */
const parents: Readonly<Record<string, string>> = {
  Query: '{ * }',
  Address: `{ address(network: fuji, address: "${busyAddress}") { * } }`,
  Asset: '{ assets(network: fuji, first: 60) { nodes { * } } }',
  Block: '{ block(network: fuji, blockchainId: "p-chain", number: "2698165") { * } }',
  Chain: '{ chains(first: 60) { nodes { * } } }',
  EvmAddress: `{ evmAddress(chainId: "${evmChainId}", address: "${activeAddress()}") { * } }`,
  L1Validator: '{ l1Validators(network: fuji, first: 60) { nodes { * } } }',
  PrimaryChainStatus: '{ chainStatus(network: fuji) { * } }',
  NftCollection: `{ nftCollection(chainId: "${evmChainId}", address: "${nftCollection}") { * } }`,
  Subnet: '{ subnets(network: fuji, first: 60) { nodes { * } } }',
  SubnetValidator: '{ currentValidators(network: fuji, first: 60) { nodes { * } } }',
  Transaction: '{ transactions(network: fuji, blockchainId: "x-chain", first: 60) { nodes { * } } }',
  Validator: '{ validators(network: fuji, first: 60) { nodes { * } } }',
  Vertex: '{ vertices(network: fuji, first: 60) { nodes { * } } }',
};

/** Values of the arguments that are required, and of one that only the schema lets out. */
const given: Readonly<Record<string, string>> = {
  network: 'fuji',
  addresses: `["${busyAddress}"]`,
  blockchainId: '"p-chain"',
  chainId: `"${evmChainId}"`,
  address: `"${nftCollection}"`,
  subnetId: `"${subnetId}"`,
  assetId: `"${nativeAssetIds.fuji}"`,
  metric: 'perSubnetDailyFeesPaid',
  'Query.l1Metric.metric': 'totalValidatorFeesDaily',
  'Query.nodeMetric.metric': 'perNodeDailyFeesPaid',
  'Query.validationMetric.metric': 'validationFeesDaily',
  nodeId: '"NodeID-A9B1z9N9GzNK376G2qDV5et6dusVADSb3"',
  l1ValidationId: '"1M2KK3CfuVCL1c8MY7ox4c1LJB68R6mwPHoHZeAu8oL8kGSDU"',
  firstDate: `"${firstDate}"`,
  lastDate: `"${lastDate}"`,
  operator: 'OR',
  queries: `[{ latestBalance: { id: "a", evmChainId: "${evmChainId}", tokenType: NATIVE, minBalance: "0" } }]`,
};
const alsoNeeded: Readonly<Record<string, string>> = {
  'Query.historicalRewards': 'addresses',
  'Query.pendingRewards': 'addresses',
  'Query.transactions': 'blockchainId',
  'Query.utxos': 'blockchainId',
};

// Webhooks belong to an API key.
const connections = Object.values(publicSchema(buildSchema()).getTypeMap())
  .filter((type) => isObjectType(type))
  .filter(({ name }) => name !== 'Webhook')
  .flatMap((type) =>
    Object.values(type.getFields())
      .filter(({ type, name }) => getNamedType(type).name.endsWith('Connection') && name !== 'webhooks')
      .map(({ name, args }) => {
        const coordinate = `${type.name}.${name}`;
        const needed = args.filter(
          (each) =>
            (isNonNullType(each.type) && each.defaultValue === undefined) ||
            alsoNeeded[coordinate] === each.name,
        );
        // The nodes of composite queries are texts.
        const node = coordinate === 'Query.compositeQuery' ? 'node' : 'node { __typename }';
        return { coordinate, type: type.name, name, node, needed: needed.map((each) => each.name) };
      }),
  );

/** A query of so many rows of a connection, under its parents. */
function ofPage(
  {
    coordinate,
    type,
    name,
    needed,
  }: Pick<(typeof connections)[number], 'coordinate' | 'type' | 'name' | 'needed'>,
  size: number,
  selection: string,
): string {
  const args = [
    `first: ${size}`,
    ...needed.map((each) => `${each}: ${given[`${coordinate}.${each}`] ?? given[each]}`),
  ].join(', ');
  return String(parents[type]).replace('*', `list: ${name}(${args}) ${selection}`);
}

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp({ MAX_COST: '100000' }, { sample: true });
});
afterAll(() => gateway?.close());

/** Rows of the longest page that were found, by connection. */
const longest = new Map<string, number>();

test.each(connections)(
  'a page of $coordinate is as many statements as a longer one',
  async ({ node, ...connection }) => {
    const { coordinate } = connection;
    const ask = async (size: number) => {
      const query = ofPage(
        connection,
        size,
        `{ edges { cursor ${node} } pageInfo { hasNextPage endCursor } }`,
      );
      const { result, statements } = await countStatements(() => gateway.graphql(query));
      expect(result.errors).toBeUndefined();
      return { statements: statements.length, rows: longestIn(result.data) };
    };
    // The results of composite queries are cached.
    await ask(3);
    const first = [await ask(1), await ask(20)];
    const again = [await ask(1), await ask(20)];
    longest.set(coordinate, first[1]?.rows ?? 0);
    expect(first[0]?.statements).toBe(first[1]?.statements);
    expect(again[0]?.statements).toBe(again[1]?.statements);
    expect(again[0]?.statements).toBeLessThanOrEqual(first[0]?.statements ?? 0);
    // Its parents, of which there are many, what they belong to, and the list.
    expect(first[0]?.statements).toBeLessThanOrEqual(3);
  },
);

test.each(connections)(
  '$coordinate without its rows is as it was when it was asked again',
  async (connection) => {
    for (const part of ['{ __typename }', '{ pageInfo { hasNextPage } }', '{ edges { __typename } }']) {
      // The first time by the executor that has no statements for whole documents.
      const plain = await gateway.graphql(ofPage(connection, 3, part));
      expect(plain.errors).toBeUndefined();
      expect(await gateway.graphql(ofPage(connection, 3, part))).toEqual(plain);
    }
  },
);

test('all of them but those of which the sample has one had longer pages', () => {
  const short = [...longest].filter(([, rows]) => rows < 2).map(([coordinate]) => coordinate);
  expect(longest.size).toBe(connections.length);
  // In the sample no parent has two of these.
  expect(short).toEqual([
    'Subnet.chainCreations',
    'Subnet.conversions',
    'Subnet.evmChains',
    'SubnetValidator.delegations',
    'Transaction.vertices',
    'Validator.l1Validators',
  ]);
});

/** Rows of the longest page in an answer. */
function longestIn(data: unknown): number {
  if (typeof data !== 'object' || data === null) return 0;
  const { list } = data as { list?: { edges?: unknown[] } };
  return Math.max(list?.edges?.length ?? 0, ...Object.values(data).map(longestIn));
}
