import { isNonNullType, isObjectType, type GraphQLField } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { examples } from '../../sample/examples.js';
import { publicSchema } from '../../src/graphql/internal.js';
import { buildSchema } from '../../src/schema.js';
import { createApp, type TestApp } from '../harness/app.js';

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp({}, { sample: true });
});
afterAll(() => gateway?.close());

const onChain = 'network: fuji, blockchainId: "p-chain"';
const utxos = `utxos(${onChain}, first: 2)`;
const nfts = `nftTokens(chainId: "${examples.evmChainId}", address: "${examples.nftCollection}", first: 2)`;

/** By type, a query with some of its objects of the sample. */
const found: Readonly<Record<string, string>> = {
  Address: `{ ${utxos} { nodes { owners { id } } } }`,
  Asset: '{ assets(network: fuji, first: 2) { nodes { id } } }',
  Block: `{ ${utxos} { nodes { creatingTransaction { block { id } } } } }`,
  Chain: '{ chains(first: 2) { nodes { id } } }',
  EvmAddress: `{ ${nfts} { nodes { ownerEvmAddress { id } } } }`,
  L1Validator: '{ l1Validators(network: fuji, first: 2) { nodes { id } } }',
  NftCollection: `{ ${nfts} { nodes { collection { id } } } }`,
  Subnet: '{ subnets(network: fuji, first: 2) { nodes { id } } }',
  Transaction: `{ ${utxos} { nodes { creatingTransaction { id } } } }`,
  Validator: '{ validators(network: fuji, first: 2) { nodes { id } } }',
  Vertex: '{ vertices(network: fuji, first: 2) { nodes { id } } }',
};

/** Values of the arguments that a connection requires. */
const given: Readonly<Record<string, string>> = {
  network: 'fuji',
  blockchainId: '"p-chain"',
  metric: 'perSubnetDailyFeesPaid',
  firstDate: `"${examples.firstDate}"`,
  lastDate: `"${examples.lastDate}"`,
};

type Field = GraphQLField<unknown, unknown>;
const connections = Object.values(publicSchema(buildSchema()).getTypeMap())
  .filter(isObjectType)
  // Webhooks belong to an API key.
  .filter(({ name }) => !['Query', 'SubnetValidator', 'PrimaryChainStatus', 'Webhook'].includes(name))
  .filter(({ name }) => !name.startsWith('__'))
  .flatMap((each) =>
    Object.values(each.getFields())
      .filter(({ type }) => /Connection!?$/.test(String(type)))
      .map((field): [type: string, name: string, field: Field] => [each.name, field.name, field]),
  );

function argumentsOf({ args }: Field): string {
  const needed = args.filter((each) => isNonNullType(each.type) && each.defaultValue === undefined);
  return [
    ...needed.map(({ name }) => `${name}: ${given[name] ?? `"no value for ${name}"`}`),
    'first: 1',
  ].join();
}

function idsIn(data: unknown): string[] {
  if (data === null || typeof data !== 'object') return [];
  return Object.entries(data).flatMap(([key, value]) => (key === 'id' ? [String(value)] : idsIn(value)));
}

/** What has no id is reached through a list. */
test('SubnetValidator.delegations counts the lists of several validators at once', async () => {
  const { data, errors } = await gateway.graphql<{
    currentValidators: { nodes: { delegations: { totalCount: number; nodes: object[] } }[] };
  }>(
    '{ currentValidators(network: fuji, first: 20) { nodes { delegations(first: 1) { totalCount nodes { __typename } } } } }',
  );
  expect(errors).toBeUndefined();
  const lists = data.currentValidators.nodes.map(({ delegations }) => delegations);
  expect(Math.max(...lists.map(({ totalCount }) => totalCount))).toBeGreaterThan(0);
  for (const { totalCount, nodes } of lists) expect(nodes.length).toBe(Math.min(totalCount, 1));
});

test.each(['blocks', 'transactions'])(
  'PrimaryChainStatus.%s counts the lists of several chains at once',
  async (name) => {
    const { data, errors } = await gateway.graphql<{
      chainStatus: { list: { totalCount: number; nodes: object[] } }[];
    }>(`{ chainStatus(network: fuji) { list: ${name}(first: 1) { totalCount nodes { __typename } } } }`);
    expect(errors).toBeUndefined();
    expect(data.chainStatus.length).toBeGreaterThan(1);
    for (const { list } of data.chainStatus) expect(list.nodes.length).toBe(Math.min(list.totalCount, 1));
  },
);

test.each(connections)('%s.%s counts the lists of several parents at once', async (type, name, field) => {
  const { data } = await gateway.graphql(found[type] ?? '');
  const ids = [...new Set(idsIn(data))].slice(0, 2);
  expect(ids, `found.${type}`).not.toEqual([]);
  const counts = `${name}(${argumentsOf(field)}) { totalCount nodes { __typename } }`;
  const reply = await gateway.graphql<{ nodes: Record<string, { totalCount: number; nodes: object[] }>[] }>(
    `query($ids: [ID!]!) { nodes(ids: $ids) { ... on ${type} { ${counts} } } }`,
    { ids },
  );
  expect(reply.errors).toBeUndefined();
  expect(reply.data.nodes).toHaveLength(ids.length);
  for (const node of reply.data.nodes) {
    const list = node[name];
    expect(list?.nodes.length).toBe(Math.min(list?.totalCount ?? -1, 1));
  }
});
