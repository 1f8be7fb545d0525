import { partitionsOf, type PlacedTable } from './citus.js';
import { StorageError } from '../errors.js';
import type { Batch, Session } from '../session.js';

/**
 * Milliseconds that a move waits for a table that others use, before it releases its locks so that they can
 * continue.
 */
const LOCK_MS = 5000;

/**
 * Whether tables that must be together still have to be moved.
 *
 * @throws StorageError when some of them are on a worker and others not, or they are cut into shards
 */
export function isToMove(group: readonly PlacedTable[]): boolean {
  const cut = group.find(({ distribution }) => distribution !== null);
  if (cut)
    throw new StorageError(
      `${cut.name} is distributed by Citus in another way (${cut.distribution}): the gateway can read it only if it is whole on one ` +
        `worker. Run SELECT undistribute_table('${cut.name}'); and then run this again.`,
    );
  const moved = group.filter(({ worker }) => worker !== null);
  if (moved.length > 0 && moved.length < group.length)
    throw new StorageError(
      `${moved.map(({ name }) => name).join(', ')} went to a worker without ${group
        .filter(({ worker }) => worker === null)
        .map(({ name }) => name)
        .join(
          ', ',
        )}, which are read together. Fetch them back with SELECT undistribute_table('…'); and run this again.`,
    );
  return moved.length === 0;
}

/**
 * Moves tables to a worker, together and whole, in one transaction: if it is interrupted, they are all here
 * or all there. Reads continue meanwhile; writes of these tables wait.
 *
 * @param begun called with each table before it is moved
 */
export async function moveTables(
  session: Session,
  group: readonly PlacedTable[],
  begun: (table: PlacedTable) => void,
): Promise<void> {
  await session.transaction(async (batch) => {
    await batch.query(
      `SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = ${LOCK_MS};
       SET LOCAL client_min_messages = warning; SET LOCAL citus.multi_shard_modify_mode = 'sequential'`,
    );
    for (const table of group) {
      begun(table);
      await batch.query('SELECT create_distributed_table($1::regclass, NULL, colocate_with => $2)', [
        table.name,
        table === group[0] ? 'none' : group[0]?.name,
      ]);
    }
  });
}

/** Frees the coordinator's disk space of tables that are on a worker; returns the number of bytes. */
export async function freeLeftovers(client: Batch, names: readonly string[]): Promise<number> {
  const { rows } = await client.query<{ name: string; bytes: string }>(
    `SELECT part::text AS name, pg_relation_size(part) AS bytes
     FROM unnest($1::text[]) AS moved(name) CROSS JOIN LATERAL ${partitionsOf('moved.name')}
     WHERE pg_relation_size(part) > 0`,
    [names],
  );
  for (const { name } of rows)
    await client.query('SELECT truncate_local_data_after_distributing_table($1::regclass)', [name]);
  return rows.reduce((sum, { bytes }) => sum + Number(bytes), 0);
}
