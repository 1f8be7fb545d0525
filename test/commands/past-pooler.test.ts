import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { createDatabase, type TestDatabase } from '../harness/database.js';
import { temporaryFolder } from '../harness/embedded.js';
import { launch } from '../harness/launched.js';
import { pgbouncerTooOld, startPgBouncer, through } from '../harness/pgbouncer.js';
import { limitStatements, tracesBehind } from '../harness/pooler-traces.js';
import { askOnce, launchProcesses } from '../harness/several-processes.js';

async function openDatabase(options: { sample: boolean }): Promise<TestDatabase> {
  const database = await createDatabase(options);
  onTestFinished(() => database.drop());
  return database;
}

test('commands go past the pooler, even where that is away', async () => {
  const database = await openDatabase({ sample: false });
  const folder = await temporaryFolder();
  const env = {
    DATABASE_URL: 'postgresql://someone@127.0.0.1:1/moraine',
    DIRECT_DATABASE_URL: database.url,
    LOG_LEVEL: 'info',
  };
  const run = async (...args: string[]) => {
    const command = launch(args, env);
    const { code } = await command.ended;
    return `${code} ${command.output()}`;
  };
  const exported = join(folder.path, 'exported');
  expect(await run('migrate')).toMatch(/^0 PostgreSQL \S+ at (?!127\.0\.0\.1:1\/).* is up to date/);
  expect(await run('sample')).toMatch(/^0 .*sample: \d+ rows/s);
  expect(await run('export', '--kind', 'chains', '--', exported)).toMatch(/^0 .*rows written to 1 file/s);
  const files = (await readdir(exported)).map((file) => join(exported, file));
  expect(await run('import', ...files)).toMatch(/^0 .* 0 written, \d+ unchanged, 0 rejected/s);
  expect(await run('keys', 'list')).toMatch(/^0 There are no keys yet/);
  expect(await run('serve')).toMatch(
    /^1 moraine: The database of DATABASE_URL \(127\.0\.0\.1:1\/moraine\) cannot be used/,
  );
  const worker = launch(['worker'], env);
  await worker.says(/processing NFT metadata jobs/);
  expect(await worker.stop()).toMatchObject({ code: 0 });
  await folder.drop();
});

test.skipIf(pgbouncerTooOld)(
  `several processes serve through a pooler${pgbouncerTooOld ? ` (skipped: ${pgbouncerTooOld})` : ''}`,
  async () => {
    const database = await openDatabase({ sample: true });
    await limitStatements(database.url, 10_000);
    const pooler = await startPgBouncer(inject('testServer').url);
    const gateway = await launchProcesses(2, {
      DATABASE_URL: through(pooler.port, database.url),
      DIRECT_DATABASE_URL: database.url,
    });
    try {
      expect(gateway.output()).toMatch(/, through the pooler at 127\.0\.0\.1:\d+\/test_\w+, 2 processes/);
      for (let round = 0; round < 20; round += 1) {
        const { status, text } = await askOnce(`${gateway.url}/v1/networks/fuji/blockchains/p-chain/utxos`);
        expect([status, text.length > 100]).toEqual([200, true]);
      }
      expect(gateway.answered().size).toBe(2);
    } finally {
      await gateway.stop();
    }
    expect(await tracesBehind(pooler.port, database.url)).toEqual([]);
    await pooler.stop();
  },
);
