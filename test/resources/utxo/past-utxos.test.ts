import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LOOKED_AT } from '../../../src/resources/utxo/list.js';
import { createApp, type TestApp } from '../../harness/app.js';
import { poolOf } from '../../harness/connections.js';
import { addressOf, idOf, transactionRow, utxoRow } from '../../harness/ledger-rows.js';
import {
  LAST_BLOCK,
  pastArguments,
  pastOutputs,
  pastOwners,
  pastQuery,
  rowOf,
  timeOfBlock,
  unspentAt,
  type PastOutput,
  type PastQuery,
} from '../../harness/past-model.js';
import { importRows } from '../../harness/seed.js';
import { countStatements } from '../../harness/statements.js';

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp();
});
afterAll(() => gateway.close());

const clear = () =>
  poolOf(gateway.storage).query('TRUNCATE utxo, utxo_owner, address, address_balance, transaction CASCADE');

const load = (outputs: readonly PastOutput[]) =>
  importRows(gateway.storage, 'fuji.p-chain.utxos', outputs.map(rowOf));

const holdBlocks = (numbers: readonly number[]) =>
  importRows(
    gateway.storage,
    'fuji.p-chain.transactions',
    numbers.map((number) =>
      transactionRow(`of block ${number}`, {
        blockNumber: String(number),
        blockTimestamp: timeOfBlock(number),
      }),
    ),
  );

interface Page {
  edges: { cursor: string; node: { utxoId: string } }[];
  pageInfo: Record<'startCursor' | 'endCursor', string | null> &
    Record<'hasNextPage' | 'hasPreviousPage', boolean>;
}

/** All rows of a list, page after page, each page at the most so long as asked for, and how many pages there were. */
async function walk(
  { direction, pageSize }: Pick<PastQuery, 'direction' | 'pageSize'>,
  wrap: (paging: string) => string,
  between?: () => Promise<void>,
): Promise<{ seen: string[]; sizes: number[] }> {
  const forward = direction === 'forward';
  const seen: string[] = [];
  const sizes: number[] = [];
  let cursor: string | null = null;
  for (;;) {
    const paging = forward
      ? `first: ${pageSize}, after: ${JSON.stringify(cursor)}`
      : `last: ${pageSize}, before: ${JSON.stringify(cursor)}`;
    const selection = `{ edges { cursor node { utxoId } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }`;
    const { data, errors } = await gateway.graphql<{ list?: Page; of?: { list: Page } }>(
      `{ ${wrap(`${paging}) ${selection}`)} }`,
    );
    expect(errors).toBeUndefined();
    const { edges, pageInfo } = (data.list ?? data.of?.list) as Page;
    expect(edges.length).toBeLessThanOrEqual(pageSize);
    const ids = edges.map(({ node }) => node.utxoId);
    if (forward) seen.push(...ids);
    else seen.unshift(...ids);
    sizes.push(ids.length);
    if (!(forward ? pageInfo.hasNextPage : pageInfo.hasPreviousPage)) break;
    const next = forward ? pageInfo.endCursor : pageInfo.startCursor;
    expect(next).not.toBeNull();
    expect(next).not.toBe(cursor);
    if (edges.length === pageSize) expect(next).toBe((forward ? edges.at(-1) : edges[0])?.cursor);
    cursor = next;
    await between?.();
  }
  return { seen, sizes };
}

const ofQuery = (query: PastQuery) => (rest: string) =>
  `list: utxos(network: fuji, ${pastArguments(query)}, ${rest}`;
const ofAddress = (query: PastQuery) => (rest: string) =>
  `of: address(network: fuji, address: "${query.addresses[0]}") { list: utxos(${pastArguments(query).replace(/addresses: \[[^\]]*\], /, '')}, ${rest} }`;

const heldBlocks = fc.subarray(Array.from({ length: LAST_BLOCK + 1 }, (_, number) => number));

