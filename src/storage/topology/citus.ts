import { StorageError } from '../errors.js';
import type { Connection } from '../session.js';

/** Oldest major version of Citus that `moraine distribute` was tried with. */
const OLDEST_CITUS = 13;

/** A server of Citus that stores tables for the coordinator. */
export interface Worker {
  host: string;
  port: number;
}

/** A table that may be on a worker, and where it is. */
export interface PlacedTable {
  name: string;
  /** Of the table with its indexes and partitions, wherever it is. */
  bytes: number;
  /** Null: on the coordinator. */
  worker: Worker | null;
  /** How Citus stores it: `distribution` names the column, null for a table that is whole on one worker. */
  distribution: string | null;
}

/** The database's role in Citus. */
export interface Coordinator {
  /** As `13.2.2`. */
  version: string;
  workers: readonly Worker[];
}

/**
 * Checks whether tables can be moved to workers from here.
 *
 * @throws StorageError that says what is missing and the statement that fixes it
 */
export async function readCoordinator(client: Connection): Promise<Coordinator> {
  const version = await citusVersion(client);
  if (version === null)
    throw new StorageError(
      'The database has no Citus. On the coordinator and on each worker: install Citus 13 or newer, set ' +
        "shared_preload_libraries = 'citus', and run CREATE EXTENSION citus in the database; docs/scaling.md has the steps.",
    );
  if (Number.parseInt(version) < OLDEST_CITUS)
    throw new StorageError(`The database has Citus ${version}; ${OLDEST_CITUS} or newer is required.`);
  const { rows: nodes } = await client.query<
    Worker & { here: boolean; takes: boolean; isCoordinator: boolean }
  >(
    `SELECT nodename AS host, nodeport AS port, groupid = (SELECT groupid FROM pg_dist_local_group) AS here,
       shouldhaveshards AND isactive AS takes, groupid = 0 AS "isCoordinator"
     FROM pg_dist_node WHERE noderole = 'primary' ORDER BY nodeid`,
  );
  if (nodes.some(({ here, isCoordinator }) => here && !isCoordinator))
    throw new StorageError('DATABASE_URL names a Citus worker. Set it to the coordinator.');
  const storing = nodes.find(({ isCoordinator, takes }) => isCoordinator && takes);
  if (storing)
    throw new StorageError(
      'The coordinator accepts tables like a worker, so the tables could stay here. Run ' +
        `SELECT citus_set_node_property('${storing.host}', ${storing.port}, 'shouldhaveshards', false);`,
    );
  const workers = nodes
    .filter(({ isCoordinator, takes }) => !isCoordinator && takes)
    .map(({ host, port }) => ({ host, port }));
  if (workers.length === 0)
    throw new StorageError(
      "The coordinator knows no worker that accepts tables. Run SELECT citus_add_node('host', 5432); for each.",
    );
  return { version, workers };
}

/** FROM item with a table, as `part`, and its partitions. */
export const partitionsOf = (name: string) =>
  `(SELECT ${name}::regclass AS part UNION SELECT relid FROM pg_partition_tree(${name}::regclass)) parts`;

/** Where tables are, in the order of their names. */
export async function readTables(client: Connection, names: readonly string[]): Promise<PlacedTable[]> {
  const { rows } = await client.query<{
    name: string;
    bytes: string;
    host: string | null;
    port: number | null;
    distribution: string | null;
  }>(
    `SELECT wanted.name, shard.nodename AS host, shard.nodeport AS port,
       CASE WHEN located.citus_table_type = 'distributed' THEN nullif(located.distribution_column, '<none>')
         ELSE located.citus_table_type END AS distribution,
       (SELECT sum(CASE WHEN located.table_name IS NULL THEN pg_total_relation_size(part)
          ELSE citus_total_relation_size(part) END) FROM ${partitionsOf('wanted.name')}) AS bytes
     FROM unnest($1::text[]) WITH ORDINALITY AS wanted(name, nth)
     LEFT JOIN citus_tables located ON located.table_name = wanted.name::regclass
     LEFT JOIN LATERAL (
       SELECT nodename, nodeport FROM citus_shards WHERE table_name = wanted.name::regclass LIMIT 1) shard ON true
     ORDER BY wanted.nth`,
    [names],
  );
  return rows.map(({ name, bytes, host, port, distribution }) => ({
    name,
    distribution,
    bytes: Number(bytes),
    worker: host === null || port === null ? null : { host, port },
  }));
}

async function citusVersion(client: Connection): Promise<string | null> {
  const { rows } = await client.query<{ version: string }>(
    `SELECT extversion AS version FROM pg_extension WHERE extname = 'citus'`,
  );
  if (!rows[0]) return null;
  const { rows: versions } = await client.query<{ said: string }>('SELECT citus_version() AS said');
  return /\d+(\.\d+)*/.exec(versions[0]?.said ?? '')?.[0] ?? rows[0].version;
}
