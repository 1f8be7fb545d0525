import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { installQueues } from '../../src/jobs/queue.js';
import { jobQueues } from '../../src/open-database.js';
import { joinEmbedded } from '../../src/storage/embedded.js';
import { migrate } from '../../src/storage/migrate.js';
import { nodeForOthers } from './embedded.js';
import { pgbouncerTooOld, startPgBouncer, type TestPooler } from './pgbouncer.js';
import { distributeIn, joinWorkers, runOn, workersOf } from './citus.js';
import { connectTo, createPool, storageOn } from './connections.js';
import { onceForAll } from './once-for-all.js';
import { roomyFolder } from './roomy-folder.js';

declare module 'vitest' {
  export interface ProvidedContext {
    /**
     * `template`: the first file that needs one with contents makes it, under a name that begins with this;
     * see database.ts. `workers`: those of Citus, if the run is on one; see citus.ts.
     */
    testServer: { url: string; template: string; workers: string[] };
    /** The program of this Node, where every user may run it. */
    nodeForOthers: string;
    /** Of the PgBouncer through which gateways reach their databases; undefined without TEST_POOLER. */
    poolerPort: number | undefined;
  }
}

/**
 * Settings of a cluster that is thrown away: a crash may lose everything. Commits stay synchronous: VACUUM
 * marks no page as all-visible while the commits of its rows are not written, so that plans would depend on
 * when it ran.
 */
const throwawaySettings = {
  fsync: 'off',
  full_page_writes: 'off',
  // Nobody follows its log: what a transaction creates as a whole, such as an index, is not logged.
  wal_level: 'minimal',
  max_wal_senders: '0',
  shared_buffers: '128MB',
  max_wal_size: '1GB',
};

/**
 * With TEST_PLANNER=defaults: what PostgreSQL's planner does by itself, and JIT for everything that it can
 * compile.
 */
const plannerDefaults = {
  jit: 'on',
  jit_above_cost: '1',
  random_page_cost: '4',
  max_parallel_workers_per_gather: '2',
  work_mem: '4MB',
  effective_cache_size: '4GB',
};

/** One server for the whole run, and in it one migrated database that every test file copies. */
export default onceForAll('testServer', async (provide) => {
  const log = pino({ level: 'warn' });
  const given = process.env['TEST_DATABASE_URL'];
  const server = given ? { url: given, stop: () => Promise.resolve() } : await startServer(log);
  const admin = await connectTo(server.url);
  const template = `moraine_template_${randomBytes(4).toString('hex')}`;
  await admin.query(`CREATE DATABASE ${template}`);
  const templateUrl = new URL(server.url);
  templateUrl.pathname = `/${template}`;
  const workers = workersOf(server.url);
  await joinWorkers(templateUrl.href, workers);
  await migrate({ connectionString: templateUrl.href }, { log });
  await installQueueIn(templateUrl.href, log);
  if (workers.length > 0) await distributeIn(templateUrl.href);
  provide('testServer', { url: server.url, template, workers });
  const pooler = process.env['TEST_POOLER'] ? await startPooler(server.url) : undefined;
  provide('poolerPort', pooler?.port);
  const node = await nodeForOthers();
  provide('nodeForOthers', node.path);

  return async () => {
    await pooler?.stop();
    const made = await admin.query<{ datname: string }>(
      'SELECT datname FROM pg_database WHERE starts_with(datname, $1)',
      [template],
    );
    for (const { datname } of made.rows) await admin.query(`DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`);
    await admin.end();
    for (const worker of workers) await runOn(worker, `DROP DATABASE ${template} WITH (FORCE)`);
    await server.stop();
    await node.drop();
  };
});

async function startPooler(url: string): Promise<TestPooler> {
  if (pgbouncerTooOld) throw new Error(`TEST_POOLER: ${pgbouncerTooOld}`);
  return startPgBouncer(url);
}

async function installQueueIn(url: string, log: pino.Logger): Promise<void> {
  const pool = createPool(url, 1);
  await installQueues(storageOn(pool), log, jobQueues);
  await pool.end();
}

async function startServer(log: pino.Logger): Promise<{ url: string; stop: () => Promise<void> }> {
  const dataFolder = await mkdtemp(join(await roomyFolder(), 'moraine-test-'));
  const planner = process.env['TEST_PLANNER'] === 'defaults' ? plannerDefaults : {};
  const settings = { ...throwawaySettings, ...planner };
  const { connection, leave } = await joinEmbedded({ dataFolder, log, settings });
  const { user, password, host, port, database } = connection;
  const url = `postgresql://${user}:${password}@${encodeURIComponent(host)}:${port}/${database}`;
  return {
    url,
    stop: async () => {
      await leave();
      await rm(dataFolder, { recursive: true, force: true });
    },
  };
}
