import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createApp, type TestApp } from '../../harness/app.js';
import { poolOf } from '../../harness/connections.js';
import { addresses, chainRow, hashAt, idOf } from '../../harness/evm-rows.js';
import { frames, newestFirst, toRow, valueOf, type Frame } from '../../harness/frame-model.js';
import { expectList } from '../../harness/list-model.js';
import { importRows } from '../../harness/seed.js';
import { expectStatements } from '../../harness/statements.js';

const CHAIN = '9223372036854775807';
const FILE = `evm.${CHAIN}.internal-transactions`;

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp();
  await importRows(gateway.storage, 'evm.chains', [
    chainRow(CHAIN, { blockchainId: idOf('the chain') }),
    chainRow('7'),
  ]);
});
afterAll(() => gateway.close());
beforeEach(() => poolOf(gateway.storage).query('TRUNCATE internal_tx'));

const queries = fc.record({
  isRoot: fc.boolean(),
  tx: fc.option(fc.integer({ min: 0, max: 5 }), { nil: undefined }),
  block: fc.option(fc.constantFrom('0', '1', '3', '9223372036854775807', '9'.repeat(77)), { nil: undefined }),
  startBlock: fc.option(fc.constantFrom('0', '2', '3', '1e+21'), { nil: undefined }),
  endBlock: fc.option(fc.constantFrom('0', '3', '5', '1e+21'), { nil: undefined }),
  pageSize: fc.integer({ min: 1, max: 9 }),
  direction: fc.constantFrom('forward' as const, 'backward' as const),
});
type Query = typeof queries extends fc.Arbitrary<infer T> ? T : never;

// Few transactions, so that one has several frames.
const fewer = frames.map((all) => [
  ...new Map(all.map((each) => ({ ...each, tx: each.tx % 6 })).map((each) => [valueOf(each), each])).values(),
]);

/** The rows that the description promises, by checking every frame. */
function model(rows: readonly Frame[], { tx, block, startBlock, endBlock }: Query): string[] {
  return rows
    .filter((row) => tx === undefined || row.tx === tx)
    .filter((row) => block === undefined || String(row.block) === block)
    .filter((row) => row.block >= Number(startBlock ?? 0) && row.block < Number(endBlock ?? Infinity))
    .sort(tx === undefined ? newestFirst : (a, b) => b.position - a.position)
    .map(valueOf);
}

function checkOf({ isRoot, tx, block, startBlock, endBlock, pageSize, direction }: Query) {
  const filters = [
    tx !== undefined && `txHash: "0X${hashAt(tx).slice(2).toUpperCase()}"`,
    block && `blockNumber: "${block}"`,
    startBlock && `startBlock: "${startBlock}"`,
    endBlock && `endBlock: "${endBlock}"`,
  ].filter(Boolean);
  const own = {
    wrap: (list: string) => `chain(chainId: "${CHAIN}") { ${list} }`,
    find: (data: Record<string, never>) => (data['chain'] as unknown as { list: unknown }).list,
  };
  const chain = isRoot ? [`chainId: "${idOf('the chain')}"`] : [];
  return {
    field: `internalTransactions(${[...chain, ...filters].join(', ')}`,
    key: 'value',
    pageSize,
    direction,
    ...(!isRoot && { within: own }),
  };
}

describe('the internal transactions of a chain', () => {
  test('agree with a naive filter for any transaction, block, range, page size and direction', async () => {
    await fc.assert(
      fc.asyncProperty(fewer, fc.array(queries, { minLength: 6, maxLength: 10 }), async (rows, lists) => {
        await poolOf(gateway.storage).query('TRUNCATE internal_tx');
        await importRows(gateway.storage, FILE, rows.map(toRow));
        for (const each of lists)
          await expectList(gateway, { ...checkOf(each), expected: model(rows, each) });
      }),
      { numRuns: 15 },
    );
  });

  test('show every one that was there at the start, once, while others are added between pages', async () => {
    await fc.assert(
      fc.asyncProperty(frames, frames, queries, async (rows, added, each) => {
        await poolOf(gateway.storage).query('TRUNCATE internal_tx');
        await importRows(gateway.storage, FILE, rows.map(toRow));
        const waiting = added.map((frame) => ({ ...frame, tx: frame.tx + 1000 }));
        const between = () => importRows(gateway.storage, FILE, waiting.splice(0, 5).map(toRow));
        await expectList(gateway, { ...checkOf(each), expected: model(rows, each), between });
      }),
      { numRuns: 10 },
    );
  });

  test('have the same cursors at the chain and at the query', async () => {
    const [from] = addresses;
    const rows = [1, 2, 3].map((tx): Frame => ({ block: 1, tx, position: 0, from, to: from }));
    await importRows(gateway.storage, FILE, rows.map(toRow));
    const list = (more: string) => `internalTransactions(${more}) { nodes { value } pageInfo { endCursor } }`;
    type Page = { nodes: object[]; pageInfo: { endCursor: string } };
    const first = await gateway.graphql<{ chain: { internalTransactions: Page } }>(
      `{ chain(chainId: "${CHAIN}") { ${list('first: 1')} } }`,
    );
    const { endCursor } = first.data.chain.internalTransactions.pageInfo;
    const next = await gateway.graphql<{ internalTransactions: Page }>(
      `{ ${list(`chainId: "${CHAIN}", first: 5, after: "${endCursor}"`)} }`,
    );
    expect(next.data.internalTransactions.nodes).toEqual([{ value: '201' }, { value: '101' }]);
  });

  test('of several chains are one statement, whatever the size of the page', async () => {
    const [from] = addresses;
    const rows = Array.from({ length: 50 }, (_, tx): Frame => ({
      block: 1,
      tx,
      position: 0,
      from,
      to: from,
    }));
    await importRows(gateway.storage, FILE, rows.map(toRow));
    for (const size of [2, 40]) {
      const list = `internalTransactions(first: ${size}) { totalCount nodes { value chain { chainId } } }`;
      // The chains, the pages of all, their counts, the chain of each row.
      await expectStatements(gateway, `{ chains(first: ${size}) { nodes { ${list} } } }`, 4);
    }
  });
});
