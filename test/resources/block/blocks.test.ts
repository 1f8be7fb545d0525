import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createApp, type TestApp } from '../../harness/app.js';
import { poolOf } from '../../harness/connections.js';
import {
  blockHash,
  blocks,
  chains,
  importTransfers,
  orderOf,
  transfer,
  transfers,
  type Transfer,
} from '../../harness/history-model.js';
import { idOf } from '../../harness/ledger-rows.js';
import { expectList } from '../../harness/list-model.js';
import { countStatements } from '../../harness/statements.js';

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp({ MAX_COST: '1000000' });
});
afterAll(() => gateway.close());
beforeEach(() => clear());

async function clear(): Promise<void> {
  await poolOf(gateway.storage).query(
    'TRUNCATE utxo, utxo_owner, address_balance, address_transaction, transaction CASCADE',
  );
}

type Chain = (typeof chains)[number];
const numbers = blocks.map(({ blockNumber }) => blockNumber);

function heldNumbers(all: readonly Transfer[], chain: Chain): string[] {
  return numbers.filter((number) => all.some((each) => each.chain === chain && each.blockNumber === number));
}

/** Hashes of a block's transactions, by checking each. */
function hashesIn(all: readonly Transfer[], chain: Chain, number: string): string[] {
  return all
    .filter((each) => each.chain === chain && each.blockNumber === number)
    .toSorted((a, b) => (orderOf(a) < orderOf(b) ? 1 : -1))
    .map(({ name }) => idOf(name));
}

const block = (chain: Chain, given: string) =>
  `block(network: fuji, blockchainId: "${chain}-chain", ${given})`;

/** Sent twice: the second answer is that of an operation that was seen before. */
async function ask<Data>(query: string): Promise<Data> {
  const first = await gateway.graphql<Data & object>(query);
  expect(first.errors).toBeUndefined();
  expect(await gateway.graphql(query)).toMatchObject({ data: first.data });
  return first.data;
}

