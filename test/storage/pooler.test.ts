import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { loadConfig } from '../../src/config.js';
import { openDatabase } from '../../src/open-database.js';
import type { Storage } from '../../src/storage/open.js';
import { connectTo } from '../harness/connections.js';
import { captureLog } from '../harness/log.js';
import { createDatabase, type TestDatabase } from '../harness/database.js';
import {
  pgbouncerMissing,
  pgbouncerTooNew,
  pgbouncerTooOld,
  startPgBouncer,
  through,
  type TestPooler,
} from '../harness/pgbouncer.js';
import { limitStatements, reconnect, tracesBehind } from '../harness/pooler-traces.js';

const log = pino({ level: 'silent' });
const because = (reason: string | undefined) => (reason ? ` (skipped: ${reason})` : '');

let pooler: TestPooler;
let database: TestDatabase;

beforeAll(async () => {
  if (!pgbouncerMissing) pooler = await startPgBouncer(inject('testServer').url);
});
afterAll(() => pooler?.stop());
beforeEach(async () => {
  database = await createDatabase({ migrated: false });
});
afterEach(() => database.drop());

/** Opens the database through a pooler. */
function open(settings: Record<string, string> = {}, { port } = pooler): Promise<Storage> {
  const given = { DATABASE_URL: through(port, database.url), DIRECT_DATABASE_URL: database.url, ...settings };
  return openDatabase(loadConfig(given), log);
}

async function refusalOf(settings?: Record<string, string>, other?: TestPooler): Promise<string> {
  return open(settings, other).then(
    (storage) => storage.close().then(() => 'none'),
    (error: Error) => `${error.name}: ${error.message}`,
  );
}

describe.skipIf(pgbouncerMissing)(`before a pooler of any version${because(pgbouncerMissing)}`, () => {
  test('a start is refused that takes it for the server, naming the setting it lacks', async () => {
    const given = { DIRECT_DATABASE_URL: '' };
    const forgiving = await startPgBouncer(inject('testServer').url, {
      settings: { ignore_startup_parameters: 'statement_timeout' },
    });
    try {
      for (const each of [pooler, forgiving]) {
        const refusal = await refusalOf(given, each);
        expect(refusal).toMatch(/^StorageError: DATABASE_URL \(127\.0\.0\.1:\d+\/test_\w+\) is a pooler/);
        expect(refusal).toContain('Also set DIRECT_DATABASE_URL to the server itself');
      }
    } finally {
      await forgiving.stop();
    }
  });

  test('a start is refused whose DIRECT_DATABASE_URL names a pooler too, or stands alone', async () => {
    const twice = through(pooler.port, database.url);
    expect(await refusalOf({ DIRECT_DATABASE_URL: twice, DATABASE_URL: `${twice}?x=1` })).toMatch(
      /^StorageError: DIRECT_DATABASE_URL .* is a pooler/,
    );
    expect(await refusalOf({ DATABASE_URL: '' })).toMatch(
      /^StorageError: DIRECT_DATABASE_URL requires DATABASE_URL/,
    );
  });
});

describe.skipIf(pgbouncerTooNew)(`before PgBouncer below 1.21${because(pgbouncerTooNew)}`, () => {
  test('a start is refused, naming its version where it tells it, and the one that is needed', async () => {
    await limitStatements(database.url, 10_000);
    const refusal = await refusalOf();
    expect(refusal).toMatch(
      /^StorageError: The pooler of DATABASE_URL .* does not keep the prepared statements of its clients apart/,
    );
    expect(refusal).toMatch(/it is PgBouncer 1\.(1\d|20)\..*PgBouncer 1\.21 or newer.*docs\/operating\.md/);
    expect(await tracesBehind(pooler.port, database.url)).toEqual([]);

    const discreet = await startPgBouncer(inject('testServer').url, { settings: { stats_users: 'nobody' } });
    expect(await refusalOf({}, discreet)).toMatch(/it is PgBouncer before 1\.21, or/);
    await discreet.stop();
  });
});

