import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { examples } from '../../../sample/examples.js';
import { createApp, type TestApp } from '../../harness/app.js';
import { newestFirst, readSample } from '../../harness/sample.js';
import { countStatements } from '../../harness/statements.js';
import { walkGraphQL } from '../../harness/walk.js';

let gateway: TestApp;
beforeAll(async () => {
  // Two pages of a hundred in a hundred rows cost more than clients may use at once.
  gateway = await createApp({ MAX_COST: '1000000' }, { sample: true });
});
afterAll(() => gateway.close());

interface Transaction {
  txHash: string;
  txType: string;
  blockTimestamp: number;
  blockNumber?: string;
  position?: number;
}

const sample = readSample();
const transactionsOf = (chain: string) => sample.transactionsOf(chain as 'p') as unknown as Transaction[];

describe('a list of transactions', () => {
  test('is newest first, by time, block and position in the block, then by txHash, for each chain, type and direction', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('p', 'x', 'c'),
        fc.option(fc.constantFrom('ImportTx', 'ExportTx', 'BaseTx', 'CreateSubnetTx'), { nil: null }),
        fc.integer({ min: 20, max: 100 }),
        fc.constantFrom('forward', 'backward'),
        async (chain, txType, pageSize, direction) => {
          const expected = transactionsOf(chain)
            .filter((each) => txType === null || each.txType === txType)
            .sort(newestFirst);
          const field = `transactions(network: fuji, blockchainId: "${chain}-chain", txType: ${txType}`;
          const rows = await walkGraphQL(gateway, field, 'txHash', pageSize, direction);
          expect(rows.map((row) => row['txHash'])).toEqual(expected.map((each) => each.txHash));
        },
      ),
      { numRuns: 20 },
    );
  });
});

describe("a transaction's outputs", () => {
  test('page both ways in their own order', async () => {
    const largest = [...transactionsOf('x')].sort(
      (a, b) => emitted(b).length - emitted(a).length,
    )[0] as Transaction;
    const expected = emitted(largest).map((each) => each.utxoId);
    expect(expected.length).toBeGreaterThan(10);
    for (const direction of ['forward', 'backward'] as const) {
      const seen: string[] = [];
      let cursor = 'null';
      for (;;) {
        const paging = direction === 'forward' ? `first: 7, after: ${cursor}` : `last: 7, before: ${cursor}`;
        const { data } = await gateway.graphql<{ transaction: { emittedUtxos: Page } }>(
          `{ transaction(network: fuji, blockchainId: "x-chain", txHash: "${largest.txHash}") {
               emittedUtxos(${paging}) { nodes { utxoId } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } }`,
        );
        const { nodes, pageInfo } = data.transaction.emittedUtxos;
        const page = nodes.map((node) => node.utxoId);
        if (direction === 'forward') seen.push(...page);
        else seen.unshift(...page);
        if (!(direction === 'forward' ? pageInfo.hasNextPage : pageInfo.hasPreviousPage)) break;
        cursor = JSON.stringify(direction === 'forward' ? pageInfo.endCursor : pageInfo.startCursor);
      }
      expect(seen).toEqual(expected);
    }
  });

  test('are read complete by REST and at most a page by clients', async () => {
    const largest = [...transactionsOf('x')].sort(
      (a, b) => emitted(b).length - emitted(a).length,
    )[0] as Transaction;
    const { body } = await gateway.get(
      `/v1/networks/fuji/blockchains/x-chain/transactions/${largest.txHash}`,
    );
    expect(body.emittedUtxos.length).toBe(emitted(largest).length);
    const { data } = await gateway.graphql<{ transaction: { emittedUtxos: Page } }>(
      `{ transaction(network: fuji, blockchainId: "x-chain", txHash: "${largest.txHash}") { emittedUtxos { nodes { utxoId } } } }`,
    );
    expect(data.transaction.emittedUtxos.nodes.length).toBe(10);
  });

  test('lead from an output to the transactions that made and spent it, and back', async () => {
    const { data } = await gateway.graphql<{ utxos: { nodes: Linked[] } }>(
      `{ utxos(network: fuji, blockchainId: "p-chain", addresses: ["${examples.busyAddress}"], includeSpent: true, sortOrder: asc, first: 100) {
           nodes { utxoId consumingTxHash
             creatingTransaction { txHash emittedUtxos(first: 100) { nodes { utxoId } } }
             consumingTransaction { txHash consumedUtxos(first: 100) { nodes { utxoId } } } } } }`,
    );
    const { nodes } = data.utxos;
    expect(nodes.length).toBeGreaterThan(20);
    for (const node of nodes) {
      if (node.creatingTransaction) {
        expect(node.creatingTransaction.emittedUtxos.nodes.map((each) => each.utxoId)).toContain(node.utxoId);
      }
      expect(node.consumingTransaction?.txHash ?? null).toBe(node.consumingTxHash);
      if (node.consumingTransaction) {
        expect(node.consumingTransaction.consumedUtxos.nodes.map((each) => each.utxoId)).toContain(
          node.utxoId,
        );
      }
    }
    expect(
      nodes.some((node) => node.creatingTransaction) && nodes.some((node) => node.consumingTransaction),
    ).toBe(true);
  });
});