describe('the outputs unspent at a moment', () => {
  test('are what the events up to it leave, for any histories, moments, filters, sorts, page sizes and directions', async () => {
    await fc.assert(
      fc.asyncProperty(
        pastOutputs('output', 40),
        heldBlocks,
        fc.array(pastQuery, { minLength: 6, maxLength: 12 }),
        async (outputs, held, queries) => {
          await clear();
          await load(outputs);
          await holdBlocks(held);
          for (const query of queries) {
            const { seen } = await walk(query, ofQuery(query));
            expect(seen).toEqual(unspentAt(outputs, query, held));
            if (query.addresses.length !== 1) continue;
            expect((await walk(query, ofAddress(query))).seen).toEqual(seen);
          }
        },
      ),
      { numRuns: 12 },
    );
  });

  test('are each met once, and none of those that were there at the start is missed, while outputs are added', async () => {
    await fc.assert(
      fc.asyncProperty(
        pastOutputs('first', 40),
        pastOutputs('later', 30),
        heldBlocks,
        pastQuery,
        async (outputs, added, held, query) => {
          await clear();
          await load(outputs);
          await holdBlocks(held);
          const waiting = [...added];
          const { seen } = await walk(query, ofQuery(query), () => load(waiting.splice(0, 5)));
          const expected = unspentAt(outputs, query, held);
          expect(seen.filter((each) => expected.includes(each))).toEqual(expected);
          expect(new Set(seen).size).toBe(seen.length);
          const all = unspentAt([...outputs, ...added], query, held);
          expect(seen.filter((each) => !all.includes(each))).toEqual([]);
        },
      ),
      { numRuns: 12 },
    );
  });

  test('now are those that the list shows without a moment, where it is known when each was spent', async () => {
    await clear();
    const [outputs] = fc.sample(pastOutputs('output', 80, 80), { numRuns: 1, seed: 7 });
    await load(outputs ?? []);
    const now = {
      ...fc.sample(pastQuery, { numRuns: 1, seed: 7 })[0],
      addresses: [],
      pageSize: 100,
    } as PastQuery;
    const { seen } = await walk(now, ofQuery({ ...now, asOf: { time: 4_000_000_000 } }));
    const present = ofQuery(now)('').replace(/, asOf: \{[^}]*\}, $/, ', first: 100) { nodes { utxoId } }');
    const { data } = await gateway.graphql<{ list: { nodes: { utxoId: string }[] } }>(`{ ${present} }`);
    expect(data.list.nodes.map(({ utxoId }) => utxoId)).toEqual(seen);
    expect(seen.length).toBeGreaterThan(10);
  });

  test('are the same where pages pass over more rows than they look at', async () => {
    await clear();
    const [made = []] = fc.sample(pastOutputs('output', 3 * LOOKED_AT, 3 * LOOKED_AT), {
      ...{ numRuns: 1, seed: 11 },
    });
    // Most of them are unspent at no moment, or at few.
    const outputs = made.map((each, index) =>
      index % 20 === 0 ? each : { ...each, staked: false, consumingTxHash: idOf(`spender ${index}`) },
    );
    await load(outputs);
    const held = [2, 3, 9, 14];
    await holdBlocks(held);
    let short = 0;
    await fc.assert(
      fc.asyncProperty(pastQuery, async (query) => {
        const { seen, sizes } = await walk({ ...query, pageSize: 100 }, ofQuery(query));
        expect(seen).toEqual(unspentAt(outputs, query, held));
        short += sizes.slice(0, -1).filter((size) => size < 100).length;
      }),
      { numRuns: 25 },
    );
    expect(short).toBeGreaterThan(0);
  });
});

