import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { sampleFiles } from '../../sample/index.js';
import { importCommand } from '../../src/commands/import.js';
import { loadConfig } from '../../src/config.js';
import { startServer, type RunningServer } from '../../src/serve.js';
import { neverStopped } from '../../src/stop.js';
import { poolOf } from '../harness/connections.js';
import { seedCorners } from '../harness/corner-rows.js';
import { createDatabase, type TestDatabase } from '../harness/database.js';
import { openHere, temporaryFolder } from '../harness/embedded.js';
import { exportDatabase, reindexHours } from '../harness/export.js';
import { makeKey } from '../harness/keys.js';
import { utxoRow } from '../harness/ledger-rows.js';
import { findOtherPostgres, packOther, runMoraineWith } from '../harness/other-postgres.js';
import { compositeSet, readLists, restPaths, unreadOf } from '../harness/rest-lists.js';
import { importRows } from '../harness/seed.js';
import { doorAt } from '../harness/served.js';
import { urlOf } from '../harness/standby.js';
import { walkRest } from '../harness/walk.js';

const log = pino({ level: 'silent' });
const files = exportDatabase();
/** Of each file of the sample: a few rows of every kind; all of those that a composite query reads. */
const ROWS = 20;
/** Lists of stakers, rewards and tokens, of which so few rows make no page. */
const shorter = [
  'delegators',
  'erc20TokenBalances',
  'erc721TokenBalances',
  'historicalRewards',
  'pendingRewards',
  'tokens',
  'validators',
];
/** Types of transactions that make what has a path of its own. */
const makers = new Set(['CreateSubnetTx', 'CreateChainTx']);

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let database: TestDatabase;
let dataFolder: string;
/** The programs of the Moraine that made the data, of another major version where one is installed. */
let otherPrograms: string | undefined;
let key: string;
/** The answers to a client of the old installation: every list and object, and a composite query. */
let before: Awaited<ReturnType<typeof answersOf>>;
let paths: Awaited<ReturnType<typeof restPaths>>;
let hours: unknown[];
/** The token behind the first rows of every list that has more, and the rows that followed. */
const walks = new Map<string, { field: string; token: string; rest: object[] }>();

const serve = (env: Record<string, string>): Promise<RunningServer> =>
  startServer(loadConfig({ PORT: '0', WORKER: 'off', LOG_LEVEL: 'silent', RATE_LIMITS: 'off', ...env }), log);

async function answersOf({ url }: RunningServer) {
  const door = doorAt(url, key);
  return { lists: await readLists(door, paths), composite: await compositeSet(door) };
}

async function seed(server: RunningServer): Promise<void> {
  const { storage } = server.services;
  // Ids of the old database are not 1, 2, 3 in a file's order.
  await poolOf(storage).query(`SELECT setval('utxo_id_seq', 1000)`);
  for (const { name, rows } of sampleFiles()) {
    const all = [...rows].reverse();
    const made = all.filter((row) => makers.has((row as { txType?: string }).txType ?? '')).slice(0, ROWS);
    await importRows(storage, name, /balances|holdings/.test(name) ? all : [...all.slice(0, ROWS), ...made]);
  }
  await seedCorners(storage);
  hours = await reindexHours(storage);
  // The job of this request is not exported; without the hour it can be requested again at once.
  await poolOf(storage).query(
    `UPDATE nft_token SET metadata_status = 'queued', reindex_requested_at = now() WHERE token_id % 5 = 3`,
  );
  ({ key } = await makeKey(server, 'free'));
}

async function readBefore(server: RunningServer): Promise<void> {
  paths = await restPaths(server.services);
  before = await answersOf(server);
  const door = doorAt(server.url, key);
  for (const [path, field] of paths.lists) {
    const { body } = await door.get(`${path}${path.includes('?') ? '&' : '?'}pageSize=2`);
    const token = body.nextPageToken as string | undefined;
    if (token) walks.set(path, { field, token, rest: await walkRest(door, path, field, 100, token) });
  }
}

/** A client of the old installation notices nothing. */
async function expectAllAsBefore(server: RunningServer): Promise<void> {
  expect((await doorAt(server.url, `${key}x`).get('/v1/chains')).status).toBe(401);
  expect(await answersOf(server)).toEqual(before);
  expect(await reindexHours(server.services.storage)).toEqual(hours);
  const door = doorAt(server.url, key);
  for (const [path, { field, token, rest }] of walks)
    expect({ path, rows: await walkRest(door, path, field, 100, token) }).toEqual({ path, rows: rest });
}

