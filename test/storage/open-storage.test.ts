import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { pino } from 'pino';
import { loadConfig, type Config } from '../../src/config.js';
import { openStorage } from '../../src/storage/open.js';
import { createDatabase, type TestDatabase } from '../harness/database.js';
import { countStatements } from '../harness/statements.js';

const log = pino({ level: 'silent' });
let database: TestDatabase;

beforeEach(async () => {
  database = await createDatabase({ migrated: false });
});

afterEach(() => database.drop());

function configFor(settings: Record<string, string> = {}): Config {
  return loadConfig({ DATABASE_URL: database.url, ...settings });
}

describe('a database of DATABASE_URL', () => {
  test('is migrated at start, and Prisma and hot reads share its pool', async () => {
    const storage = await openStorage(configFor({ DATABASE_POOL: '1' }), log);
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

  test('is described without its password', async () => {
    const storage = await openStorage(configFor(), log);
    await storage.close();
    expect(storage.description).toContain(new URL(database.url).pathname.slice(1));
    expect(storage.description).not.toContain(new URL(database.url).password);
  });

  test('is refused with MIGRATE=off while it lacks migrations, naming the way out', async () => {
    await expect(openStorage(configFor({ MIGRATE: 'off' }), log)).rejects.toThrow(/moraine migrate/);
    await (await openStorage(configFor(), log)).close();
    await (await openStorage(configFor({ MIGRATE: 'off' }), log)).close();
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
    await expect(storage.pool.query('SELECT 1')).rejects.toThrow();
  });
});

test('the statements that a piece of work sends are counted, through Prisma and through the pool', async () => {
  const storage = await openStorage(configFor(), log);
  try {
    const { statements } = await countStatements(async () => {
      await storage.prisma.installation.findMany();
      await storage.prisma.$transaction([storage.prisma.installation.count()]);
      await storage.read({ name: 'one', text: 'SELECT 1' }, []);
      await storage.pool.query('SELECT 2');
    });
    expect(statements).toHaveLength(4);
    expect(statements.slice(2)).toEqual(['SELECT 1', 'SELECT 2']);
  } finally {
    await storage.close();
  }
});