describe('a block', () => {
  test('is what its transactions say, and leads to the stored ones before and after it, by number and by hash', async () => {
    const fields =
      'id network blockchainAlias number hash timestamp previous { number next { number } } next { number previous { number } }';
    await fc.assert(
      fc.asyncProperty(transfers, fc.constantFrom(...chains), async (all, chain) => {
        await clear();
        await importTransfers(gateway.storage, all);
        const held = heldNumbers(all, chain);
        for (const { blockNumber: number, blockTimestamp: timestamp } of blocks) {
          const hash = blockHash(chain, number);
          const at = held.indexOf(number);
          const [before, after] = at < 0 ? [] : [held[at - 1], held[at + 1]];
          const expected = {
            network: 'fuji',
            blockchainAlias: `${chain}-chain`,
            number,
            hash,
            timestamp,
            previous: before === undefined ? null : { number: before, next: { number } },
            next: after === undefined ? null : { number: after, previous: { number } },
          };
          for (const given of [`number: "${number}"`, `hash: "${hash}"`]) {
            const data = await ask<{ block: { id: string } | null }>(
              `{ ${block(chain, given)} { ${fields} } }`,
            );
            if (at < 0) expect(data.block).toBeNull();
            else expect(data.block).toEqual({ ...expected, id: data.block?.id });
            if (!data.block) continue;
            const again = await ask(`{ node(id: "${data.block.id}") { ... on Block { number timestamp } } }`);
            expect(again).toEqual({ node: { number, timestamp } });
          }
        }
      }),
      { numRuns: 15 },
    );
  });

  test('has its transactions, for any page size and direction, while others come between the pages too', async () => {
    const query = fc.record({
      chain: fc.constantFrom(...chains),
      number: fc.constantFrom(...numbers),
      pageSize: fc.integer({ min: 1, max: 4 }),
      direction: fc.constantFrom('forward' as const, 'backward' as const),
      added: fc.option(fc.array(transfer(''), { minLength: 1, maxLength: 2 }), { nil: null }),
    });
    let count = 0;
    await fc.assert(
      fc.asyncProperty(transfers, query, async (all, { chain, number, added, ...walk }) => {
        await clear();
        await importTransfers(gateway.storage, all);
        const expected = hashesIn(all, chain, number);
        if (expected.length === 0) return;
        await expectList(gateway, {
          field: 'transactions(',
          key: 'txHash',
          expected,
          ...walk,
          within: {
            wrap: (list) => `${block(chain, `number: "${number}"`)} { ${list} }`,
            find: (data) => (data['block'] as unknown as { list: unknown }).list,
          },
          ...(added && {
            between: () =>
              importTransfers(
                gateway.storage,
                added.map((each) => ({ ...each, name: `added ${(count += 1)}` })),
              ),
          }),
        });
      }),
      { numRuns: 40 },
    );
  });

  test('is that of each transaction that has a number, and null for those that have none', async () => {
    await fc.assert(
      fc.asyncProperty(transfers, async (all) => {
        await clear();
        await importTransfers(gateway.storage, all);
        const { transactions } = await ask<{ transactions: { nodes: object[] } }>(
          '{ transactions(network: fuji, blockchainId: "p-chain", first: 100) { nodes { txHash block { number } } } }',
        );
        const onP = all.filter(({ chain }) => chain === 'p');
        expect(transactions.nodes).toHaveLength(onP.length);
        for (const { name, blockNumber } of onP)
          expect(transactions.nodes).toContainEqual({
            txHash: idOf(name),
            block: blockNumber ? { number: blockNumber } : null,
          });
      }),
      { numRuns: 10 },
    );
  });

  test('costs a statement for each level of nesting, however many there are', async () => {
    const all = Array.from({ length: 40 }, (_, index) => ({
      name: `transfer ${index}`,
      chain: 'p' as const,
      txType: 'BaseTx',
      to: [],
      from: [],
      blockTimestamp: index,
      blockNumber: String(Math.floor(index / 2)),
    }));
    await importTransfers(gateway.storage, all);
    for (const size of [2, 40]) {
      const query = `{ transactions(network: fuji, blockchainId: "p-chain", first: ${size}) { nodes {
        block { transactions(first: ${size}) { totalCount nodes { txHash } } previous { number } next { number } } } } }`;
      const { result, statements } = await countStatements(() => gateway.graphql(query));
      expect(result.errors).toBeUndefined();
      // The list, blocks, their lists, the counts of these, and the blocks on either side.
      expect(statements).toHaveLength(6);
    }
  });

  test('is refused without a number and a hash, with both, and with what is neither', async () => {
    for (const [given, message] of [
      ['', /^number and hash: give exactly one of them/],
      [`, number: null, hash: ""`, /^number and hash: give exactly one of them/],
      [`, number: 1, hash: "${idOf('block')}"`, /^number and hash: give exactly one of them/],
      [', hash: "0x12"', /^hash: "0x12" is not an id/],
    ] as const) {
      const { data, errors } = await gateway.graphql(
        `{ block(network: fuji, blockchainId: "p-chain"${given}) { number } }`,
      );
      expect(data).toEqual({ block: null });
      expect(errors?.[0]?.message).toMatch(message);
    }
  });

  test('of the C-chain is found by a hash in any case', async () => {
    const hash = `0x${'aB'.repeat(32)}`;
    await importTransfers(gateway.storage, [
      {
        name: 'a',
        chain: 'c',
        txType: 'ExportTx',
        blockTimestamp: 1,
        to: [],
        from: [],
        blockNumber: '5',
        blockHash: hash,
      },
    ]);
    const data = await ask(`{ ${block('c', `hash: "${hash}"`)} { number hash } }`);
    expect(data).toEqual({ block: { number: '5', hash: hash.toLowerCase() } });
  });
});
