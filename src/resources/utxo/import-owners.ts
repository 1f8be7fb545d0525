import type { Batch } from '../../storage/session.js';
import type { Network, PrimaryChain } from '../../avalanche/networks.js';
import type { CopyValue } from '../../storage/copy.js';
import { upsertRows } from '../../ingest/upsert.js';
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

/** Adds the owner rows of new outputs. */
export async function writeNewOwners(
  client: Batch,
  network: Network,
  assetIds: ReadonlyMap<string, string>,
  utxos: readonly OwnedUtxo[],
): Promise<void> {
  const addressIds = await writeAddresses(client, network, utxos);
  await client.copy(table.name, Object.keys(table.columns), ownerRows(utxos, addressIds, assetIds));
}

/** Makes the owner rows of changed outputs what they must be now. */
export async function writeChangedOwners(
  client: Batch,
  network: Network,
  assetIds: ReadonlyMap<string, string>,
  utxos: readonly OwnedUtxo[],
): Promise<void> {
  const addressIds = await writeAddresses(client, network, utxos);
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
    const state = [
      assetIds.get(record.asset_id) ?? null,
      isSpent(record),
      record.block_timestamp ?? '0',
      record.amount,
      record.tie,
    ];
    for (const owner of listedUnder(record)) {
      for (const chain of chainsOf(record)) {
        yield [id, addressIds.get(owner) ?? null, chain, ...state];
      }
    }
  }
}

/** The addresses that own an output, each once. */
export function ownersOf({ addresses }: UtxoRecord): Set<string> {
  return new Set(addresses.slice(1, -1).split(',').filter(Boolean));
}

/** The chains whose lists show an output, each once. */
export function chainsOf({ created_on: created, consumed_on: consumed }: UtxoRecord): Set<PrimaryChain> {
  return new Set([created, consumed]);
}

// The empty address stands for "every output of the network": see the model Address.
function listedUnder(record: UtxoRecord): Set<string> {
  return ownersOf(record).add('');
}

async function writeAddresses(
  client: Batch,
  network: Network,
  utxos: readonly OwnedUtxo[],
): Promise<Map<string, string>> {
  const wanted = new Set<string>();
  for (const { record } of utxos) for (const owner of listedUnder(record)) wanted.add(owner);
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
