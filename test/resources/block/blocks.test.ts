import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { encodeCb58 } from '../../../src/avalanche/cb58.js';
import { createApp, type TestApp } from '../../harness/app.js';
import { poolOf } from '../../harness/connections.js';
import {
  blockHash,
  blocks,
  chains,
  importTransfers,
  nodes,
  orderOf,
  transfer,
  transfers,
  type Transfer,
} from '../../harness/history-model.js';
import { idOf, transactionRow } from '../../harness/ledger-rows.js';
import { expectGrowingList, expectList, paging } from '../../harness/list-model.js';
import { importRows } from '../../harness/seed.js';
import { countStatements } from '../../harness/statements.js';

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp({ MAX_COST: '1000000' });
});
afterAll(() => gateway.close());
beforeEach(() => clear());

async function clear(): Promise<void> {
  await poolOf(gateway.storage).query(
    'TRUNCATE utxo, utxo_owner, address_balance, address_transaction, transaction, block CASCADE',
  );
}

/** A block of the X-chain as a line of a file has it. */
const rowOf = (number: number, more: object = {}) => ({
  blockNumber: String(number),
  blockTimestamp: 1_700_000_000 + number,
  ...more,
});

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

  test('that only a wrong row named goes with its correction, and one of which a row was wrong says what the others say', async () => {
    const importBlocks = (names: Record<string, object>) =>
      importRows(
        gateway.storage,
        'fuji.x-chain.transactions',
        Object.entries(names).map(([name, row]) => transactionRow(name, row)),
      );
    const at = (number: number, hash = `block ${number}`) => ({
      blockNumber: String(number),
      blockHash: idOf(hash),
      blockTimestamp: 1_700_000_000 + number,
    });
    const listed = async () => {
      const query = '{ blocks(network: fuji, blockchainId: "x-chain") { nodes { number hash timestamp } } }';
      const { blocks: found } = await ask<{ blocks: { nodes: object[] } }>(query);
      return found.nodes;
    };
    const shown = (...rows: ReturnType<typeof at>[]) =>
      rows.map(({ blockNumber: number, blockHash: hash, blockTimestamp: timestamp }) => {
        return { number, hash, timestamp };
      });
    await importRows(gateway.storage, 'fuji.x-chain.blocks', [{ ...at(9), txCount: 1 }]);
    await importBlocks({ one: at(7), two: at(8), three: at(8), four: at(5, 'wrong'), five: at(9) });
    expect(await listed()).toEqual(shown(at(9), at(8), at(7), at(5, 'wrong')));
    await importBlocks({ one: at(6), two: at(6), four: at(5), five: at(6) });
    // Block 9 is known by itself, and block 8 has another transaction.
    expect(await listed()).toEqual(shown(at(9), at(8), at(6), at(5)));
    await importBlocks({ four: { ...at(5), blockTimestamp: 1_700_000_004 } });
    expect(await listed()).toEqual([
      ...shown(at(9), at(8), at(6)),
      { ...shown(at(5))[0], timestamp: 1_700_000_004 },
    ]);
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

  test('leads to the one right before it and right after it, where these are stored', async () => {
    await importRows(gateway.storage, 'fuji.x-chain.blocks', [rowOf(6), rowOf(7), rowOf(9)]);
    const fields = 'parent { number child { number } } child { number parent { number } }';
    const near = (number: string) =>
      ask<{ block: object }>(`{ ${block('x', `number: ${number}`)} { ${fields} } }`);
    expect(await near('7')).toEqual({
      block: { parent: { number: '6', child: { number: '7' } }, child: null },
    });
    expect(await near('6')).toEqual({
      block: { parent: null, child: { number: '7', parent: { number: '6' } } },
    });
    expect(await near('9')).toEqual({ block: { parent: null, child: null } });
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

describe('the row of a block', () => {
  const proposerNodeId = `NodeID-${encodeCb58(new Uint8Array(20).fill(9))}`;
  const whole = {
    ...rowOf(5),
    blockHash: idOf('block 5'),
    parentHash: idOf('block 4'),
    blockType: 'proposal',
    blockSizeBytes: 312,
    txCount: 3,
    proposerNodeId,
  };
  const fields =
    'number hash parentHash blockType timestamp sizeBytes txCount proposerNodeId proposer { nodeId }';
  const shown = async () =>
    (await ask<{ block: object }>(`{ ${block('x', 'number: 5')} { ${fields} } }`)).block;
  const expected = {
    number: '5',
    hash: whole.blockHash,
    parentHash: whole.parentHash,
    blockType: 'proposal',
    timestamp: whole.blockTimestamp,
    sizeBytes: 312,
    txCount: 3,
    proposerNodeId,
    proposer: null,
  };

  test('is what files say of it, in any order: a later file adds what was not known', async () => {
    const parts = [rowOf(5, { blockHash: whole.blockHash, txCount: 3 }), { ...whole, txCount: null }];
    for (const files of [parts, parts.toReversed()]) {
      await clear();
      for (const row of files) await importRows(gateway.storage, 'fuji.x-chain.blocks', [row]);
      expect(await shown()).toEqual(expected);
    }
  });

  test('stays as a file of blocks says it when its transactions are imported, before or after', async () => {
    const transactions = [{ name: 'a', chain: 'x' as const, txType: 'BaseTx', to: [], from: [] }].map(
      (each) => ({
        ...each,
        blockNumber: '5',
        blockTimestamp: 7,
      }),
    );
    for (const isFirst of [true, false]) {
      await clear();
      if (isFirst) await importTransfers(gateway.storage, transactions);
      await importRows(gateway.storage, 'fuji.x-chain.blocks', [whole]);
      if (!isFirst) await importTransfers(gateway.storage, transactions);
      expect(await shown()).toEqual(expected);
    }
  });

  test('leads to its proposer, if a transaction of the P-chain names that node', async () => {
    const stake = {
      name: 'a',
      chain: 'p' as const,
      txType: 'AddValidatorTx',
      to: [],
      from: [],
      blockTimestamp: 7,
    };
    await importTransfers(gateway.storage, [{ ...stake, nodeId: proposerNodeId }]);
    await importRows(gateway.storage, 'fuji.x-chain.blocks', [whole]);
    expect(await shown()).toEqual({ ...expected, proposer: { nodeId: proposerNodeId } });
  });

  test('is written once: the same file again changes nothing', async () => {
    const versions = async () => {
      await importRows(gateway.storage, 'fuji.x-chain.blocks', [whole, rowOf(6), rowOf(6)]);
      return (await poolOf(gateway.storage).query('SELECT number, xmin, ctid FROM block ORDER BY number'))
        .rows;
    };
    const once = await versions();
    expect(once).toHaveLength(2);
    expect(await versions()).toEqual(once);
  });
});

describe('the blocks of a chain', () => {
  const filters = fc.record({
    proposer: fc.constantFrom(null, null, ...nodes),
    startBlock: fc.option(fc.integer({ min: 0, max: 40 }), { nil: null }),
    endBlock: fc.option(fc.integer({ min: 0, max: 40 }), { nil: null }),
  });

  test('are listed newest first under any filters, for any page size and direction, while others are added', async () => {
    const stored = fc.uniqueArray(
      fc.record({ number: fc.integer({ min: 0, max: 40 }), proposer: fc.constantFrom(null, ...nodes) }),
      { selector: ({ number }) => number, maxLength: 30 },
    );
    await fc.assert(
      fc.asyncProperty(
        stored,
        filters,
        fc.record(paging(5)),
        async (all, { proposer, startBlock, endBlock }, walk) => {
          await clear();
          const rows = all.map((each) => rowOf(each.number, { proposerNodeId: each.proposer }));
          await importRows(gateway.storage, 'fuji.x-chain.blocks', rows);
          await importRows(gateway.storage, 'fuji.p-chain.blocks', [rowOf(3), rowOf(50)]);
          const expected = all
            .filter((each) => proposer === null || each.proposer === proposer)
            .filter(({ number }) => number >= (startBlock ?? 0) && number < (endBlock ?? 100))
            .sort((one, other) => other.number - one.number)
            .map(({ number }) => String(number));
          let added = 100;
          const given = { proposer, startBlock, endBlock };
          const named = Object.entries(given).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
          await expectGrowingList(
            gateway,
            {
              field: `blocks(network: fuji, blockchainId: "x-chain", ${named.join(', ')}`,
              key: 'number',
              expected,
              ...walk,
            },
            () =>
              importRows(gateway.storage, 'fuji.x-chain.blocks', [rowOf((added += 1)), rowOf(added % 41)]),
          );
        },
      ),
      { numRuns: 40 },
    );
  });

  test('refuse a proposer and a number that are none', async () => {
    for (const [given, message] of [
      ['proposer: "NodeID-1"', /^proposer: "NodeID-1" is not a node id/],
      ['endBlock: "1.5"', /^endBlock: "1.5" is not a block number/],
    ] as const) {
      const { errors } = await gateway.graphql(
        `{ blocks(network: fuji, blockchainId: "p-chain", ${given}) { nodes { number } } }`,
      );
      expect(errors?.[0]?.message).toMatch(message);
    }
  });
});
