import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readArguments } from '../../../src/arguments/argument.js';
import { utxoListArguments } from '../../../src/resources/utxo/arguments.js';
import { utxoList } from '../../../src/resources/utxo/list.js';
import type { Storage } from '../../../src/storage/open.js';
import { createApp, type TestApp } from '../../harness/app.js';
import { touchedByReading } from '../../harness/buffers.js';
import { generateLedger } from '../../harness/generated-ledger.js';
import { transactionRow, utxoRow } from '../../harness/ledger-rows.js';
import { importRows } from '../../harness/seed.js';
import { countStatements } from '../../harness/statements.js';
import { poolOf } from '../../harness/connections.js';

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp();
  await poolOf(gateway.storage).query(
    `INSERT INTO vertex (network, vertex_hash, parent_hashes, height, index, timestamp, tx_count, size_bytes)
     SELECT network::network, 'v' || i, '{}', i, 0, i, 0, 0
     FROM (VALUES ('mainnet', 10001), ('fuji', 10000)) AS size(network, count), generate_series(1, count) i`,
  );
  await importRows(gateway.storage, 'mainnet.p-chain.transactions', [
    transactionRow('one', { emittedUtxos: ['a', 'b', 'c'].map((name) => utxoRow(name)) }),
    transactionRow('two', { consumedUtxos: [utxoRow('a')], txType: 'ExportTx' }),
  ]);
});
afterAll(() => gateway.close());

test('a list is counted up to 10,000, and says when it has more', async () => {
  const counts = 'totalCount totalCountIsExact';
  const { data } = await gateway.graphql(
    `{ large: vertices(network: mainnet, first: 1) { ${counts} } exact: vertices(network: fuji, first: 1) { ${counts} } }`,
  );
  expect(data).toEqual({
    large: { totalCount: 10_000, totalCountIsExact: false },
    exact: { totalCount: 10_000, totalCountIsExact: true },
  });
});

test('a list is counted once, and only where that is selected', async () => {
  const plain = await countStatements(() =>
    gateway.graphql('{ vertices(network: fuji) { nodes { vertexHash } } }'),
  );
  expect(plain.statements.filter((text) => text.includes('AS count'))).toHaveLength(0);
  const counted = await countStatements(() =>
    gateway.graphql('{ vertices(network: fuji) { totalCount totalCountIsExact nodes { vertexHash } } }'),
  );
  expect(counted.statements.filter((text) => text.includes('AS count'))).toHaveLength(1);
});

test('the lists of UTXOs and transactions, and those within transactions, are counted', async () => {
  const query = `{
    utxos(network: mainnet, blockchainId: "p-chain") { totalCount }
    spentToo: utxos(network: mainnet, blockchainId: "p-chain", includeSpent: true, minUtxoAmount: "1000") { totalCount }
    exports: transactions(network: mainnet, blockchainId: "p-chain", txType: ExportTx) { totalCount }
    transactions(network: mainnet, blockchainId: "p-chain") { totalCount nodes {
      txType consumedUtxos { totalCount } emittedUtxos(first: 1) { totalCount } } }
  }`;
  const { result, statements } = await countStatements(() => gateway.graphql(query));
  expect(result.data).toMatchObject({
    utxos: { totalCount: 2 },
    spentToo: { totalCount: 3 },
    exports: { totalCount: 1 },
    transactions: { totalCount: 2 },
  });
  const { nodes } = (result.data as { transactions: { nodes: Record<string, unknown>[] } }).transactions;
  expect(nodes.find(({ txType }) => txType === 'BaseTx')).toMatchObject({
    consumedUtxos: { totalCount: 0 },
    emittedUtxos: { totalCount: 3 },
  });
  expect(statements.filter((text) => text.includes('AS count'))).toHaveLength(6);
});

// It keeps a session: see vitest.config.ts.
describe.skipIf(process.env['TEST_POOLER'])('counting is bounded', () => {
  /** Outputs of each of three addresses; each has fewer than a list is counted up to, all of them more. */
  const EACH = 9000;
  let ledger: TestApp;
  let addresses: string[];
  beforeAll(async () => {
    ledger = await createApp({ MAX_ALIASES: '42' });
    addresses = await generateLedger(poolOf(ledger.storage), { outputs: 30_000, hot: [EACH, EACH, EACH] });
  });
  afterAll(() => ledger?.close());

  const list = 'network: mainnet, blockchainId: "p-chain", includeSpent: true';
  const counts = '{ totalCount totalCountIsExact }';

  test('for all addresses of a list together, both in what is read and in what is returned', async () => {
    const query = `query ($one: [String!], $all: [String!]) {
      one: utxos(${list}, addresses: $one) ${counts} all: utxos(${list}, addresses: $all) ${counts} }`;
    const { data } = await ledger.graphql(query, { one: addresses.slice(0, 1), all: addresses });
    expect(data).toEqual({
      one: { totalCount: EACH, totalCountIsExact: true },
      all: { totalCount: 10_000, totalCountIsExact: false },
    });
    const given = { network: 'mainnet', blockchainId: 'p-chain', includeSpent: true };
    const counted = readArguments(utxoListArguments, given, { addresses });
    const touched = async (limit: number) => {
      const count = (storage: Storage) => utxoList.count(storage, counted, limit);
      return (await touchedByReading(ledger.storage, count, 'generic')).buffers;
    };
    // 27,000 entries in all.
    expect(await touched(10_001)).toBeLessThan((await touched(100_000)) / 2);
  });

  test('for an operation: its lists are counted as far as its 400,000 rows reach, and say so', async () => {
    const aliases = Array.from({ length: 42 }, (_, index) => `a${index}: utxos(${list}, first: 1) ${counts}`);
    // Once as a new document, and once as one that was seen before.
    for (let round = 0; round < 2; round += 1) {
      const { data } = await ledger.graphql(`{ ${aliases.join(' ')} }`);
      const found = Object.values(data) as { totalCount: number; totalCountIsExact: boolean }[];
      expect(found.filter(({ totalCountIsExact }) => totalCountIsExact)).toEqual([]);
      // Counting to 10,000 reads one row more, to see whether it exists.
      expect(found.map(({ totalCount }) => totalCount).sort((a, b) => b - a)).toEqual([
        ...Array.from({ length: 39 }, () => 10_000),
        400_000 - 39 * 10_001,
        0,
        0,
      ]);
    }
  });

  test('by its price: a hundred counts are too many', async () => {
    const query = `{ transactions(network: mainnet, blockchainId: "p-chain", first: 100) { nodes { emittedUtxos ${counts} } } }`;
    const { errors } = await ledger.graphql(query);
    // 2 fields, and a hundred times the list, a hundred for counting it, and 1 for whether that is exact.
    expect(errors?.[0]?.message).toContain('costs 10202; at most 10000 are allowed');
  });
});
