import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createApp, type TestApp } from '../../harness/app.js';
import { poolOf } from '../../harness/connections.js';
import { addresses, chainRow } from '../../harness/evm-rows.js';
import { expectList } from '../../harness/list-model.js';
import {
  blockchainOf,
  evmIds,
  importMessages,
  isWithin,
  messages as anyMessages,
  newestFirst,
  sometimes,
  times,
  type Message,
} from '../../harness/message-model.js';
import { importRows } from '../../harness/seed.js';
import { countStatements } from '../../harness/statements.js';

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp();
  const [first, ...others] = evmIds;
  // Of a chain whose blockchain id is not known messages tell the EVM id.
  await importRows(gateway.storage, 'evm.chains', [
    chainRow(first),
    ...others.map((id) => chainRow(id, { blockchainId: blockchainOf(id) })),
  ]);
});
afterAll(() => gateway.close());
beforeEach(() => poolOf(gateway.storage).query('TRUNCATE icm_message, icm_chain CASCADE'));

// Every fifth of an address to itself.
const messages = anyMessages.map((rows) =>
  rows.map((row) => (row.number % 5 === 0 ? { ...row, destination: row.source, to: row.from } : row)),
);

const queries = fc.record({
  chain: fc.constantFrom(...evmIds),
  address: fc.constantFrom(...addresses),
  direction: fc.option(fc.constantFrom('sent' as const, 'received' as const), sometimes),
  ...times,
  pageSize: fc.integer({ min: 1, max: 9 }),
  reading: fc.constantFrom('forward' as const, 'backward' as const),
});
type Query = typeof queries extends fc.Arbitrary<infer T> ? T : never;

/** The messages of an address, by looking at every message. */
function model(rows: readonly Message[], { chain, address, direction, ...bounds }: Query): string[] {
  const isSent = (row: Message) => row.source === chain && row.from === address;
  const isReceived = (row: Message) => row.destination === chain && row.to === address;
  return newestFirst(
    rows
      .filter((row) => (direction !== 'received' && isSent(row)) || (direction !== 'sent' && isReceived(row)))
      .filter((row) => isWithin(row, bounds)),
  );
}

const checkOf = (each: Query) => ({
  field: `icmMessages(direction: ${each.direction ?? null}, since: ${each.since ?? null}, until: ${each.until ?? null}`,
  key: 'messageId',
  pageSize: each.pageSize,
  direction: each.reading,
  within: {
    wrap: (list: string) =>
      `evmAddress(chainId: "${each.chain}", address: "${each.address.toLowerCase()}") { ${list} }`,
    find: (data: Record<string, never>) => (data['evmAddress'] as unknown as { list: unknown }).list,
  },
});

describe('the messages of an EVM address', () => {
  test('agree with a naive filter for any direction, times, page size and direction of reading', async () => {
    await fc.assert(
      fc.asyncProperty(messages, fc.array(queries, { minLength: 4, maxLength: 8 }), async (rows, lists) => {
        await poolOf(gateway.storage).query('TRUNCATE icm_message, icm_chain CASCADE');
        await importMessages(gateway.storage, rows);
        for (const each of lists)
          await expectList(gateway, { ...checkOf(each), expected: model(rows, each) });
      }),
      { numRuns: 12 },
    );
  });

  test('show every message that was there at the start, once, while others are added between pages', async () => {
    await fc.assert(
      fc.asyncProperty(messages, messages, queries, async (rows, added, each) => {
        await poolOf(gateway.storage).query('TRUNCATE icm_message, icm_chain CASCADE');
        await importMessages(gateway.storage, rows);
        const waiting = added.map((row) => ({ ...row, number: row.number + 1000 }));
        const between = () => importMessages(gateway.storage, waiting.splice(0, 5));
        await expectList(gateway, { ...checkOf(each), expected: model(rows, each), between });
      }),
      { numRuns: 10 },
    );
  });

  test('are one statement for all addresses of a page, and lead back to the address', async () => {
    const [from, to] = addresses;
    const rows = Array.from({ length: 60 }, (_, number): Message => ({
      network: 'fuji',
      number,
      source: '1001',
      destination: '1002',
      from,
      to,
      timestamp: 1_700_000_000,
      delivered: false,
      sourceIndexed: true,
    }));
    await importMessages(gateway.storage, rows);
    for (const size of [10, 60]) {
      const { result, statements } = await countStatements(() =>
        gateway.graphql<{ icmMessages: { nodes: Record<string, { icmMessages: object }>[] } }>(
          `{ icmMessages(first: ${size}) { nodes { fromEvmAddress { icmMessages(direction: sent, first: 1) { nodes { from } } }
            toEvmAddress { icmMessages(direction: sent, first: 1) { nodes { from } } } } } }`,
        ),
      );
      expect(result.errors).toBeUndefined();
      // The messages; the chains at their ends; the messages of all parties together.
      expect(statements).toHaveLength(3);
      expect(result.data.icmMessages.nodes[0]).toEqual({
        fromEvmAddress: { icmMessages: { nodes: [{ from }] } },
        toEvmAddress: { icmMessages: { nodes: [] } },
      });
    }
  });
});
