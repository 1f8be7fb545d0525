import { EmbeddedError, joinServer } from '../../packages/embedded-postgres-server/src/index.js';
import type { RunningServer, ServerOptions } from '../../packages/embedded-postgres-server/src/index.js';
import { StorageError } from './errors.js';

/** Server settings of a new cluster, whose postgresql.conf the operator may change. */
const clusterSettings: Record<string, string> = {
  shared_buffers: '256MB',
  effective_cache_size: '1GB',
  work_mem: '16MB',
  maintenance_work_mem: '128MB',
  max_wal_size: '2GB',
  max_connections: '200',
  // Compiling a plan takes longer than any of our short reads.
  jit: 'off',
  // The value for a solid-state disk; with the default of 4 the planner avoids the indexes that every list
  // needs.
  random_page_cost: '1.1',
  max_parallel_workers_per_gather: '1',
  timezone: 'UTC',
  log_timezone: 'UTC',
};

/** `settings` override the usual ones. */
export type EmbeddedOptions = Omit<ServerOptions, 'name'>;

/**
 * Joins the server of a DATA_DIR; first makes the cluster and starts the server if needed.
 *
 * @throws StorageError that says what is in the way and what helps; Stopped when it was stopped meanwhile,
 *   and no server of ours is left
 */
export async function joinEmbedded(options: EmbeddedOptions): Promise<RunningServer> {
  const settings = { ...clusterSettings, ...options.settings };
  try {
    return await joinServer({ ...options, name: 'moraine', settings });
  } catch (error) {
    if (!(error instanceof EmbeddedError)) throw error;
    throw new StorageError(`${error.message}${adviceOn(error, options.dataFolder)}`, { cause: error });
  }
}

/** What the operator can do, to follow the package's own words. */
function adviceOn({ reason, programs }: EmbeddedError, dataFolder: string): string {
  const otherFolder = ' Set DATA_DIR to another folder, or DATABASE_URL to a PostgreSQL 15 or newer.';
  switch (reason) {
    case 'no-programs':
      return ' Set DATABASE_URL to a PostgreSQL 15 or newer, for example postgresql://user:password@host:5432/moraine.';
    case 'root':
      return ' Start Moraine as an unprivileged user, or set DATABASE_URL to a PostgreSQL 15 or newer.';
    case 'other-owner':
      return ` Run Moraine as that user, or change the owner of the folder (chown -R, while no process uses it).${otherFolder}`;
    case 'unreachable-folder':
      return ' Set DATA_DIR to a folder that every user can reach, or DATABASE_URL to a PostgreSQL 15 or newer.';
    case 'not-writable':
    case 'read-only':
    case 'no-space':
    case 'not-a-folder':
    case 'unusable-folder':
      return otherFolder;
    case 'no-shared-memory':
      return (
        ' Make it larger: docker run --shm-size=256m, shm_size: 256m in a compose file, an emptyDir of medium Memory at ' +
        '/dev/shm in Kubernetes, or mount -o remount,size=256m /dev/shm. Or set DATABASE_URL to a PostgreSQL 15 or newer.'
      );
    case 'cut-lock-file':
      return (
        ` Make sure that no PostgreSQL uses it (\`ps aux | grep ${dataFolder}\` shows none), on no other machine or container ` +
        'either; then delete this file alone, and start again.'
      );
    case 'other-version':
      return waysToMove(dataFolder, `${dataFolder}-${programs}`);
    case 'not-created':
    case 'not-started':
    case 'not-accepting':
      // The end of a log.
      return '';
  }
}

function waysToMove(from: string, to: string): string {
  return (
    ' Move the data in two steps:\n' +
    `  with the Moraine that made them:  DATA_DIR=${from} moraine export --with-secrets moving\n` +
    `  with this one:                    DATA_DIR=${to} moraine import --with-secrets moving/*\n` +
    `and start with DATA_DIR=${to} from then on (docs/operating.md, "Backup and moving").`
  );
}
