import type { Batch } from '../../storage/session.js';
import { noteOutputs } from '../../storage/write-versions.js';
import type { Network } from '../../avalanche/networks.js';
import type { CopyValue } from '../../storage/copy.js';
import { namesOf, type Change } from '../../write/derived/table.js';
import { writeDerived } from '../../write/derived/write.js';
import type { FirstRows } from '../../write/feed.js';
import { takeIds } from '../../write/ids.js';
import type { WriteScope } from '../../write/scope.js';
import { updateRows } from '../../write/upsert.js';
import { correctHistories } from '../history/write.js';
import { correctRewards } from '../reward/write.js';
import { correctAssetTransactions } from '../asset/import-transactions.js';
import { writeAssets, type ImportAsset } from '../asset/write.js';
import { derivedFromUtxos } from './import-derived.js';
import { mergeUtxo, sameUtxo } from './import-merge.js';
import {
  firstOutputs,
  ownedUtxo,
  ownersOf,
  writeAddresses,
  type OwnedUtxo,
  type StoredUtxo,
} from './import-owners.js';
import type { ImportUtxo, UtxoRecord } from './import-row.js';
import { findUtxos, utxoColumns, utxoTable, valuesOf } from './import-stored.js';

/** The tables that writeUtxos writes. */
export const utxoTables = [
  'utxo',
  ...namesOf(derivedFromUtxos),
  'address',
  'address_transaction',
  'active_address_day',
  'asset',
] as const;

/** Those of them whose rows imports find only by unique keys. */
export const utxoTablesIndexedLate = ['utxo_owner', 'address_balance'] as const;

export interface WrittenUtxos {
  /** Row ids by utxoId, of all that were given. */
  ids: Map<string, string>;
  /** The utxoIds of outputs that were added or changed. */
  changed: Set<string>;
  /** Those that were added, and those that were spent. */
  first: readonly FirstRows[];
}

/** What all outputs of one write share. */
type UtxoScope = WriteScope & { network: Network };

/**
 * Stores outputs: adds the new ones, merges new values into the others and writes those that differ. Needs
 * the network's import lock: it reads, merges and writes.
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
  const [assetIds, known] = await Promise.all([
    writeAssets(client, network, named),
    findUtxos(client, network, [...wanted.keys()]),
  ]);

  const added: UtxoRecord[] = [];
  const changed: { before: StoredUtxo; after: StoredUtxo }[] = [];
  const ids = new Map<string, string>();
  const stored = (id: string, record: UtxoRecord): StoredUtxo => {
    return { id, network, record, assetRowId: assetIds.get(record.asset_id) as string };
  };
  for (const record of wanted.values()) {
    const before = known.get(record.utxo_id);
    if (!before) {
      added.push(record);
      continue;
    }
    ids.set(record.utxo_id, before.id);
    const merged = mergeUtxo(before.record, record);
    if (!sameUtxo(before.record, merged)) changed.push({ before, after: stored(before.id, merged) });
  }

  const kept = added.map(({ utxo_id }) => rowIds.get(utxo_id) ?? null);
  const newIds = await takeIds(client, 'utxo', added.length, kept);
  const fresh = added.map((record, index) => stored(newIds[index] as string, record));
  for (const { id, record } of fresh) ids.set(record.utxo_id, id);
  const changes = [...fresh.map((after) => ({ before: null, after })), ...changed];
  await Promise.all([
    client.copy('utxo', ['id', ...utxoColumns], rowsOf(fresh)),
    updateRows(
      client,
      utxoTable,
      changed.map(({ after }) => valuesOf(after)),
    ),
    writeDerivedFromUtxos(client, network, changes),
  ]);
  const moved = changed.filter(({ before, after }) => before.record.addresses !== after.record.addresses);
  await correctHistories(
    client,
    network,
    moved.map(({ after }) => after.id),
  );
  await correctAssetTransactions(
    client,
    network,
    changed
      .filter(({ before, after }) => before.assetRowId !== after.assetRowId)
      .map(({ after }) => after.id),
  );
  await correctRewards(
    client,
    changed.filter(({ before, after }) => hasOtherReward(before, after)).map(({ after }) => after.id),
  );
  const changedIds = new Set(changes.map(({ after }) => after.record.utxo_id));
  return { ids, changed: changedIds, first: firstOutputs(network, changes) };
}

/** Whether an output pays a reward to others than it was thought to. */
const hasOtherReward = ({ record: before }: StoredUtxo, { record: after }: StoredUtxo): boolean =>
  before.reward_type !== after.reward_type ||
  (after.reward_type !== null && before.addresses !== after.addresses);

/**
 * Stores changes of outputs, also that they are taken back, which no transaction may name any longer; their
 * owners stay the same.
 */
export async function changeUtxos(
  client: Batch,
  network: Network,
  changes: readonly Change<StoredUtxo>[],
): Promise<void> {
  const gone = changes.flatMap(({ before, after }) => (before && !after ? [before.id] : []));
  await writeDerivedFromUtxos(client, network, changes);
  await updateRows(
    client,
    utxoTable,
    changes.flatMap(({ after }) => (after ? [valuesOf(after)] : [])),
  );
  await client.query('DELETE FROM utxo WHERE id = ANY($1::bigint[])', [gone]);
}

// One row at a time, because those of a batch take more memory than its records.
function* rowsOf(utxos: readonly StoredUtxo[]): Generator<CopyValue[]> {
  for (const utxo of utxos) yield [utxo.id, ...valuesOf(utxo)];
}

/**
 * Makes the tables that are derived from outputs agree with changes of outputs of one network, each output
 * once. Must run under the network's import lock, like the write of the outputs themselves.
 */
export async function writeDerivedFromUtxos(
  client: Batch,
  network: Network,
  changes: readonly Change<StoredUtxo>[],
): Promise<void> {
  const addressIds = await writeAddresses(client, network, recordsOf(changes));
  await Promise.all([
    writeDerived(client, derivedFromUtxos, ownedChanges(changes, addressIds)),
    noteOutputs(client, network, ownersIn(changes)),
  ]);
}

function* ownersIn(changes: readonly Change<StoredUtxo>[]): Generator<string> {
  for (const record of recordsOf(changes)) yield* ownersOf(record);
}

function* recordsOf(changes: readonly Change<StoredUtxo>[]): Generator<UtxoRecord> {
  for (const { before, after } of changes) {
    if (before) yield before.record;
    if (after) yield after.record;
  }
}

function* ownedChanges(
  changes: readonly Change<StoredUtxo>[],
  addressIds: ReadonlyMap<string, string>,
): Generator<Change<OwnedUtxo>> {
  for (const { before, after } of changes)
    yield {
      before: before && ownedUtxo(before, addressIds),
      after: after && ownedUtxo(after, addressIds),
    };
}
