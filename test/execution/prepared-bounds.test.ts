import { Hash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createApp, type TestApp } from '../harness/app.js';
import { addressOf, idOf, utxoRow, withBytes } from '../harness/ledger-rows.js';
import { importRows } from '../harness/seed.js';
import { countStatements } from '../harness/statements.js';

/** Named outputs of one address; more than a page. */
const held = Array.from({ length: 12 }, (_, index) =>
  withBytes(utxoRow(`output ${index}`, { blockTimestamp: 100 - index }, 'fuji')),
);
const ids = held.map(({ utxoId }) => utxoId);
const owner = addressOf('anna', 'fuji');
const of = `network: fuji, blockchainId: "p-chain", addresses: ["${owner}"]`;

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp();
  await importRows(gateway.storage, 'fuji.p-chain.utxos', held);
});
afterAll(() => gateway.close());

/** Sends an operation, and returns whether it was answered as one that was seen before. */
async function sent<Data = any>(query: string, variables: object = {}) {
  const { result, names, statements } = await countStatements(() => gateway.graphql<Data>(query, variables));
  expect(result.errors).toBeUndefined();
  return { data: result.data, statements, isPrepared: names.some((name) => name.startsWith('operation:')) };
}

describe('the memory of operations that were seen before is bounded:', () => {
  test('of 300 documents 256 are kept, and the first one is answered as if it were new', async () => {
    // Without literals, by which documents would be known again.
    const document = (alias: string) =>
      `query ($chain: String!, $addresses: [String!]) {
        utxos(network: fuji, blockchainId: $chain, addresses: $addresses, first: 1) { nodes { ${alias}: utxoId } } }`;
    const variables = { chain: 'p-chain', addresses: [owner] };
    const ask = (alias: string) => sent(document(alias), variables);
    expect((await ask('first')).isPrepared).toBe(false);
    expect((await ask('first')).isPrepared).toBe(true);
    for (let index = 0; index < 299; index += 1) await gateway.graphql(document(`a${index}`), variables);
    const { text } = await gateway.get('/metrics');
    expect(text).toMatch(/moraine_cache_entries\{cache="documents"\} 256\n/);
    // The newest and the oldest one that must be cached.
    for (const kept of ['a298', 'a43']) expect((await ask(kept)).isPrepared).toBe(true);
    expect(await ask('first')).toMatchObject({
      isPrepared: false,
      data: { utxos: { nodes: [{ first: ids[0] }] } },
    });
    expect((await ask('first')).isPrepared).toBe(true);
  });

  test('a ninth combination of what directives look at is for the plain executor', async () => {
    const query = `query ($a: Boolean!, $b: Boolean!, $c: Boolean!, $d: Boolean!) { utxos(${of}, first: 1) { nodes {
      utxoId @include(if: $a) amount @include(if: $b) outputIndex @include(if: $c) utxoType @include(if: $d) } } }`;
    const [row] = held;
    const combinations = Array.from({ length: 16 }, (_, bits) => ({
      a: (bits & 1) > 0,
      b: (bits & 2) > 0,
      c: (bits & 4) > 0,
      d: (bits & 8) > 0,
    }));
    await gateway.graphql(query, combinations[0]);
    for (const [index, { a, b, c, d }] of combinations.entries()) {
      const { data, isPrepared } = await sent(query, { a, b, c, d });
      expect(isPrepared).toBe(index < 8);
      expect(data.utxos.nodes).toEqual([
        {
          ...(a && { utxoId: ids[0] }),
          ...(b && { amount: row?.amount }),
          ...(c && { outputIndex: row?.outputIndex }),
          ...(d && { utxoType: row?.utxoType }),
        },
      ]);
    }
  });

  test('combinations that are for the plain executor count among them', async () => {
    const query = `query ($a: Boolean!, $b: Boolean!, $c: Boolean!, $d: Boolean!) { utxos(${of}, first: 1) {
      totalCount @include(if: $a) nodes { utxoId amount @skip(if: $b) outputIndex @skip(if: $c) utxoType @skip(if: $d) } } }`;
    const combinations = Array.from({ length: 8 }, (_, bits) => ({
      a: true,
      b: (bits & 1) > 0,
      c: (bits & 2) > 0,
      d: (bits & 4) > 0,
    }));
    await gateway.graphql(query, combinations[0]);
    for (const each of combinations) await sent(query, each);
    const without = { a: false, b: true, c: true, d: true };
    expect(await sent(query, without)).toMatchObject({
      isPrepared: false,
      data: { utxos: { nodes: [{ utxoId: ids[0] }] } },
    });
  });

  test('a ninth size of a page is for the plain executor, and each has its rows and its cost', async () => {
    const query = `query ($first: Int) { utxos(${of}, first: $first) { nodes { utxoId } } }`;
    await gateway.graphql(query, { first: 1 });
    // More than the costs that are cached.
    for (let first = 1; first <= 70; first += 1) {
      const { data, isPrepared } = await sent(query, { first });
      expect(isPrepared).toBe(first <= 8);
      expect(data.utxos.nodes.map((each: { utxoId: string }) => each.utxoId)).toEqual(ids.slice(0, first));
    }
    const body = JSON.stringify({ query, variables: { first: 3 } });
    const reply = await gateway.post('/graphql', { 'content-type': 'application/json' }, body);
    expect(reply.body.extensions.cost.asked).toBe(5);
  });

  test('an operation whose statement has more than 32,000 characters is for the plain executor', async () => {
    const fields = `utxoId amount staked utxoType rewardType platformLocktime stakeableLocktime threshold assetId txHash
      outputIndex utxoBytes blockNumber blockTimestamp consumingBlockNumber consumingBlockTimestamp consumedOnChainId
      createdOnChainId asset { name amount assetId } opens: utxoStartTimestamp closes: utxoEndTimestamp
      made: blockTimestamp spent: consumingBlockTimestamp`;
    const asked = async (lists: number) => {
      const sizes = Array.from({ length: lists }, (_, index) => index + 1);
      const list = (first: number) =>
        `of${first}: utxos(blockchainId: "p-chain", first: ${first}) { nodes { ...U } }`;
      const query = `{ address(network: fuji, address: "${owner}") { ${sizes.map(list).join(' ')} } }
        fragment U on Utxo { ${fields} }`;
      await sent(query);
      const { data, statements } = await sent(query);
      // Such a long one has no name; the plain executor needs one for each list.
      const isPrepared = statements.length === 1;
      const rows = (of: number) =>
        data.address[`of${of}`].nodes.map((each: { utxoId: string }) => each.utxoId);
      for (const size of sizes) expect(rows(size)).toEqual(ids.slice(0, size));
      return { isPrepared, length: statements[0]?.length ?? 0 };
    };
    const lengths: number[] = [];
    for (let lists = 1; lists < 10; lists += 1) {
      const { isPrepared, length } = await asked(lists);
      if (!isPrepared) break;
      lengths.push(length);
    }
    // One list more is about so many characters more.
    const [one = 0, two = 0] = lengths;
    expect(lengths.length).toBeLessThan(9);
    expect(lengths.at(-1)).toBeLessThanOrEqual(32_000);
    expect((lengths.at(-1) ?? 0) + 1.1 * (two - one)).toBeGreaterThan(32_000);
  });

  test('a document of more than 8,192 characters is for the plain executor', async () => {
    const document = (length: number) =>
      `{ utxos(${of}, first: 1) { nodes { utxoId } } } #`.padEnd(length, '.');
    const data = { utxos: { nodes: [{ utxoId: ids[0] }] } };
    for (const [length, isPrepared] of [
      [8192, true],
      [8193, false],
    ] as const) {
      await sent(document(length));
      expect(await sent(document(length))).toMatchObject({ data, isPrepared });
    }
  });
});

