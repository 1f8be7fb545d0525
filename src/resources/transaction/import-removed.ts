import type { Batch } from '../../storage/session.js';
import type { Change } from '../../write/derived/table.js';
import { writeDerived } from '../../write/derived/write.js';
import type { PrimaryScope } from '../../write/scope.js';
import { writeAssetTransactions } from '../asset/import-transactions.js';
import { removeBlocks } from '../block/write.js';
import { writeHistories } from '../history/write.js';
import type { StoredUtxo } from '../utxo/import-owners.js';
import { readUtxosById } from '../utxo/import-stored.js';
import { changeUtxos } from '../utxo/write.js';
import { datedOf, derivedFromTransactions } from './import-days.js';
import { writePlatformReferences } from './import.js';
import { storedTransactions } from './write.js';

interface Removed {
  id: string;
  txHash: string;
  /** The stake that it ended. */
  stake: string | null;
}

/**
 * Takes back what blocks brought that turned out to be none of the chain's: their transactions, the outputs
 * of these that nothing else emitted, and what they spent or unlocked. Must run under the network's import
 * lock, when the blocks that stand there instead are written.
 *
 * @param hashes of the blocks
 */
export async function takeBackBlocks(
  client: Batch,
  scope: PrimaryScope,
  hashes: readonly string[],
): Promise<void> {
  const { network, chain } = scope;
  const { rows: removed } = await client.query<Removed>(
    `SELECT id::text, tx_hash AS "txHash", details->>'stakingTxHash' AS stake FROM transaction
     WHERE network = $1 AND chain = $2 AND block_hash = ANY($3::text[])`,
    [network, chain, hashes],
  );
  await removeBlocks(client, scope, hashes);
  if (removed.length === 0) return;
  const ids = removed.map(({ id }) => id);
  const gone = new Set(removed.map(({ txHash }) => txHash));
  const records = [...(await storedTransactions(client, scope, [...gone])).values()];
  const stakes = await endedBy(client, network, removed);
  const changes = await outputChanges(client, ids, { gone, stakes });
  // What they name is found in them: without it, and without their outputs, the references to them go.
  await client.query(
    `UPDATE transaction SET tx_type = 'UNKNOWN', details = '{}' WHERE id = ANY($1::bigint[])`,
    [ids],
  );
  const taken = changes.flatMap(({ before, after }) => (before && !after ? [before.id] : []));
  await client.query('DELETE FROM transaction_output WHERE transaction_id = ANY($1::bigint[])', [ids]);
  await client.query(
    // Only what is taken back too, in a later block, can have consumed their outputs.
    'DELETE FROM transaction_input WHERE transaction_id = ANY($1::bigint[]) OR utxo_row_id = ANY($2::bigint[])',
    [ids, taken],
  );
  await writeHistories(client, network, { all: ids, rewritten: true });
  if (chain === 'x') await writeAssetTransactions(client, network, ids);
  if (chain === 'p')
    await writePlatformReferences(client, { all: [...ids, ...stakes.values()], rewritten: ids });
  await changeUtxos(client, network, changes);
  await writeDerived(
    client,
    derivedFromTransactions,
    records.map(({ record }) => ({ before: datedOf(scope, record), after: null })),
  );
  await client.query('DELETE FROM transaction WHERE id = ANY($1::bigint[])', [ids]);
}

/** The stakes that these transactions ended, and no other one, go on. @returns their row ids by hash */
async function endedBy(
  client: Batch,
  network: PrimaryScope['network'],
  removed: readonly Removed[],
): Promise<ReadonlyMap<string | null, string>> {
  const { rows } = await client.query<{ txHash: string; id: string }>(
    `UPDATE transaction SET details = details - 'rewardTxHash'
     WHERE network = $1 AND chain = 'p' AND tx_hash = ANY($2::text[]) AND details->>'rewardTxHash' = ANY($3::text[])
     RETURNING tx_hash AS "txHash", id::text`,
    [network, removed.flatMap(({ stake }) => stake ?? []), removed.map(({ txHash }) => txHash)],
  );
  return new Map(rows.map(({ txHash, id }) => [txHash, id]));
}

/** What becomes of the outputs that these transactions emitted, consumed, or unlocked. */
async function outputChanges(
  client: Batch,
  ids: readonly string[],
  {
    gone,
    stakes,
  }: { readonly gone: ReadonlySet<string | null>; readonly stakes: ReadonlyMap<string | null, string> },
): Promise<Change<StoredUtxo>[]> {
  const { rows } = await client.query<{ id: string; isTheirs: boolean }>(
    `SELECT id::text, bool_or(theirs) AS "isTheirs" FROM (
       SELECT o.utxo_row_id AS id, NOT EXISTS (
         SELECT 1 FROM transaction_output other
         WHERE other.utxo_row_id = o.utxo_row_id AND other.transaction_id <> ALL($1::bigint[])) AS theirs
       FROM transaction_output o WHERE o.transaction_id = ANY($1::bigint[])
       UNION ALL SELECT i.utxo_row_id, false FROM transaction_input i WHERE i.transaction_id = ANY($1::bigint[])
       UNION ALL SELECT o.utxo_row_id, false FROM transaction t JOIN transaction_output o ON o.transaction_id = t.id
         WHERE t.tx_hash = ANY($2::text[]) AND t.chain = 'p') found
     GROUP BY id`,
    [ids, [...stakes.keys()]],
  );
  const theirs = new Set(rows.flatMap(({ id, isTheirs }) => (isTheirs ? [id] : [])));
  const stored = await readUtxosById(
    client,
    rows.map(({ id }) => id),
  );
  return stored.map((before) => {
    const { record, id } = before;
    if (theirs.has(id)) return { before, after: null };
    const isStaked = record.utxo_type === 'STAKE' && stakes.has(record.tx_hash);
    const kept = gone.has(record.consuming_tx_hash) ? { ...record, ...unspent } : record;
    return { before, after: { ...before, record: isStaked ? { ...kept, staked: 'true' } : kept } };
  });
}

const unspent = { consuming_tx_hash: null, consuming_block_number: null, consuming_block_timestamp: null };
