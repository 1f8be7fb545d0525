import { cpSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { connectTo } from '../harness/connections.js';
import { createDatabase, type TestDatabase } from '../harness/database.js';
import { temporaryFolder } from '../harness/embedded.js';
import { changeFile, copyGateway } from '../harness/gateway-copy.js';
import { launch } from '../harness/launched.js';

let database: TestDatabase;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let command: string;

beforeEach(async () => {
  database = await createDatabase({ migrated: false });
  folder = await temporaryFolder();
  command = copyGateway(folder.path);
});
afterEach(async () => {
  await database.drop();
  await folder.drop();
});

/**
 * Runs a command, or a program, to its end, and tells how it ended and how many tables the database has
 * since.
 */
async function run(args: string[], env: Record<string, string> = {}, script = command) {
  const process = launch(args, { DATABASE_URL: database.url, ...env }, script);
  const { code } = await process.ended;
  const client = await connectTo(database.url);
  const { rows } = await client.query(
    `SELECT count(*)::int AS tables FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  );
  await client.end();
  return { code, output: process.output(), ...(rows[0] as { tables: number }) };
}

test('a gateway whose document does not fit its schema migrates nothing, whatever the command', async () => {
  changeFile(folder.path, 'dist/src/generated/graphql/graphql.js', '"value": "json"', '"value": "nonsense"');
  const file = join(folder.path, 'fuji.assets.ndjson');
  writeFileSync(file, '');
  const program = join(folder.path, 'program.mjs');
  const entry = pathToFileURL(join(folder.path, 'dist/src/index.js'));
  writeFileSync(program, `import { buildApp } from '${entry.href}';\nawait buildApp();\n`);
  const all = [run(['serve']), run(['serve'], { PROCESSES: '2' }), run([], {}, program)];
  for (const args of [['worker'], ['migrate'], ['import', file], ['keys', 'list']]) all.push(run(args));
  const refused = {
    code: 1,
    tables: 0,
    output: expect.stringMatching(/the database was not changed: .*Cannot query field "nonsense"/s),
  };
  for (const each of all) expect(await each).toMatchObject(refused);
});

test('settings that do not fit the schema are refused before anything is migrated', async () => {
  const PLANS = '{"free": {"fields": {"Query.nothing": {"calls": 1, "seconds": 1}}}}';
  expect(await run(['serve'], { PLANS })).toMatchObject({
    code: 1,
    tables: 0,
    output: expect.stringContaining('Query.nothing'),
  });
});

describe('a gateway whose packages find', () => {
  function install(version?: string): void {
    const installed = join(folder.path, 'node_modules/graphql');
    const source = realpathSync(installed);
    rmSync(installed);
    cpSync(source, installed, { recursive: true });
    if (version)
      changeFile(
        folder.path,
        'node_modules/graphql/package.json',
        '"version": "16',
        `"version": "${version}`,
      );
  }

  test('two copies of graphql says so, and how it is mended, and migrates nothing', async () => {
    install();
    expect(await run(['serve'])).toMatchObject({
      code: 1,
      tables: 0,
      output: expect.stringMatching(
        /^moraine: Moraine needs one graphql .* another copy .* npm install graphql@16\n$/,
      ),
    });
  });

  test('another graphql than it needs says so', async () => {
    install('17');
    expect(await run(['serve'])).toMatchObject({
      code: 1,
      tables: 0,
      output: expect.stringMatching(
        /^moraine: Moraine needs one graphql .* finds 17\..* npm install graphql@16\n$/,
      ),
    });
  });
});