describe('of what was seen before', () => {
  test('only the columns that are selected are read', async () => {
    const asking = async (fields: string) => {
      const query = `{ utxos(${of}) { nodes { ${fields} } } }`;
      await sent(query);
      const { statements, isPrepared } = await sent(query);
      expect([statements.length, isPrepared]).toEqual([1, true]);
      return statements[0] ?? '';
    };
    const columns = /\bu\.\w+/g;
    const read = (text: string) => [...new Set(text.match(columns))].sort();
    const narrow = await asking('utxoId');
    expect(narrow).not.toMatch(/amount|bytes/i);
    expect(read(narrow)).not.toContain('u.amount');
    expect(await asking('utxoId amount')).toMatch(/u\.amount/);
    expect(await asking('utxoId utxoBytes')).toMatch(/bytes/i);
  });

  test('nothing is made of cursors unless they are selected', async () => {
    const issue = vi.spyOn(gateway.services.tokens, 'issue');
    const hashed = vi.spyOn(Hash.prototype, 'update');
    const made = async (fields: string) => {
      // With a variable, because what the document fixes is read once.
      const query = `query ($first: Int) { utxos(${of}, first: $first) { ${fields} } }`;
      await sent(query, { first: 2 });
      await sent(query, { first: 2 });
      hashed.mockClear();
      issue.mockClear();
      expect((await sent(query, { first: 2 })).isPrepared).toBe(true);
      return { tokens: issue.mock.calls.length, digests: hashed.mock.calls.length };
    };
    try {
      expect(await made('nodes { utxoId } pageInfo { hasNextPage }')).toEqual({ tokens: 0, digests: 0 });
      expect(await made('edges { node { utxoId } }')).toEqual({ tokens: 0, digests: 0 });
      const { tokens, digests } = await made('edges { cursor }');
      expect(tokens).toBe(2);
      expect(digests).toBeGreaterThan(0);
      expect((await made('pageInfo { endCursor }')).tokens).toBe(1);
    } finally {
      hashed.mockRestore();
      issue.mockRestore();
    }
  });

  test('an import changes the next answer: nothing of the chain is kept from one request to the next', async () => {
    const list = `{ utxos(${of}, includeSpent: true, first: 100) { nodes { utxoId consumingTxHash } } }`;
    const path = `/v1/networks/fuji/blockchains/p-chain/utxos?addresses=${owner}&includeSpent=true&pageSize=100`;
    type Utxo = { utxoId: string; consumingTxHash: string | null };
    const answers = async () => {
      const { data, isPrepared } = await sent<{ utxos: { nodes: Utxo[] } }>(list);
      const { body } = await gateway.get(path);
      const shown = (utxos: Utxo[]) =>
        Object.fromEntries(utxos.map((each) => [each.utxoId, each.consumingTxHash ?? null]));
      return { isPrepared, graph: shown(data.utxos.nodes), rest: shown(body.utxos as Utxo[]) };
    };
    await answers();
    const before = Object.fromEntries(ids.map((id) => [id, null]));
    expect(await answers()).toEqual({ isPrepared: true, graph: before, rest: before });
    const spender = idOf('spender');
    const added = utxoRow('added', {}, 'fuji');
    const spent = { ...held[3], consumingTxHash: spender, consumingBlockTimestamp: 200 };
    await importRows(gateway.storage, 'fuji.p-chain.utxos', [spent, added]);
    const after = { ...before, [ids[3] ?? '']: spender, [added.utxoId]: null };
    expect(await answers()).toEqual({ isPrepared: true, graph: after, rest: after });
  });
});