describe.skipIf(pgbouncerTooOld)(`before PgBouncer 1.21 or newer${because(pgbouncerTooOld)}`, () => {
  test('the log names what a pooler does not pass on, and the statements that mend it', async () => {
    await limitStatements(database.url, 10_000);
    const warningsOf = async () => {
      const { log: captured, lines } = captureLog();
      const given = { DATABASE_URL: through(pooler.port, database.url), DIRECT_DATABASE_URL: database.url };
      await (await openDatabase(loadConfig(given), captured)).close();
      return lines.flatMap(({ msg }) => (/^requests run with/.test(msg) ? [msg] : []));
    };
    const name = new URL(database.url).pathname.slice(1);
    const admin = await connectTo(database.url);
    await admin.query(`ALTER DATABASE ${name} SET jit = on`);
    const [warning = '', ...others] = await warningsOf();
    expect(others).toEqual([]);
    const statements = warning.match(/ALTER ROLE "?\w+"? SET \w+ = [\w.]+/g) ?? [];
    expect(statements.map((each) => each.replace(/^.* SET /, ''))).toEqual(
      expect.arrayContaining(['plan_cache_mode = force_generic_plan', 'jit = off']),
    );
    for (const each of statements) await admin.query(each.replace(' SET ', ` IN DATABASE ${name} SET `));
    await admin.end();
    await reconnect(pooler.port, database.url);
    expect(await warningsOf()).toEqual([]);
  });

  test('a start is refused where prepared statements are switched off', async () => {
    const off = await startPgBouncer(inject('testServer').url, { settings: { max_prepared_statements: 0 } });
    expect(await refusalOf({}, off)).toMatch(
      /it is PgBouncer 1\.\d+\.\d+, perhaps with max_prepared_statements = 0/,
    );
    await off.stop();
  });

  test('a start is refused while the role has no time limit, or a longer one, naming the statement that sets it', async () => {
    const command = /ALTER ROLE "\w+" SET statement_timeout = 10000; then RECONNECT/;
    expect(await refusalOf()).toMatch(/have no time limit, while STATEMENT_TIMEOUT_MS is 10000\. /);
    expect(await refusalOf()).toMatch(command);
    await limitStatements(database.url, 10_001);
    const fresh = await startPgBouncer(inject('testServer').url);
    expect(await refusalOf({}, fresh)).toMatch(/may take 10001 ms, while/);
    await fresh.stop();
  });

  test('a start is refused where the two addresses lead to different databases', async () => {
    const other = await createDatabase({ migrated: false });
    await limitStatements(database.url, 10_000);
    expect(await refusalOf({ DIRECT_DATABASE_URL: other.url })).toMatch(
      /^StorageError: DATABASE_URL .* and DIRECT_DATABASE_URL name different databases/,
    );
    await other.drop();
  });

  test('an empty database is migrated past it, which leaves nothing on its connections', async () => {
    await limitStatements(database.url, 10_000);
    const storage = await open();
    expect(storage.description).toMatch(
      /^PostgreSQL \S+ at .*, through the pooler at 127\.0\.0\.1:\d+\/test_/,
    );
    expect(await storage.prisma.installation.count()).toBe(0);
    await storage.session(async (session) => {
      await session.query(`SET lock_timeout = 1; CREATE TEMPORARY TABLE mine (); SELECT pg_advisory_lock(1)`);
    });
    await storage.close();
    expect(await tracesBehind(pooler.port, database.url)).toEqual([]);
  });

  test('what is left on its connections would be found', async () => {
    const careless = await connectTo(through(pooler.port, database.url));
    await careless.query(`SET lock_timeout = 1; SELECT pg_advisory_lock(7); CREATE TEMPORARY TABLE mine (); LISTEN us;
      PREPARE ours AS SELECT 1`);
    expect((await tracesBehind(pooler.port, database.url)).sort()).toEqual([
      'channel us',
      'lock 0 7',
      'setting lock_timeout = 1',
      'statement ours',
      'table mine',
    ]);
    await careless.end();
  });

  test('statements end at the time limit of the role', async () => {
    await limitStatements(database.url, 200);
    const storage = await open({ STATEMENT_TIMEOUT_MS: '200' });
    const slow = { name: 'slow', text: 'SELECT pg_sleep(60)::text' };
    await expect(storage.read(slow, [])).rejects.toMatchObject({ code: '57014' });
    await storage.close();
  });
});
