import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nativeAssetIds } from '../../src/avalanche/networks.js';
import { anyOutput, outputOwners as owners } from '../harness/any-output.js';
import { poolOf } from '../harness/connections.js';
import { createImportDatabase, rowVersions, runImport, type ImportDatabase } from '../harness/ingest.js';
import { idOf, transactionRow, utxoRow } from '../harness/ledger-rows.js';

let database: ImportDatabase;
beforeAll(async () => {
  database = await createImportDatabase();
});
afterAll(() => database.close());

const clear = () =>
  poolOf(database.storage).query(
    'TRUNCATE utxo, utxo_owner, address_balance, address_day, transaction, address, asset CASCADE',
  );

const DAY = 86_400;
const LAST_DAY = 2_147_483_647n;
const moment = fc.constantFrom(0, DAY - 1, DAY, 1_700_000_000, 1_700_100_000, 90_000_000_000);
const row = anyOutput({
  blockTimestamp: moment,
  consumingTxHash: fc.constantFrom(idOf('taker'), idOf('another taker')),
  consumingBlockTimestamp: moment,
  staked: fc.boolean(),
});

interface Stored {
  addresses: string[];
  asset: string;
  amount: string;
  staked: boolean | null;
  created: string | null;
  consumer: string | null;
  consumed: string | null;
}

/** Days by looking at every output that is stored. */
async function daysOfOutputs(): Promise<string[]> {
  const { rows } = await poolOf(database.storage).query<Stored>(
    `SELECT u.addresses, a.asset_id AS asset, u.amount::text, u.staked, u.block_timestamp::text AS created,
       u.consuming_tx_hash AS consumer, u.consuming_block_timestamp::text AS consumed
     FROM utxo u JOIN asset a ON a.id = u.asset_row_id`,
  );
  const days = new Map<string, [received: bigint, sent: bigint]>();
  const dayOf = (seconds: string | null) => {
    const day = BigInt(seconds ?? 0) / BigInt(DAY);
    return day > LAST_DAY ? LAST_DAY : day;
  };
  for (const { addresses, asset, amount, staked, created, consumer, consumed } of rows)
    for (const owner of new Set(addresses)) {
      const at = (day: bigint) => {
        const key = `${owner} ${asset} ${day}`;
        const sums = days.get(key) ?? ([0n, 0n] as [bigint, bigint]);
        days.set(key, sums);
        return sums;
      };
      const made = dayOf(created);
      at(made)[0] += BigInt(amount);
      if (consumer === null || staked === true) continue;
      const gone = dayOf(consumed);
      at(gone > made ? gone : made)[1] += BigInt(amount);
    }
  return [...days]
    .filter(([, [received, sent]]) => received > 0n || sent > 0n)
    .map(([key, [received, sent]]) => `${key} ${received} ${sent}`)
    .sort();
}

async function storedDays(): Promise<string[]> {
  const { rows } = await poolOf(database.storage).query<{ row: string }>(
    `SELECT concat_ws(' ', o.address, a.asset_id, d.day, d.received, d.sent) AS row
     FROM address_day d JOIN address o ON o.id = d.address_id JOIN asset a ON a.id = d.asset_row_id`,
  );
  return rows.map((each) => each.row).sort();
}

let files = 0;
const write = (rows: readonly object[]) =>
  database.write(`mainnet.p-chain.utxos.${(files += 1)}.ndjson`, rows);

test('days are what the outputs add up to, whatever rows come, come again or correct earlier ones', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(row, { maxLength: 8 }), { maxLength: 5 }), async (imports) => {
      await clear();
      for (const rows of imports) {
        const result = await runImport(database.storage, [write(rows)], { limits: { rows: 3, bytes: 1e9 } });
        expect(result.rejected).toBe(0);
        expect(await storedDays()).toEqual(await daysOfOutputs());
      }
    }),
    { numRuns: 25 },
  );
});

test('a transaction that spends an output adds to the day of the spending', async () => {
  await clear();
  const output = utxoRow('spent', { addresses: [owners[0]], amount: '5', blockTimestamp: 1 });
  const consumed = { consumingTxHash: idOf('taker'), consumingBlockTimestamp: 3 * DAY };
  const change = { addresses: [owners[1]], amount: '4', txHash: idOf('taker'), blockTimestamp: 3 * DAY };
  const spender = transactionRow('taker', {
    consumedUtxos: [{ ...output, ...consumed }],
    emittedUtxos: [utxoRow('change', change)],
  });
  await runImport(database.storage, [write([output])]);
  await runImport(database.storage, [database.write('mainnet.p-chain.transactions.taker.ndjson', [spender])]);
  const asset = nativeAssetIds.mainnet;
  expect(await storedDays()).toEqual(
    [`${owners[0]} ${asset} 0 5 0`, `${owners[0]} ${asset} 3 0 5`, `${owners[1]} ${asset} 3 4 0`].sort(),
  );
});

test('rows that are stored already write no day', async () => {
  await clear();
  const rows = [utxoRow('kept', { addresses: owners, blockTimestamp: 5 })];
  await runImport(database.storage, [write(rows)]);
  const { address_day: before } = await rowVersions(database.storage);
  await runImport(database.storage, [write(rows)]);
  expect(before).toMatch(new RegExp(`^${owners.length} `));
  expect(await rowVersions(database.storage)).toMatchObject({ address_day: before });
});
