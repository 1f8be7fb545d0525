import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportFiles, type ExportResult } from '../../src/export/export-files.js';
import { readSelection, type SelectionOptions } from '../../src/export/selection.js';
import { openTarget } from '../../src/export/target.js';
import { exportKinds, pagedTables } from '../../src/resources.js';
import type { Progress } from '../../src/ingest/progress.js';
import type { Storage } from '../../src/storage/open.js';
import { dumpLedger, hashOfRows } from './ingest.js';
import { poolOf } from './connections.js';

export interface RunExportOptions extends SelectionOptions {
  packed?: boolean;
  signal?: AbortSignal;
  showProgress?: (rows: number) => Progress;
}

const silent: Progress = { advance: () => undefined, print: () => undefined, stop: () => undefined };

/** Exports as the command does, in this process. */
export async function runExport(
  storage: Storage,
  folder: string,
  {
    packed = false,
    signal = new AbortController().signal,
    showProgress = () => silent,
    ...selection
  }: RunExportOptions = {},
): Promise<ExportResult> {
  const target = await openTarget(folder, false);
  try {
    return await exportFiles(storage, target, readSelection(selection, exportKinds), {
      packed,
      signal,
      pagedTables,
      showProgress,
    });
  } finally {
    await target.discard();
  }
}

/** A folder for exports, and the files in one inside it, in the order of a shell. */
export function exportDatabase() {
  const folder = mkdtempSync(join(tmpdir(), 'moraine-export-'));
  return {
    path: (name: string) => join(folder, name),
    list: (name: string) =>
      readdirSync(join(folder, name))
        .sort()
        .map((file) => join(folder, name, file)),
    drop: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The NFTs that somebody requested to reindex, and when, which belong to the installation: see `dumpAll`. */
export async function reindexHours(storage: Storage): Promise<unknown[]> {
  const { rows } = await poolOf(storage).query(
    `SELECT evm_chain_id || ' ' || encode(address, 'hex') || ' ' || token_id AS token, reindex_requested_at::text AS hour
     FROM nft_token WHERE reindex_requested_at IS NOT NULL ORDER BY 1`,
  );
  return rows;
}

/**
 * All rows of the tables that imports write, without the parts that differ between databases.
 *
 * @param unsaid columns that are left out
 */
export async function dumpAll(
  storage: Storage,
  unsaid: readonly string[] = [],
): Promise<Record<string, unknown[]>> {
  const tell = (rows: string) =>
    hashOfRows(`SELECT row - '{${unsaid.join(',')}}'::text[] AS row FROM (${rows}) r`);
  const dump = await dumpLedger(storage, tell);
  // Addresses that no longer own anything are in no list.
  delete dump['address'];
  const queries = {
    block: `SELECT to_jsonb(b) AS row FROM block b`,
    vertex: `SELECT to_jsonb(v) - 'id' AS row FROM vertex v`,
    vertex_transaction: `SELECT to_jsonb(l) - 'vertex_id' || jsonb_build_object('vertex', v.vertex_hash) AS row
      FROM vertex_transaction l JOIN vertex v ON v.id = l.vertex_id`,
    internal_tx: `SELECT to_jsonb(i) - 'id' AS row FROM internal_tx i`,
    icm_message: `SELECT to_jsonb(m) - '{id,source_id,destination_id}'::text[] || jsonb_build_object(
        'source', to_jsonb(s) - 'id', 'destination', to_jsonb(d) - 'id') AS row
      FROM icm_message m JOIN icm_chain s ON s.id = m.source_id JOIN icm_chain d ON d.id = m.destination_id`,
    chain: `SELECT to_jsonb(c) - 'id' AS row FROM chain c`,
    evm_balance: `SELECT to_jsonb(b) - '{holding_id,address_id}'::text[] || jsonb_build_object(
        'holding', to_jsonb(h) - 'id', 'address', a.checksummed) AS row
      FROM evm_balance b JOIN evm_holding h ON h.id = b.holding_id JOIN evm_address a ON a.id = b.address_id`,
    subnet_metric: `SELECT to_jsonb(s) AS row FROM subnet_metric s`,
    nft_token: `SELECT to_jsonb(n) - '{id,job_id,job_attempt,job_lease_until,reindex_requested_at}'::text[] AS row
      FROM nft_token n`,
  };
  for (const [table, query] of Object.entries(queries)) {
    const { rows } = await poolOf(storage).query<{ row: string }>(tell(query));
    dump[table] = rows.map(({ row }) => row);
  }
  return dump;
}

/** A row of an exported file. */
export type Row = Record<string, string | number | undefined>;

const seconds = (field: string) => (row: Row) => [Number(row[field] ?? 0)];
const dayOf = ({ date }: Row) => [Date.parse(String(date)) / 1000];
/** The time of a row's event, for each kind that a range of time narrows. */
export const timesOf = {
  utxos: (row: Row) => [
    ...seconds('blockTimestamp')(row),
    ...(row['consumingTxHash'] === undefined ? [] : seconds('consumingBlockTimestamp')(row)),
  ],
  transactions: seconds('blockTimestamp'),
  blocks: seconds('blockTimestamp'),
  vertices: seconds('vertexTimestamp'),
  'icm-messages': ({ sourceTransaction, destinationTransaction }: Row) =>
    seconds('timestamp')((sourceTransaction ?? destinationTransaction ?? {}) as unknown as Row),
  'internal-transactions': seconds('blockTimestamp'),
  'native-balances': dayOf,
  'erc20-balances': dayOf,
  'nft-holdings': dayOf,
  'subnet-metrics': seconds('timestamp'),
};
