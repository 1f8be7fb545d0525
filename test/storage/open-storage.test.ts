import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { pino } from 'pino';
import { loadConfig, type Config } from '../../src/config.js';
import { loadInstallation } from '../../src/storage/installation.js';
import { openStorage } from '../../src/storage/open.js';
import { readServerVersion } from '../../src/storage/given-server.js';
import { createDatabase, type TestDatabase } from '../harness/database.js';
import { countStatements } from '../harness/statements.js';
import { poolOf } from '../harness/connections.js';

const log = pino({ level: 'silent' });
/** Up to date; what migrates takes one without tables, as that is what takes long. */
let database: TestDatabase;

beforeEach(async () => {
  database = await createDatabase();
});

afterEach(() => database.drop());

function configFor(settings: Record<string, string> = {}, { url } = database): Config {
  return loadConfig({ DATABASE_URL: url, ...settings });
}

async function withoutTables(): Promise<TestDatabase> {
  const empty = await createDatabase({ migrated: false });
  onTestFinished(empty.drop);
  return empty;
}

describe('a database of DATABASE_URL', () => {
  test('is migrated at start, and Prisma and hot reads share its pool', async () => {
    const storage = await openStorage(configFor({ DATABASE_POOL: '1' }, await withoutTables()), log);
    try {
      const [viaPrisma] = await storage.prisma.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
      const [viaRead] = await storage.read<{ pid: number }>(
        { name: 'pid', text: 'SELECT pg_backend_pid() AS pid WHERE $1' },
        [true],
      );
      expect(viaRead?.pid).toBe(viaPrisma?.pid);
      expect(await storage.prisma.installation.count()).toBe(0);
    } finally {
      await storage.close();
    }
  });

  test.each(['DATABASE_URL', 'DIRECT_DATABASE_URL', 'READ_DATABASE_URLS'])(
    'whose %s names a certificate that is not there is refused with its name',
    async (setting) => {
      for (const parameter of ['sslcert', 'sslkey', 'sslrootcert']) {
        const url = new URL(database.url);
        url.searchParams.set('sslmode', 'require');
        url.searchParams.set(parameter, '/no/such/file.pem');
        const opening = openStorage(configFor({ [setting]: url.href }), log);
        await expect(opening).rejects.toThrow(
          new RegExp(`^${setting} names a file that cannot be read: .*'/no/such/file.pem'`),
        );
      }
    },
  );

  test('is described without its password', async () => {
    const url = new URL(database.url);
    // A server that trusts every client ignores it.
    url.password ||= 'hunter2';
    const storage = await openStorage(configFor({ DATABASE_URL: url.href }), log);
    await storage.close();
    expect(storage.description).toMatch(/^PostgreSQL \d+\.\d+ at /);
    expect(storage.description).toContain(url.pathname.slice(1));
    expect(storage.description).not.toContain(url.password);
  });

  test('is refused with MIGRATE=off while it lacks migrations, naming the way out', async () => {
    const empty = await withoutTables();
    const off = configFor({ MIGRATE: 'off' }, empty);
    await expect(openStorage(off, log)).rejects.toThrow(/moraine migrate/);
    await (await openStorage(configFor({}, empty), log)).close();
    await (await openStorage(off, log)).close();
  });

  test('that cannot be reached is an error that names the setting and not the password', async () => {
    const config = loadConfig({ DATABASE_URL: 'postgresql://someone:hunter2@127.0.0.1:1/moraine' });
    const failure = await openStorage(config, log).catch((error: Error) => error.message);
    expect(failure).toMatch(/DATABASE_URL \(127\.0\.0\.1:1\/moraine\)/);
    expect(failure).not.toContain('hunter2');
  });

  test('can be closed twice', async () => {
    const storage = await openStorage(configFor(), log);
    await Promise.all([storage.close(), storage.close()]);
    await expect(poolOf(storage).query('SELECT 1')).rejects.toThrow();
  });
});

describe('the version of a server', () => {
  test('is taken from what it says of itself', () => {
    expect(readServerVersion('15.18 (Debian 15.18-0+deb12u1)', 'here')).toBe('15.18');
    expect(readServerVersion('19devel', 'here')).toBe('19devel');
  });

  test('below 15, or unreadable, is an error that names the setting', () => {
    for (const text of ['14.13', '9.6.24 (Ubuntu)', '', undefined]) {
      expect(() => readServerVersion(text, 'here')).toThrow(/DATABASE_URL .* 15 or newer/);
    }
  });
});

test('an embedded database is opened, described, closed and opened again', async () => {
  const path = await mkdtemp(join(tmpdir(), 'moraine-data-'));
  const config = loadConfig({ DATA_DIR: join(path, 'data') });
  for (const installations of [0, 1]) {
    const storage = await openStorage(config, log);
    expect(storage.description).toMatch(/^embedded PostgreSQL 18/);
    expect(storage.description).toContain(path);
    expect(await storage.prisma.installation.count()).toBe(installations);
    await loadInstallation(storage.prisma);
    await storage.close();
  }
  await rm(path, { recursive: true });
});

test('the statements that a piece of work sends are counted, through Prisma and through the pool', async () => {
  const storage = await openStorage(configFor(), log);
  try {
    const { statements } = await countStatements(async () => {
      await storage.prisma.installation.findMany();
      await storage.prisma.$transaction([storage.prisma.installation.count()]);
      // Counting refuses names that the decision record does not list.
      await storage.read({ name: 'utxos_none', text: 'SELECT 1' }, []);
      await poolOf(storage).query('SELECT 2');
    });
    expect(statements).toHaveLength(4);
    expect(statements.slice(2)).toEqual(['SELECT 1', 'SELECT 2']);
  } finally {
    await storage.close();
  }
});
