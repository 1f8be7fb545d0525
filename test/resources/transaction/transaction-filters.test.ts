import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createApp, type TestApp } from '../../harness/app.js';
import { poolOf } from '../../harness/connections.js';
import {
  historyArguments,
  historyOf,
  historyQuery,
  importTransfers,
  namedIds,
  nodes,
  owners,
  transfer,
  transfers,
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

/** Any filters of the transactions of a chain, and any way to iterate them. */
const chainQuery = fc
  .tuple(historyQuery, namedIds)
  .map(([query, ids]) => ({ ...query, ...ids, chain: query.chain ?? ('p' as const) }));

const [NODE = ''] = nodes;

describe('the transactions of a chain', () => {
  test('agree with a naive look at all of them for any filters, page size and direction', async () => {
    await fc.assert(
      fc.asyncProperty(
        transfers,
        fc.array(chainQuery, { minLength: 6, maxLength: 12 }),
        async (all, queries) => {
          await clear();
          await importTransfers(gateway.storage, all);
          for (const query of queries)
            await expectList(gateway, {
              field: `transactions(network: fuji, ${historyArguments(query)}`,
              key: 'txHash',
              expected: historyOf(all, null, query),
              ...query,
            });
        },
      ),
      { numRuns: 25 },
    );
  });

  test('are each seen once while others are added between the pages', async () => {
    const added = fc.array(transfer(''), { minLength: 1, maxLength: 3 });
    let number = 0;
    await fc.assert(
      fc.asyncProperty(transfers, chainQuery, added, async (all, query, added) => {
        await clear();
        await importTransfers(gateway.storage, all);
        await expectList(gateway, {
          field: `transactions(network: fuji, ${historyArguments(query)}`,
          key: 'txHash',
          expected: historyOf(all, null, query),
          ...query,
          between: () =>
            importTransfers(
              gateway.storage,
              added.map((each) => ({ ...each, name: `added ${(number += 1)}` })),
            ),
        });
      }),
      { numRuns: 15 },
    );
  });

  test('are the same in a document that was seen before, of the chain and of an address', async () => {
    const query = fc.record({ filters: chainQuery, owner: fc.constantFrom(...owners) });
    await fc.assert(
      fc.asyncProperty(transfers, fc.array(query, { minLength: 6, maxLength: 6 }), async (all, queries) => {
        await clear();
        await importTransfers(gateway.storage, all);
        for (const { filters, owner } of queries) {
          const { nodeId, subnetId, ...others } = filters;
          // An empty list matches nothing, and is for the plain executor.
          if (filters.txTypes?.length === 0) continue;
          const page = `first: ${filters.pageSize}) { nodes { txHash } pageInfo { hasNextPage } }`;
          const document = `{
              chain: transactions(network: fuji, ${historyArguments({ ...others, nodeId, subnetId })}, ${page}
              address(network: fuji, address: "${owner}") { transactions(${historyArguments(others)}, ${page} } }`;
          const asked = [];
          for (let times = 0; times < 2; times += 1)
            asked.push(await countStatements(() => gateway.graphql(document)));
          const [plain, prepared] = asked;
          expect(plain?.result.errors).toBeUndefined();
          expect(prepared?.result.data).toEqual(plain?.result.data);
          expect(prepared?.names.map((name) => name.split(':')[0])).toEqual(['operation', 'operation']);
        }
      }),
      { numRuns: 10 },
    );
  });

  test('are one statement and one for their count, whatever is filtered by and however large the page', async () => {
    const filters = `txTypes: [BaseTx, ImportTx], nodeId: "${NODE}", subnetId: "${idOf('subnet')}", since: 0, startBlock: 0`;
    for (const size of [1, 100]) {
      const { result, statements } = await countStatements(() =>
        gateway.graphql(
          `{ transactions(network: fuji, blockchainId: "p-chain", ${filters}, first: ${size}) { totalCount nodes { txHash } } }`,
        ),
      );
      expect(result.errors).toBeUndefined();
      expect(statements).toHaveLength(2);
    }
  });

  test.each([
    [
      'blockchainId: "p-chain", txTypes: [BaseTx], txType: BaseTx',
      /^txType and txTypes cannot be given together/,
    ],
    ['blockchainId: "p-chain", nodeId: "NodeID-1"', /^nodeId: "NodeID-1" is not a node id/],
    ['blockchainId: "p-chain", nodeId: "7Y3kysjF9jnHnYkdS9yGAuoHyae2eNmeV"', /^nodeId: .* is not a node id/],
    ['blockchainId: "p-chain", subnetId: "none"', /^subnetId: "none" is not an id/],
    ['blockchainId: "p-chain", startBlock: 1.5', /^startBlock: "1.5" is not a block number/],
    [`addresses: ["${owners[0]}"], endBlock: 1`, /^endBlock: requires blockchainId/],
    [
      `blockchainId: "p-chain", addresses: ["${owners[0]}"], nodeId: "${NODE}"`,
      /^nodeId: cannot be given together with addresses; filters that can are txType, txTypes, since/,
    ],
    [
      `blockchainId: "p-chain", addresses: ["${owners[0]}"], subnetId: "${idOf('subnet')}"`,
      /^subnetId: cannot be given together with addresses/,
    ],
  ])('are refused with %s', async (given, message) => {
    const { data, errors } = await gateway.graphql(
      `{ transactions(network: fuji, ${given}) { totalCount } }`,
    );
    expect(data).toEqual({ transactions: null });
    expect(errors?.[0]?.message).toMatch(message);
    expect(errors?.[0]?.extensions['code']).toBe('BAD_USER_INPUT');
  });

  test('of an address have no filters by what transactions name', async () => {
    const { errors } = await gateway.graphql(
      `{ address(network: fuji, address: "${owners[0]}") { transactions(nodeId: "${NODE}") { totalCount } } }`,
    );
    expect(errors?.[0]?.message).toMatch(/^Unknown argument "nodeId"/);
  });
});
