import type { Batch } from '../../storage/session.js';
import type { Network, PrimaryChain } from '../../avalanche/networks.js';
import type { CopyValue } from '../../storage/copy.js';
import { upsertRows } from '../../write/upsert.js';
import { isSpent } from './import-merge.js';
import type { UtxoRecord } from './import-row.js';

/** An output that has its row. */
export interface OwnedUtxo {
  id: string;
  record: UtxoRecord;
}

const table = {
  name: 'utxo_owner',
  columns: {
    utxo_row_id: 'bigint',
    address_id: 'bigint',
    chain: 'primary_chain',
    asset_row_id: 'integer',
    spent: 'boolean',
    time: 'numeric',
    amount: 'numeric',
    tie: 'bigint',
  },
  key: ['utxo_row_id', 'address_id', 'chain'],
} as const;

/** Adds the owner rows of new outputs, whose addresses must have theirs. */
export async function writeNewOwners(
  client: Batch,
  addressIds: ReadonlyMap<string, string>,
  assetIds: ReadonlyMap<string, string>,
  utxos: readonly OwnedUtxo[],
): Promise<void> {
  await client.copy(table.name, Object.keys(table.columns), ownerRows(utxos, addressIds, assetIds));
}

/** Corrects the owner rows of changed outputs. Their addresses must have rows. */
export async function writeChangedOwners(
  client: Batch,
  addressIds: ReadonlyMap<string, string>,
  assetIds: ReadonlyMap<string, string>,
  utxos: readonly OwnedUtxo[],
): Promise<void> {
  const rows = [...ownerRows(utxos, addressIds, assetIds)];
  await upsertRows(client, table, rows);
  await client.query(
    `DELETE FROM utxo_owner o WHERE o.utxo_row_id = ANY($1::bigint[]) AND NOT EXISTS (
       SELECT 1 FROM unnest($2::bigint[], $3::bigint[], $4::primary_chain[]) AS kept(utxo_row_id, address_id, chain)
       WHERE kept.utxo_row_id = o.utxo_row_id AND kept.address_id = o.address_id AND kept.chain = o.chain)`,
    [utxos.map(({ id }) => id), ...[0, 1, 2].map((place) => rows.map((row) => row[place]))],
  );
}

function* ownerRows(
  utxos: readonly OwnedUtxo[],
  addressIds: ReadonlyMap<string, string>,
  assetIds: ReadonlyMap<string, string>,
): Generator<CopyValue[]> {
  for (const { id, record } of utxos) {
    const asset = assetIds.get(record.asset_id) ?? null;
    const spent = isSpent(record);
    const time = record.block_timestamp ?? '0';
    for (const owner of listedUnder(record)) {
      const address = addressIds.get(owner) ?? null;
      for (const chain of chainsOf(record))
        yield [id, address, chain, asset, spent, time, record.amount, record.tie];
    }
  }
}

/** The addresses that own an output, each once. */
export function ownersOf({ addresses }: UtxoRecord): readonly string[] {
  const text = addresses.slice(1, -1);
  // Nearly every output has one.
  if (!text.includes(',')) return text === '' ? [] : [text];
  return [...new Set(text.split(','))];
}

/**
 * The row id of an address that owns, or owned, an output.
 *
 * @throws Error when the caller gave none: an internal error
 */
export function ownerId(addressIds: ReadonlyMap<string, string>, address: string): string {
  const id = addressIds.get(address);
  if (id === undefined) throw new Error(`no row of address ${address}`);
  return id;
}

/** The chains whose lists show an output, each once. */
export function chainsOf({
  created_on: created,
  consumed_on: consumed,
}: UtxoRecord): readonly PrimaryChain[] {
  return created === consumed ? [created] : [created, consumed];
}

// The empty address means "every output of the network": see the model Address.
function listedUnder(record: UtxoRecord): readonly string[] {
  return ['', ...ownersOf(record)];
}

/**
 * Stores the addresses under which outputs are listed, or were.
 *
 * @returns row ids by address
 */
export async function writeAddresses(
  client: Batch,
  network: Network,
  changes: readonly { before: UtxoRecord | null; after: UtxoRecord }[],
): Promise<Map<string, string>> {
  const wanted = new Set<string>();
  const records = changes.flatMap(({ before, after }) => (before ? [before, after] : [after]));
  if (records.length === 0) return new Map();
  for (const record of records) for (const owner of listedUnder(record)) wanted.add(owner);
  const find = {
    text: 'SELECT address, id::text FROM address WHERE network = $1 AND address = ANY($2)',
    rowMode: 'array',
  } as const;
  const { rows } = await client.query<[string, string]>({ ...find, values: [network, [...wanted]] });
  const ids = new Map(rows);
  const missing = [...wanted].filter((address) => !ids.has(address));
  if (missing.length === 0) return ids;
  const added = await client.query<[string, string]>({
    text: 'INSERT INTO address (network, address) SELECT $1, unnest($2::text[]) RETURNING address, id::text',
    values: [network, missing],
    rowMode: 'array',
  });
  for (const [address, id] of added.rows) ids.set(address, id);
  return ids;
}