describe('the number of SQL statements', () => {
  const page = (first: number) =>
    `utxos(network: fuji, blockchainId: "p-chain", includeSpent: true, sortOrder: asc, first: ${first})`;
  const list = (first: number) => `transactions(network: fuji, blockchainId: "p-chain", first: ${first})`;
  test.each([
    ['a page of UTXOs', (first: number) => `{ ${page(first)} { nodes { utxoId asset { name } } } }`, 1],
    [
      'a page of UTXOs with their transactions',
      (first: number) =>
        `{ ${page(first)} { nodes { creatingTransaction { txHash } consumingTransaction { txHash } } } }`,
      3,
    ],
    ['transactions with their UTXOs', (first: number) => `{ ${list(first)} { nodes { ${bothLists} } } }`, 3],
    [
      'transactions with their UTXOs and what spent those',
      (first: number) =>
        `{ ${list(first)} { nodes { emittedUtxos { nodes { consumingTransaction { txHash } } } } } }`,
      3,
    ],
  ])('of %s does not grow with the page', async (_title, query, expected) => {
    for (const first of [1, 25, 100]) {
      const { result, statements } = await countStatements(() => gateway.graphql(query(first)));
      expect(result.errors).toBeUndefined();
      // A page without spent outputs reads no consumer.
      expect(statements.length).toBeLessThanOrEqual(expected);
      if (first === 100) expect(statements.length).toBe(expected);
    }
  });

  test('of a transaction with its UTXOs over REST is one, of a page of UTXOs too', async () => {
    const path = `/v1/networks/fuji/blockchains/p-chain/transactions/${transactionsOf('p')[0]?.txHash}`;
    const one = await countStatements(() => gateway.get(path));
    expect([one.result.status, one.statements.length]).toEqual([200, 1]);
    const many = await countStatements(() =>
      gateway.get('/v1/networks/fuji/blockchains/p-chain/utxos?pageSize=100'),
    );
    expect([many.result.status, many.statements.length]).toEqual([200, 1]);
  });

  test('of many objects by their global ids is one for each type', async () => {
    const { data } = await gateway.graphql<Record<string, { nodes: { id: string }[] }>>(
      `{ u: ${page(20)} { nodes { id } } t: ${list(20)} { nodes { id } } }`,
    );
    const ids = Object.values(data).flatMap(({ nodes }) => nodes.map((node) => node.id));
    const { result, statements } = await countStatements(() =>
      gateway.graphql<{ nodes: { id: string }[] }>('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', {
        ids,
      }),
    );
    expect(result.data.nodes.map((node) => node.id)).toEqual(ids);
    expect(statements.length).toBe(2);
  });
});

const bothLists = 'consumedUtxos { nodes { utxoId } } emittedUtxos { nodes { utxoId } }';

interface Page {
  nodes: { utxoId: string }[];
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string; endCursor: string };
}

interface Linked {
  utxoId: string;
  consumingTxHash: string | null;
  creatingTransaction: { txHash: string; emittedUtxos: Page } | null;
  consumingTransaction: { txHash: string; consumedUtxos: Page } | null;
}

function emitted(transaction: Transaction): { utxoId: string }[] {
  return (transaction as unknown as { emittedUtxos: { utxoId: string }[] }).emittedUtxos;
}
