import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp, type AppOptions, type TestApp } from '../harness/app.js';
import { poolOf } from '../harness/connections.js';
import { dumpAll } from '../harness/export.js';
import { createImportDatabase, runImport, type ImportDatabase } from '../harness/ingest.js';
import type { Filling } from '../harness/database.js';
import { realPaths } from '../harness/real-data.js';
import { saveReplies } from '../harness/saved-replies.js';
import { hasRealData } from '../harness/seed.js';
import { selectionOf } from '../harness/selection.js';
import { walkGraphQL } from '../harness/walk.js';

const MAX_COST = '1000000';

let database: ImportDatabase;
beforeAll(async () => {
  database = await createImportDatabase();
});
afterAll(() => database.close());

/** What a gateway replies, file by file: the tokens of pages are each installation's own. */
async function repliesOf(gateway: TestApp): Promise<string[][]> {
  const files = await saveReplies(gateway, database);
  return files.map((path) => [
    basename(path),
    readFileSync(path, 'utf8').replace(/"nextPageToken":"[^"]*",?/g, ''),
  ]);
}

/** A gateway, and one whose database was filled with what the other one replied. */
async function openBoth(options: AppOptions): Promise<{ old: TestApp; fresh: TestApp }> {
  const [old, fresh] = await Promise.all([createApp({ MAX_COST }, options), createApp({ MAX_COST })]);
  const { rejected, leftOut, lines } = await runImport(fresh.storage, await saveReplies(old, database));
  expect({ rejected, leftOut, lines }).toEqual({ rejected: 0, leftOut: 0, lines: [] });
  return { old, fresh };
}

/** Every row that a REST reply shows. */
async function dumpReplied({ storage }: Pick<TestApp, 'storage'>): Promise<Record<string, unknown[]>> {
  // Replies say no positions of transactions in blocks and of logs, which sort keys have, and no blocks of no
  // transaction.
  const dump = await dumpAll(storage, ['tie']);
  delete dump['block'];
  delete dump['evm_balance'];
  delete dump['nft_token'];
  // Replies have frames without their positions: see the order of each list.
  delete dump['internal_tx'];
  return dump;
}

describe('REST replies of the sample that were saved page by page and imported into an empty database', () => {
  let old: TestApp;
  let fresh: TestApp;
  beforeAll(async () => {
    ({ old, fresh } = await openBoth({ sample: true }));
  });
  afterAll(async () => {
    await old.close();
    await fresh?.close();
  });

  test('are all there is, row by row, and what is unknown is so again', async () => {
    const { rows } = await poolOf(old.storage).query<{ unknown: number }>(
      'SELECT count(*)::int AS unknown FROM transaction WHERE block_number IS NULL',
    );
    expect(rows[0]?.unknown).toBeGreaterThan(50);
    expect(await dumpReplied(fresh)).toEqual(await dumpReplied(old));
  });

  test('are answered again, list by list and word for word', async () => {
    const replies = await repliesOf(old);
    expect(replies.length).toBeGreaterThan(100);
    expect(await repliesOf(fresh)).toEqual(replies);
  });

  const onX = 'network: fuji, blockchainId: "x-chain"';
  test.each([
    [`utxos(${onX}, includeSpent: true`, `${selectionOf('Utxo')} consumingTransaction { block { number } }`],
    [`transactions(${onX}`, `${selectionOf('Transaction')} block { number hash timestamp }`],
    ['chains(network: fuji', selectionOf('Chain')],
  ])('make the same graph: %s)', async (field, selection) => {
    const walk = (gateway: TestApp) => walkGraphQL(gateway, field, selection, 100, 'forward', 'in variables');
    const rows = await walk(old);
    expect(rows.length).toBeGreaterThan(3);
    // Those of one block are in another order, where their positions are not known.
    const sorted = (given: object[]) =>
      field.startsWith('transactions') ? given.map((row) => JSON.stringify(row)).sort() : given;
    expect(sorted(await walk(fresh))).toEqual(sorted(rows));
  });
});

/** Without the outputs of the P-chain's genesis, which are all of one sort. */
const realPieces: Filling = {
  name: 'real_parts',
  fill: (storage) =>
    runImport(
      storage,
      realPaths(
        /^(mainnet\.[xc]-chain|mainnet\.p-chain\.(utxos|transactions)\.partial|mainnet\.icm|evm\.chains)\b/,
      ),
    ),
};

describe.skipIf(!hasRealData)('REST replies of real mainnet data that were saved and imported', () => {
  test('are all there is, row by row', async () => {
    const { old, fresh } = await openBoth({ filling: realPieces });
    try {
      expect(await dumpReplied(fresh)).toEqual(await dumpReplied(old));
    } finally {
      await old.close();
      await fresh.close();
    }
  });
});
