import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createKeyStore } from '../../src/access/key-store.js';
import { exportCommand } from '../../src/commands/export.js';
import { importCommand } from '../../src/commands/import.js';
import { loadConfig } from '../../src/config.js';
import { startServer, type RunningServer } from '../../src/serve.js';
import { neverStopped } from '../../src/stop.js';
import { createDatabase, type TestDatabase } from '../harness/database.js';
import { temporaryFolder } from '../harness/embedded.js';
import { exportPlace } from '../harness/export.js';
import { utxoRow } from '../harness/ledger-rows.js';
import { importRows } from '../harness/seed.js';
import { poolOf } from '../harness/connections.js';

const log = pino({ level: 'silent' });
const files = exportPlace();
const list = '/v1/networks/mainnet/blockchains/p-chain/utxos?pageSize=3';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let database: TestDatabase;
let dataFolder: string;
let key: string;
/** What a client of the old installation has read: its first page, the token of the next, and that page. */
let walk: { token: string; second: string[] };

const serve = (env: Record<string, string>): Promise<RunningServer> =>
  startServer(loadConfig({ PORT: '0', WORKER: 'off', LOG_LEVEL: 'silent', ...env }), log);

interface Page {
  utxos: { utxoId: string }[];
  nextPageToken?: string;
}

async function page(server: RunningServer, token = ''): Promise<{ ids: string[]; next: string }> {
  const reply = await fetch(`${server.url}${list}&pageToken=${token}`, {
    headers: { 'x-service-api-key': key },
  });
  const body = (await reply.json()) as Page;
  expect({ status: reply.status, body }).toMatchObject({ status: 200 });
  return { ids: body.utxos.map(({ utxoId }) => utxoId), next: body.nextPageToken ?? '' };
}

beforeAll(async () => {
  folder = await temporaryFolder();
  dataFolder = join(folder.path, 'data');
  database = await createDatabase();
  const server = await serve({ DATA_DIR: dataFolder });
  const { storage } = server.services;
  const rows = Array.from({ length: 20 }, (_, index) => utxoRow(`output ${index}`, { amount: `${index}` }));
  // Ids of the old database are no 1, 2, 3 of a file's order.
  await poolOf(storage).query(`SELECT setval('utxo_id_seq', 1000)`);
  await importRows(storage, 'mainnet.p-chain.utxos', rows.reverse());
  const store = createKeyStore(storage.prisma, { log, now: Date.now });
  ({ key } = await store.create({ plan: 'free', name: 'wallet', rights: null, expiresAt: null }));
  await store.close();
  const first = await page(server);
  walk = { token: first.next, second: (await page(server, first.next)).ids };
  await server.stop();

  vi.stubEnv('DATA_DIR', dataFolder);
  expect(await exportCommand(files.path('moving'), { withSecrets: true }, log, neverStopped)).toBe(0);
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
    /--with-secrets takes them in/,
  );
  const plain = files.list('moving').filter((path) => !path.includes('installation'));
  await expect(importCommand(plain, { withSecrets: true }, log, neverStopped)).rejects.toThrow(
    /needs moraine.installation/,
  );
});

test('from embedded to DATABASE_URL: a key and a page token of before go on', async () => {
  vi.stubEnv('DATABASE_URL', database.url);
  expect(await importCommand(files.list('moving'), { withSecrets: true }, log, neverStopped)).toBe(0);
  const server = await serve({ DATABASE_URL: database.url });
  try {
    expect((await page(server, walk.token)).ids).toEqual(walk.second);
    await importRows(server.services.storage, 'mainnet.p-chain.utxos', [utxoRow('a new one')]);
    const { rows } = await poolOf(server.services.storage).query<{ least: string }>(
      'SELECT min(id) AS least, max(id) AS most FROM utxo',
    );
    expect(rows).toEqual([{ least: '1001', most: '1021' }]);
  } finally {
    await server.stop();
  }
  // Once more changes nothing, and an interrupted import can so be finished.
  expect(await importCommand(files.list('moving'), { withSecrets: true }, log, neverStopped)).toBe(0);
});

test('an installation is not put over another one that holds data, nor unasked over any', async () => {
  const other = await createDatabase();
  try {
    vi.stubEnv('DATABASE_URL', other.url);
    const server = await serve({ DATABASE_URL: other.url });
    const take = (replaceInstallation: boolean) =>
      importCommand(files.list('moving'), { withSecrets: true, replaceInstallation }, log, neverStopped);
    await expect(take(false)).rejects.toThrow(/--replace-installation/);
    await importRows(server.services.storage, 'mainnet.p-chain.utxos', [utxoRow('its own')]);
    await expect(take(true)).rejects.toThrow(/holds data of its own/);
    await poolOf(server.services.storage).query('TRUNCATE utxo, utxo_owner, address_balance, asset CASCADE');
    await server.stop();
    expect(await take(true)).toBe(0);
  } finally {
    await other.drop();
  }
});

test('a cluster of another major version is refused with the commands that move it', async () => {
  const file = join(dataFolder, 'postgres', 'PG_VERSION');
  const present = (await readFile(file, 'utf8')).trim();
  await writeFile(file, '17\n');
  const refusal = await serve({ DATA_DIR: dataFolder }).then(
    () => '',
    (error: Error) => error.message,
  );
  await writeFile(file, `${present}\n`);
  expect(refusal).toContain(`made by PostgreSQL 17, and this Moraine brings PostgreSQL ${present}`);
  expect(refusal).toContain(`DATA_DIR=${dataFolder} moraine export --with-secrets moving`);
  expect(refusal).toContain(`DATA_DIR=${dataFolder}-${present} moraine import --with-secrets moving/*`);

  vi.stubEnv('DATA_DIR', `${dataFolder}-${present}`);
  expect(await importCommand(files.list('moving'), { withSecrets: true }, log, neverStopped)).toBe(0);
  const server = await serve({ DATA_DIR: `${dataFolder}-${present}` });
  try {
    expect((await page(server, walk.token)).ids).toEqual(walk.second);
  } finally {
    await server.stop();
  }
});
