import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp, type TestApp } from '../harness/app.js';

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp({}, { sample: true });
});
afterAll(() => gateway.close());

const wrongPage = 'first: 100000, after: "a", before: "b"';
const address = `0x${'00'.repeat(20)}`;

test.each([
  ['utxos', `network: mainnet, blockchainId: "zz", addresses: ["q"]`, ['blockchainId', 'addresses']],
  ['transactions', `network: mainnet, blockchainId: "zz"`, ['blockchainId']],
  ['vertices', `network: mainnet, blockchainId: "p-chain"`, ['blockchainId']],
  ['icmMessages', `from: "1", to: "2", since: -1`, ['from', 'to', 'since']],
  [
    'internalTransactions',
    `chainId: "x", txHash: "0x1", blockNumber: 1, startBlock: "0.5"`,
    ['chainId', 'txHash', 'startBlock'],
  ],
  ['nftTokens', `chainId: "x", address: "y"`, ['chainId', 'address']],
  ['subnetMetric', `subnetId: "x", metric: perSubnetCumulativeFeesPaid`, ['subnetId']],
  ['compositeQuery', `operator: AND, queries: []`, ['queries']],
])('%s names every wrong argument at once, those of its page too', async (field, wrong, names) => {
  const { errors } = await gateway.graphql(
    `{ ${field}(${wrong}, ${wrongPage}) { pageInfo { hasNextPage } } }`,
  );
  expect(errors).toHaveLength(1);
  expect(errors?.[0]?.extensions['code']).toBe('BAD_USER_INPUT');
  const messages = (errors?.[0]?.extensions['messages'] ?? [errors?.[0]?.message]) as string[];
  expect(messages.map((message) => message.split(':')[0])).toEqual([...names, 'first', 'after', 'before']);
});

test('a field with wrong arguments is null, and the other fields are answered', async () => {
  const utxos = 'utxos(network: fuji, blockchainId: "p-chain", first: ';
  const query = `{ a: ${utxos} 1) { nodes { utxoId } } b: ${utxos} 1000) { nodes { utxoId } } c: ${utxos} 1) { nodes { utxoId } } }`;
  const { data, errors } = await gateway.graphql(query);
  const page = { nodes: [{ utxoId: expect.any(String) }] };
  expect(data).toEqual({ a: page, b: null, c: page });
  expect(errors?.map(({ path }) => path)).toEqual([['b']]);
});

test('internal transactions of an address name their wrong arguments together', async () => {
  const { errors } = await gateway.graphql(
    `{ evmAddress(chainId: "43113", address: "${address}") {
        internalTransactions(startBlock: "1.5", endBlock: "2.5", ${wrongPage}) { pageInfo { hasNextPage } } } }`,
  );
  expect(errors?.[0]?.message).toMatch(/^startBlock: .*; endBlock: .*; first: .*; after: .*; before: /);
});

test.each(['utxos', 'balances'])(
  'the %s of an address name their wrong arguments together',
  async (field) => {
    const { errors } = await gateway.graphql(
      `{ address(network: mainnet, address: "avax1yu8wlxfdkj8mnca60jwwzvfyqzd6xlnf635tld") {
        ${field}(blockchainId: "zz", ${wrongPage}) { pageInfo { hasNextPage } } } }`,
    );
    expect(errors?.[0]?.message).toMatch(/^blockchainId: .*; first: .*; after: .*; before: /);
  },
);

test('both tokens of another list are named', async () => {
  const list = 'utxos(network: fuji, blockchainId: "p-chain"';
  const [a, b] = ['2c624232-cdd2-4771-a4d0-d5d5f5f0a4d8', 'b0c1c1f2-8f8b-4d0e-9f4e-0a1b2c3d4e5f'];
  const { errors } = await gateway.graphql(`{ ${list}, after: "${a}", before: "${b}") { nodes { id } } }`);
  expect(errors?.[0]?.message).toMatch(new RegExp(`^after: "${a}" .*; before: "${b}" `));
});

const owner = 'avax1yu8wlxfdkj8mnca60jwwzvfyqzd6xlnf635tld';
test.each([
  ['icmMessages(since: 1793577600000)', 'since'],
  ['icmMessages(until: "1793577600000000")', 'until'],
  ['transactions(network: fuji, blockchainId: "p-chain", since: 253402300800)', 'since'],
  [
    `utxos(network: mainnet, blockchainId: "p-chain", addresses: ["${owner}"], state: STAKED, at: 1793577600000)`,
    'at',
  ],
  ['utxos(network: fuji, blockchainId: "p-chain", asOf: { time: 1793577600000 })', 'asOf.time'],
  [
    'subnetMetric(subnetId: "11111111111111111111111111111111LpoYY", metric: perSubnetDailyFeesPaid, endTimestamp: "1.7935776e+12")',
    'endTimestamp',
  ],
])('a time in milliseconds is refused, and the message says so: %s', async (field, name) => {
  const { errors } = await gateway.graphql(`{ ${field} { edges { cursor } } }`);
  expect(errors?.[0]?.extensions['code']).toBe('BAD_USER_INPUT');
  expect(errors?.[0]?.message).toContain(`${name}: `);
  expect(errors?.[0]?.message).toContain('it must be Unix seconds, not milliseconds');
});

test('a time beyond all of them is no bound', async () => {
  const { data, errors } = await gateway.graphql<{ icmMessages: { nodes: unknown[] } }>(
    '{ icmMessages(until: "18446744073709551615") { nodes { messageId } } }',
  );
  expect(errors).toBeUndefined();
  expect(data.icmMessages.nodes).toHaveLength(10);
});
