import { columnTypes } from '../../fields/column.js';
import { networks, type Network } from '../../avalanche/networks.js';
import { bareArrayText, type CopyValue } from '../../storage/copy.js';
import type { Batch } from '../../storage/session.js';
import type { Derivation } from '../../write/derived/table.js';
import { derivedFromUtxos } from './import-derived.js';
import { ownedUtxo, writeAddresses, type OwnedUtxo, type StoredUtxo } from './import-owners.js';
import { utxoFields } from './fields.js';
import type { UtxoRecord } from './import-row.js';

const columns = {
  network: 'network',
  ...columnTypes(utxoFields),
  asset_row_id: 'integer',
  amount: 'numeric',
  tie: 'bigint',
};
type Column = 'network' | 'asset_row_id' | keyof UtxoRecord;

/** The columns of an output without its row id, in the order of `valuesOf`. */
export const utxoColumns = Object.keys(columns) as Column[];
export const utxoTable = { name: 'utxo', columns, key: ['network', 'utxo_id'] } as const;

/** The values of an output's columns. */
export function valuesOf({ record, network, assetRowId }: StoredUtxo): CopyValue[] {
  return utxoColumns.map((name) => {
    if (name === 'network') return network;
    return name === 'asset_row_id' ? assetRowId : record[name];
  });
}

/** Outputs that are stored, by utxoId. */
export async function findUtxos(
  client: Batch,
  network: Network,
  utxoIds: string[],
): Promise<Map<string, StoredUtxo>> {
  const found = await readUtxos(client, 'WHERE u.network = $1 AND u.utxo_id = ANY($2::text[])', [
    network,
    bareArrayText(utxoIds),
  ]);
  return new Map(found.map((utxo) => [utxo.record.utxo_id, utxo]));
}

/** Outputs by their row ids. */
export const readUtxosById = (client: Batch, ids: readonly string[]): Promise<StoredUtxo[]> =>
  readUtxos(client, 'WHERE u.id = ANY($1::bigint[])', [ids]);

const recordColumns = utxoColumns.filter((name) => name !== 'network' && name !== 'asset_row_id');
const recordNames = ['asset_id', ...recordColumns];

async function readUtxos(client: Batch, which: string, values: unknown[]): Promise<StoredUtxo[]> {
  const { rows } = await client.query<
    [id: string, network: Network, assetRowId: string, ...(string | null)[]]
  >({
    text: `SELECT u.id::text, u.network, u.asset_row_id::text, a.asset_id,
             ${recordColumns.map((name) => `u.${name}::text`).join(', ')}
           FROM utxo u JOIN asset a ON a.id = u.asset_row_id ${which}`,
    values,
    rowMode: 'array',
  });
  return rows.map(([id, network, assetRowId, ...texts]) => {
    const record = Object.fromEntries(recordNames.map((name, index) => [name, texts[index]]));
    return { id, network, assetRowId, record: record as unknown as UtxoRecord };
  });
}

/** Bytes of an owner's address in memory. */
const ADDRESS_BYTES = 64;
/** The row ids of the next outputs. Bytes are those in memory, about: hex has two characters for each. */
const nextPage = `
  SELECT id FROM (
    SELECT id, sum(bytes) OVER (ORDER BY id) - bytes AS bytes_before FROM (
      SELECT id, 2 * coalesce(octet_length(utxo_bytes), 0) + ${ADDRESS_BYTES} * cardinality(addresses) AS bytes
      FROM utxo WHERE id > $1 ORDER BY id LIMIT $2) output) page
  WHERE bytes_before < $3`;

/** What is derived from outputs, and how the outputs are read again. */
export const utxoDerivation: Derivation<OwnedUtxo> = {
  source: 'utxo',
  tables: derivedFromUtxos,
  locks: networks,
  async read(client, after, { rows, bytes }) {
    const found = await readUtxos(client, `WHERE u.id IN (${nextPage}) ORDER BY u.id`, [after, rows, bytes]);
    const owned: OwnedUtxo[] = [];
    for (const network of networks) {
      const own = found.filter((utxo) => utxo.network === network);
      const addressIds = await writeAddresses(
        client,
        network,
        own.map(({ record }) => record),
      );
      for (const utxo of own) owned.push(ownedUtxo(utxo, addressIds));
    }
    return { items: owned, last: found.at(-1)?.id ?? null };
  },
};
