import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase, type TestDatabase } from '../harness/database.js';
import { launchOnTerminal, served } from '../harness/launched.js';
import { screenOf } from '../harness/screen.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase({ migrated: false });
});
afterAll(() => database.drop());

test('on a terminal, a first start says in a few sentences what it does, and so do all its processes', async () => {
  const env = { DATABASE_URL: database.url, PROCESSES: '2', REQUEST_LOG: 'on' };
  const gateway = launchOnTerminal(['serve'], env);
  const url = await gateway.says(served);
  const greeted = screenOf(gateway.output());
  expect(greeted.filter((line) => line.includes('applied a migration'))).toHaveLength(1);
  expect(greeted).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^\d\d:\d\d:\d\d loading the generated sample chain$/),
      expect.stringMatching(/^\d\d:\d\d:\d\d loaded the generated sample chain \(rows \d+, written \d+/),
      expect.stringMatching(/^Moraine serves PostgreSQL .*, 2 processes$/),
      `  ${url}/`,
    ]),
  );
  expect(greeted.length).toBeLessThan(12);

  await fetch(`${url}/v1/networks/fuji/blockchains/p-chain/utxos?pageSize=1`);
  await gateway.says(/a request \(process [12], .*status 200/);
  const { code } = await gateway.stop('SIGINT');
  const screen = screenOf(gateway.output());
  expect(screen.filter((line) => line.includes('{'))).toEqual([]);
  expect(screen.findLast(Boolean)).toMatch(/^\d\d:\d\d:\d\d stopped$/);
  expect(code).toBe(0);
});
