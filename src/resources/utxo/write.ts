import type { Batch } from '../../storage/session.js';
import type { Network } from '../../avalanche/networks.js';
import { bareArrayText, type CopyValue } from '../../storage/copy.js';
import { columnTypes } from '../../fields/column.js';
import { takeIds } from '../../write/ids.js';
import type { WriteScope } from '../../write/scope.js';
import { upsertRows } from '../../write/upsert.js';
import { correctHistories } from '../history/write.js';
import { writeAssets, type ImportAsset } from '../asset/write.js';
import { utxoFields } from './fields.js';
import { writeBalances } from './import-balances.js';
import { writeDays } from './import-days.js';
import { writeHoldings, type StoredChange } from './import-holdings.js';
import { mergeUtxo, sameUtxo } from './import-merge.js';
import { writeAddresses, writeNewOwners, writeChangedOwners, type OwnedUtxo } from './import-owners.js';
import type { ImportUtxo, UtxoRecord } from './import-row.js';

const columns = {
  network: 'network',
  ...columnTypes(utxoFields),
  asset_row_id: 'integer',
  amount: 'numeric',
  tie: 'bigint',
};
type Column = 'network' | 'asset_row_id' | keyof UtxoRecord;
const names = Object.keys(columns) as Column[];
const table = { name: 'utxo', columns, key: ['network', 'utxo_id'] } as const;

/** The tables that writeUtxos writes. */
export const utxoTables = [
  'utxo',
  'utxo_owner',
  'address',
  'address_balance',
  'address_holding',
  'holding_output',
  'address_day',
  'address_transaction',
  'asset',
] as const;

/** Those of them whose rows imports find only by unique keys. */
export const utxoTablesIndexedLate = ['utxo_owner', 'address_balance'] as const;

/** What writeUtxos did. */
export interface WrittenUtxos {
  /** Row ids by utxoId, of all that were given. */
  ids: Map<string, string>;
  /** The utxoIds of outputs that were added or changed. */
  changed: Set<string>;
}

/** What all outputs of one write share. */
type UtxoScope = WriteScope & { network: Network };

/**
 * Stores outputs: adds the new ones, merges new values into the others and writes those that differ. Must run under the
 * network's import lock: it reads, merges and writes.
 *
 * @param scope their network and chain
 * @param utxos in the order of the import; an output may occur several times
 * @param assets further assets to store
 */
export async function writeUtxos(
  client: Batch,
  { network, keepsInstallation }: UtxoScope,
  utxos: Iterable<ImportUtxo>,
  assets: Iterable<ImportAsset> = [],
): Promise<WrittenUtxos> {
  const wanted = new Map<string, UtxoRecord>();
  const named = [...assets];
  const rowIds = new Map<string, string>();
  for (const { record, asset, rowId } of utxos) {
    if (keepsInstallation && rowId !== null) rowIds.set(record.utxo_id, rowId);
    const earlier = wanted.get(record.utxo_id);
    wanted.set(record.utxo_id, earlier ? mergeUtxo(earlier, record) : record);
    named.push(asset);
  }
  const assetIds = await writeAssets(client, network, named);
  const known = await findUtxos(client, network, [...wanted.keys()]);

  const added: UtxoRecord[] = [];
  const changed: (OwnedUtxo & { before: UtxoRecord })[] = [];
  const ids = new Map<string, string>();
  for (const record of wanted.values()) {
    const stored = known.get(record.utxo_id);
    if (!stored) {
      added.push(record);
      continue;
    }
    ids.set(record.utxo_id, stored.id);
    const merged = mergeUtxo(stored.record, record);
    if (!sameUtxo(stored.record, merged))
      changed.push({ id: stored.id, record: merged, before: stored.record });
  }

  const kept = added.map(({ utxo_id }) => rowIds.get(utxo_id) ?? null);
  const newIds = await takeIds(client, 'utxo', added.length, kept);
  const fresh = added.map((record, index) => ({ id: newIds[index] as string, record }));
  const changes: StoredChange[] = [
    ...fresh.map(({ id, record: after }) => ({ id, before: null, after })),
    ...changed.map(({ id, before, record: after }) => ({ id, before, after })),
  ];
  const addressIds = await writeAddresses(client, network, changes);
  if (fresh.length > 0) {
    await client.copy('utxo', ['id', ...names], valuesOf(fresh, network, assetIds));
    await writeNewOwners(client, addressIds, assetIds, fresh);
  }
  if (changed.length > 0) {
    await upsertRows(
      client,
      table,
      changed.map(({ record }) => names.map((name) => valueOf(record, name, network, assetIds))),
    );
    await writeChangedOwners(client, addressIds, assetIds, changed);
    const moved = changed.filter(({ before, record }) => before.addresses !== record.addresses);
    await correctHistories(
      client,
      network,
      moved.map(({ id }) => id),
    );
  }
  await writeBalances(client, network, addressIds, changes);
  await writeHoldings(client, network, addressIds, changes);
  await writeDays(client, network, addressIds, changes);
  for (const { id, record } of fresh) ids.set(record.utxo_id, id);
  return {
    ids,
    changed: new Set([...added, ...changed.map(({ record }) => record)].map(({ utxo_id }) => utxo_id)),
  };
}

// One row at a time, because those of a batch take more memory than its records.
function* valuesOf(
  utxos: readonly OwnedUtxo[],
  network: Network,
  assetIds: Map<string, string>,
): Generator<CopyValue[]> {
  for (const { id, record } of utxos) {
    const values: CopyValue[] = [id];
    for (const name of names) values.push(valueOf(record, name, network, assetIds));
    yield values;
  }
}

function valueOf(record: UtxoRecord, column: Column, network: Network, assetIds: Map<string, string>) {
  if (column === 'network') return network;
  return column === 'asset_row_id' ? (assetIds.get(record.asset_id) ?? null) : record[column];
}

async function findUtxos(
  client: Batch,
  network: Network,
  utxoIds: string[],
): Promise<Map<string, OwnedUtxo>> {
  const fields = names.filter((name) => name !== 'network');
  const { rows } = await client.query<(string | null)[]>({
    text: `SELECT u.id::text, ${fields.map((name) => (name === 'asset_row_id' ? 'a.asset_id' : `u.${name}::text`)).join(', ')}
           FROM utxo u JOIN asset a ON a.id = u.asset_row_id WHERE u.network = $1 AND u.utxo_id = ANY($2::text[])`,
    values: [network, bareArrayText(utxoIds)],
    rowMode: 'array',
  });
  return new Map(
    rows.map(([id, ...values]) => {
      const record = Object.fromEntries(
        fields.map((name, index) => [name === 'asset_row_id' ? 'asset_id' : name, values[index]]),
      ) as unknown as UtxoRecord;
      return [record.utxo_id, { id: id as string, record }];
    }),
  );
}