beforeAll(async () => {
  folder = await temporaryFolder();
  dataFolder = join(folder.path, 'data');
  database = await createDatabase();
  const bin = await findOtherPostgres();
  otherPrograms = bin && (await packOther(bin, join(folder.path, 'programs')));
  const cluster = await openHere({ dataFolder, packageFolder: otherPrograms });
  const server = await serve({ DATABASE_URL: urlOf(cluster.connection) });
  await seed(server);
  await readBefore(server);
  await server.stop();
  await cluster.leave();

  const moving = ['export', '--with-secrets', files.path('moving')];
  const { code, output } = await runMoraineWith(otherPrograms, moving, { DATA_DIR: dataFolder });
  expect({ code, output }).toMatchObject({ code: 0 });
});
afterEach(() => vi.unstubAllEnvs());
afterAll(async () => {
  files.drop();
  await folder.drop();
  await database.drop();
});

test('the secrets of an export are taken in on request alone', async () => {
  vi.stubEnv('DATABASE_URL', database.url);
  await expect(importCommand(files.list('moving'), {}, log, neverStopped)).rejects.toThrow(
    /--with-secrets imports them/,
  );
  const plain = files.list('moving').filter((path) => !path.includes('installation'));
  await expect(importCommand(plain, { withSecrets: true }, log, neverStopped)).rejects.toThrow(
    /needs moraine.installation/,
  );
});

test('what is moved is of every kind, and lists of each have more than a page', () => {
  // What validators of L1s paid is the state of a follower.
  expect(unreadOf(paths)).toEqual([
    '/v2/validator/{nodeId}/metrics/{metric}',
    '/v2/validation/{l1ValidationId}/metrics/{metric}',
  ]);
  expect(before.composite.addresses.length).toBeGreaterThan(7);
  expect(hours.length).toBeGreaterThan(2);
  const fields = new Set([...[...walks.values()].map(({ field }) => field), ...shorter]);
  expect(fields).toEqual(new Set(paths.lists.map(([, field]) => field)));
});

test('from embedded to DATABASE_URL: every list is equal, a key and page tokens of before go on', async () => {
  vi.stubEnv('DATABASE_URL', database.url);
  expect(await importCommand(files.list('moving'), { withSecrets: true }, log, neverStopped)).toBe(0);
  const server = await serve({ DATABASE_URL: database.url });
  const newestId = async () => {
    const sql = 'SELECT max(id) AS id FROM utxo';
    return BigInt((await poolOf(server.services.storage).query<{ id: string }>(sql)).rows[0]?.id ?? 0);
  };
  try {
    await expectAllAsBefore(server);
    const newest = await newestId();
    expect(newest).toBeGreaterThan(1000n);
    await importRows(server.services.storage, 'mainnet.p-chain.utxos', [utxoRow('a new one')]);
    expect(await newestId()).toBe(newest + 1n);
  } finally {
    await server.stop();
  }
  // Importing again changes nothing, so that an interrupted import can be finished.
  expect(await importCommand(files.list('moving'), { withSecrets: true }, log, neverStopped)).toBe(0);
});

test('an installation does not replace another one that has data, nor any without its option', async () => {
  const other = await createDatabase();
  try {
    vi.stubEnv('DATABASE_URL', other.url);
    const server = await serve({ DATABASE_URL: other.url });
    const take = (replaceInstallation: boolean) =>
      importCommand(files.list('moving'), { withSecrets: true, replaceInstallation }, log, neverStopped);
    await expect(take(false)).rejects.toThrow(/--replace-installation/);
    await importRows(server.services.storage, 'mainnet.p-chain.utxos', [utxoRow('its own')]);
    await expect(take(true)).rejects.toThrow(/has its own data/);
    await poolOf(server.services.storage).query('TRUNCATE utxo, utxo_owner, address_balance, asset CASCADE');
    await server.stop();
    expect(await take(true)).toBe(0);
  } finally {
    await other.drop();
  }
});

test('a new major version of the embedded server: the start names two commands, after which nothing is missed', async () => {
  const file = join(dataFolder, 'postgres', 'PG_VERSION');
  const made = (await readFile(file, 'utf8')).trim();
  // Without a PostgreSQL of another version here, the test only checks that the cluster says its version.
  if (!otherPrograms) await writeFile(file, '17\n');
  const refusal = await serve({ DATA_DIR: dataFolder }).then(
    () => '',
    (error: Error) => error.message,
  );
  await writeFile(file, `${made}\n`);
  const [, old, present] =
    /created by PostgreSQL (\d+), and the programs here are those of PostgreSQL (\d+)/.exec(refusal) ?? [];
  expect([old, present]).toEqual(
    otherPrograms ? [made, expect.not.stringMatching(`^${made}$`)] : ['17', made],
  );
  expect(refusal).toContain(`DATA_DIR=${dataFolder} moraine export --with-secrets moving`);
  expect(refusal).toContain(`DATA_DIR=${dataFolder}-${present} moraine import --with-secrets moving/*`);

  vi.stubEnv('DATA_DIR', `${dataFolder}-${present}`);
  expect(await importCommand(files.list('moving'), { withSecrets: true }, log, neverStopped)).toBe(0);
  const server = await serve({ DATA_DIR: `${dataFolder}-${present}` });
  try {
    await expectAllAsBefore(server);
  } finally {
    await server.stop();
  }
});
