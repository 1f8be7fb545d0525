import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { derivedFromUtxos } from '../../../src/resources/utxo/import-derived.js';
import type { OwnedUtxo, StoredUtxo } from '../../../src/resources/utxo/import-owners.js';
import { utxoDerivation } from '../../../src/resources/utxo/import-stored.js';
import { writeDerivedFromUtxos } from '../../../src/resources/utxo/write.js';
import type { Batch } from '../../../src/storage/session.js';
import { batchLimits } from '../../../src/write/batch.js';
import { rebuild } from '../../../src/write/derived/rebuild.js';
import type { Change } from '../../../src/write/derived/table.js';
import { inWriteTransaction } from '../../../src/write/transaction.js';
import { anyOutput } from '../../harness/any-output.js';
import { poolOf } from '../../harness/connections.js';
import { expectDerived } from '../../harness/derived-model.js';
import { createImportDatabase, runImport, type ImportDatabase } from '../../harness/ingest.js';
import { idOf, utxoRow } from '../../harness/ledger-rows.js';

let database: ImportDatabase;
beforeAll(async () => {
  database = await createImportDatabase();
});
afterAll(() => database.close());

const clear = () =>
  poolOf(database.storage).query(
    `TRUNCATE utxo, utxo_owner, address_balance, address_holding, holding_output, address_day, transaction, address, asset
     CASCADE`,
  );

const lock = fc.constantFrom(0, 1_700_000_000, 2 ** 33);
const row = anyOutput({
  threshold: fc.constantFrom(1, 2),
  blockTimestamp: fc.constantFrom(0, 86_399, 1_700_000_000),
  platformLocktime: lock,
  stakeableLocktime: lock,
  consumingTxHash: fc.constantFrom(idOf('taker')),
  staked: fc.boolean(),
});

/** Outputs are imported, or of those that are stored some (by place) are taken back or unspent. */
const step = fc.oneof(
  fc.record({ imported: fc.array(row, { maxLength: 8 }) }),
  fc.record({
    undone: fc.array(fc.constantFrom('keep', 'take back', 'unspend'), { minLength: 5, maxLength: 5 }),
  }),
);

let files = 0;

async function importRows(rows: readonly object[]): Promise<void> {
  const path = database.write(`mainnet.p-chain.utxos.${(files += 1)}.ndjson`, rows);
  await runImport(database.storage, [path], { limits: { rows: 3, bytes: 1e9 } });
}

function undoneChanges(items: readonly OwnedUtxo[], undone: readonly string[]): Change<StoredUtxo>[] {
  return items.flatMap((item, index) => {
    if (undone[index] === 'take back') return { before: item, after: null };
    if (undone[index] !== 'unspend') return [];
    const record = { ...item.record, consuming_tx_hash: null };
    return { before: item, after: { ...item, record } };
  });
}

/** As a source of rows does whose last blocks were replaced by others. */
async function undo(undone: readonly string[]): Promise<void> {
  await database.storage.session((session) =>
    inWriteTransaction(session, ['mainnet'], async (batch) => {
      const { items } = await utxoDerivation.read(batch, '0', { ...batchLimits, rows: 5 });
      const changes = undoneChanges(items, undone);
      await writeDerivedFromUtxos(batch, 'mainnet', changes);
      const idsOf = (gone: boolean) =>
        changes.filter(({ after }) => (after === null) === gone).map(({ before }) => before?.id);
      await batch.query('DELETE FROM utxo WHERE id = ANY($1)', [idsOf(true)]);
      await batch.query('UPDATE utxo SET consuming_tx_hash = NULL WHERE id = ANY($1)', [idsOf(false)]);
    }),
  );
}

test('derived tables are what outputs add up to, whatever is imported, corrected, unspent and taken back', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
      await clear();
      for (const each of steps) {
        if ('imported' in each) await importRows(each.imported);
        else await undo(each.undone);
        await expectDerived(database.storage);
      }
      const names = derivedFromUtxos.map(({ name }) => name);
      const found = await database.storage.session((session) =>
        rebuild(session, utxoDerivation, { names, check: true, advance: () => undefined }),
      );
      expect(found.filter(({ wrong, extra }) => wrong + extra > 0)).toEqual([]);
    }),
    { numRuns: 40 },
  );
});

/** All stored outputs, as a rebuild reads them. */
async function readPages(batch: Batch): Promise<OwnedUtxo[][]> {
  const pages: OwnedUtxo[][] = [];
  for (let after: string | null = '0'; after !== null;) {
    const page: Awaited<ReturnType<typeof utxoDerivation.read>> = await utxoDerivation.read(
      ...([batch, after, batchLimits] as const),
    );
    pages.push(page.items);
    after = page.last;
  }
  return pages;
}

test('a rebuild has few large outputs in memory at a time, and passes every one', async () => {
  await clear();
  await importRows(Array.from({ length: 30 }, (_, index) => utxoRow(`large ${index}`)));
  // As large as the encoded output of a transaction can be.
  await poolOf(database.storage).query(
    `UPDATE utxo SET utxo_bytes = decode(repeat('ab', 256 * 1024), 'hex')`,
  );
  const pages = await database.storage.session((session) =>
    inWriteTransaction(session, ['mainnet'], readPages),
  );
  const bytesOf = (items: readonly OwnedUtxo[]) =>
    items.slice(0, -1).reduce((sum, { record }) => sum + (record.utxo_bytes ?? '').length, 0);
  for (const items of pages) expect(bytesOf(items)).toBeLessThanOrEqual(batchLimits.bytes);
  const ids = pages.flat().map(({ id }) => Number(id));
  expect(ids).toHaveLength(30);
  expect(ids).toEqual([...ids].sort((a, b) => a - b));
});