describe('a page that passes over many rows', () => {
  const [anna] = pastOwners as [string];
  const outputs = Array.from({ length: 3 * LOOKED_AT }, (_, index) => ({
    ...utxoRow(`many ${index}`, { addresses: [anna], blockTimestamp: 1_700_000_000 + index }, 'fuji'),
    // The oldest five were unspent for long, the others for a second.
    ...{ consumingTxHash: idOf('spender'), staked: false },
    consumingBlockTimestamp: index < 5 ? 1_800_000_000 : 1_700_000_001 + index,
  }));
  const query = { asOf: 'asOf: { time: 1750000000 }', blockchainId: 'blockchainId: "p-chain"' };
  const list = (rest: string) => `list: utxos(network: fuji, ${query.blockchainId}, ${query.asOf}, ${rest}`;
  beforeAll(async () => {
    await clear();
    await importRows(gateway.storage, 'fuji.p-chain.utxos', outputs);
  });

  test.each(['forward', 'backward'] as const)(
    'may be empty, and its cursor leads on: %s',
    async (direction) => {
      const { seen, sizes } = await walk({ direction, pageSize: 2 }, list);
      expect(seen).toHaveLength(5);
      expect(sizes).toContain(0);
      expect(sizes.length).toBeLessThanOrEqual(3 + 4);
    },
  );

  test('of lists that hang on the rows of a list looks at so many rows together', async () => {
    const ben = addressOf('ben', 'fuji');
    const shared = utxoRow('of both', { addresses: [anna, ben], blockTimestamp: 1 }, 'fuji');
    await importRows(gateway.storage, 'fuji.p-chain.utxos', [shared]);
    const past = `utxos(blockchainId: "p-chain", asOf: { time: 1750000000 }, first: 2) { nodes { utxoId } pageInfo { hasNextPage } }`;
    const { result, statements } = await countStatements(() =>
      gateway.graphql<any>(
        `{ utxos(network: fuji, blockchainId: "p-chain", sortOrder: asc, first: 1) { nodes { owners { address ${past} } } } }`,
      ),
    );
    expect(result.errors).toBeUndefined();
    expect(statements).toHaveLength(2);
    const byOwner = Object.fromEntries(
      result.data.utxos.nodes[0].owners.map((each: any) => [each.address, each.utxos]),
    );
    expect(byOwner[anna]).toEqual({ nodes: [], pageInfo: { hasNextPage: true } });
    expect(byOwner[ben]).toEqual({ nodes: [{ utxoId: shared.utxoId }], pageInfo: { hasNextPage: false } });
  });

  test('is one statement, whatever its size', async () => {
    for (const size of [1, 100]) {
      const { statements } = await countStatements(() =>
        gateway.graphql(`{ ${list(`first: ${size}) { nodes { utxoId } pageInfo { endCursor } }`)} }`),
      );
      expect(statements).toHaveLength(1);
    }
  });

  test('has cursors that no other moment takes', async () => {
    const { data } = await gateway.graphql<{ list: { pageInfo: { endCursor: string } } }>(
      `{ ${list('first: 1) { pageInfo { endCursor } }')} }`,
    );
    const cursor = data.list.pageInfo.endCursor;
    for (const other of ['asOf: { time: 1750000001 }, ', 'asOf: { block: 1750000000 }, ', '']) {
      const { errors } = await gateway.graphql(
        `{ utxos(network: fuji, blockchainId: "p-chain", ${other}after: "${cursor}") { nodes { utxoId } } }`,
      );
      expect(errors?.[0]?.message).toContain('was not issued here for this list with these filters');
    }
    const same = await gateway.graphql(`{ ${list(`after: "${cursor}") { nodes { utxoId } }`)} }`);
    expect(same.errors).toBeUndefined();
  });

  test('has no total count, which leaves the counts beside it alone', async () => {
    const { data, errors } = await gateway.graphql<any>(
      `{ ${list('first: 1) { totalCount }')} beside: utxos(network: fuji, blockchainId: "p-chain") { totalCount } }`,
    );
    expect(data).toMatchObject({ list: null, beside: { totalCount: 1 } });
    expect(errors).toHaveLength(1);
    expect(errors?.[0]).toMatchObject({
      message: expect.stringMatching(/^totalCount: .*leave totalCount and totalCountIsExact out$/) as unknown,
      extensions: { code: 'BAD_USER_INPUT' },
    });
  });

  test.each([
    ['{ time: 1, block: 1 }', /AsOf/],
    ['{ }', /AsOf/],
    ['{ time: null }', /AsOf/],
    ['{ time: -1 }', /^asOf\.time: "-1" is not a whole number of 0 or more$/],
    ['{ block: "half" }', /half/],
    ['{ block: 1.5 }', /^asOf\.block: "1.5" is not a whole number/],
  ])('is refused for the moment %s', async (moment, message) => {
    const { errors } = await gateway.graphql(
      `{ utxos(network: fuji, blockchainId: "p-chain", asOf: ${moment}) { nodes { utxoId } } }`,
    );
    expect(errors?.[0]?.message).toMatch(message);
  });

  test('is refused together with spent outputs', async () => {
    const { errors } = await gateway.graphql(
      `{ utxos(network: fuji, blockchainId: "p-chain", includeSpent: true, asOf: { time: 1 }) { nodes { utxoId } } }`,
    );
    expect(errors?.[0]?.message).toBe('asOf: cannot be given together with includeSpent');
  });
});
