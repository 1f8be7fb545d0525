import { DocumentMaker } from './documents.js';
import { hostileJson, hostileText } from './hostile-values.js';
import type { Random } from './random.js';
import type { Supplies } from './supplies.js';

const lists = `query($network: Network!, $chain: String!, $addresses: [String!], $first: Int, $after: String, $least: Decimal, $spent: Boolean, $sort: UtxoSort) {
  utxos(network: $network, blockchainId: $chain, addresses: $addresses, first: $first, after: $after, minUtxoAmount: $least, includeSpent: $spent, sortBy: $sort) { nodes { utxoId } } }`;

const documents = [
  lists,
  lists,
  'query($id: ID!) { node(id: $id) { id } }',
  'query($ids: [ID!]!) { nodes(ids: $ids) { id } }',
  'query($token: BigNumber!, $chain: String!, $address: String!) { nftToken(tokenId: $token, chainId: $chain, address: $address) { tokenId } }',
  'query($from: Long, $to: Long, $first: Int) { subnetMetric(subnetId: "2uf7QFvZ7w4XToVfKm7o25h17KbdS7RaA6qNuZfokrcYxTpoWh", metric: perSubnetDailyFeesPaid, startTimestamp: $from, endTimestamp: $to, first: $first) { nodes { value } } }',
  'query($queries: [SubQueryInput!]!, $operator: CompositeOperator!) { compositeQuery(operator: $operator, queries: $queries, first: 2) { totalCount } }',
  'query($on: Boolean!) { __typename @include(if: $on) }',
];

const right: Readonly<Record<string, unknown>> = {
  network: 'fuji',
  chain: 'p-chain',
  first: 3,
  id: 'a',
  ids: ['a'],
  token: '1',
  address: '0x1C17F1568D8d5159e8A8662284203FCf2f19F8c6',
  on: true,
  operator: 'AND',
  queries: [{ latestBalance: { id: 'a', evmChainId: '43113', tokenType: 'NATIVE', minBalance: '0' } }],
};

/** A right document whose variables have every wrong shape. */
export function withVariables(random: Random): { query: string; variables: unknown } {
  const query = random.pick(documents);
  const names = [...query.slice(0, query.indexOf(')')).matchAll(/\$(\w+)/g)].map(
    ([, name]) => name as string,
  );
  const variables: Record<string, unknown> = {};
  for (const name of names) {
    if (random.chance(0.4))
      variables[name] = random.chance(0.5) ? hostileJson(random, 2) : hostileText(random);
    else if (name in right) variables[name] = right[name];
  }
  if (random.chance(0.1))
    Object.defineProperty(variables, '__proto__', { value: { first: 5 }, enumerable: true });
  if (random.chance(0.1)) variables[hostileText(random)] = hostileJson(random);
  return { query, variables: random.chance(0.85) ? variables : hostileJson(random) };
}

/** A document right as to its types with arguments that need not be taken. */
export function withArguments(random: Random, { schema }: Supplies): string {
  return new DocumentMaker(random, schema, { depth: random.whole(2, 5), width: 0.4, wrong: 0.25 }).query();
}
