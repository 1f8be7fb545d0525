import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config.js';
import { readSelection } from '../../src/export/selection.js';
import { exportKinds } from '../../src/resources.js';
import { loadInstallation } from '../../src/storage/installation.js';
import { openStorage } from '../../src/storage/open.js';
import { createDatabase } from '../harness/database.js';
import { exportDatabase, runExport } from '../harness/export.js';
import { createImportDatabase, type ImportDatabase } from '../harness/ingest.js';
import { idOf, outputId, utxoRow } from '../harness/ledger-rows.js';
import { importRows } from '../harness/seed.js';
import { commandLine } from '../harness/moraine.js';
import { connectTo } from '../harness/connections.js';

const files = exportDatabase();
let database: ImportDatabase;
const day = (name: string, at: string, fields = {}) =>
  utxoRow(name, { blockTimestamp: Date.parse(at) / 1000, blockNumber: '1', ...fields });

beforeAll(async () => {
  database = await createImportDatabase();
  const { storage } = database;
  const taken = { consumingTxHash: idOf('taker'), consumingBlockTimestamp: Date.parse('2026-03-01') / 1000 };
  await importRows(storage, 'mainnet.p-chain.utxos', [
    day('january', '2026-01-01'),
    day('february', '2026-02-01T00:00:00Z'),
    day('taken in march', '2026-01-01', taken),
    utxoRow('unknown'),
  ]);
  await importRows(storage, 'fuji.p-chain.utxos', [utxoRow('of fuji', {}, 'fuji')]);
});
afterAll(async () => {
  files.drop();
  await database.close();
});

/** `moraine export`, in a process of its own. */
async function command(args: string[], env: Record<string, string> = {}, during?: (pid: number) => unknown) {
  const child = spawn(process.execPath, [commandLine, 'export', ...args], {
    env: { PATH: process.env['PATH'], DATABASE_URL: database.url, ...env },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += String(text)));
  if (child.pid !== undefined) await during?.(child.pid);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

const idsIn = (path: string) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => (JSON.parse(line) as { utxoId: string }).utxoId);

describe('the command', () => {
  test('writes packed files, says what it did, and never over a file that holds something', async () => {
    const { code, output } = await command([files.path('out')]);
    expect(output).toMatch(
      /^7 rows written to 4 files in .*out\n[\d.]+ s, [\d,]+ rows\/s, peak memory \d+ MiB/m,
    );
    expect(code).toBe(0);
    const path = `${files.path('out')}/mainnet.p-chain.utxos.ndjson.gz`;
    expect(gunzipSync(readFileSync(path)).toString().trim().split('\n')).toHaveLength(4);

    writeFileSync(path, 'mine');
    const again = await command([files.path('out')]);
    expect(again.code).toBe(1);
    expect(again.output).toMatch(/^moraine: .*exists already and would be overwritten/m);
    expect(readFileSync(path, 'utf8')).toBe('mine');
  });

  test('puts nothing into the folder when it is interrupted', async () => {
    // Somebody holds a table, so that it is still at work when the signal comes.
    const holder = await connectTo(database.url);
    await holder.query('BEGIN; LOCK TABLE vertex IN ACCESS EXCLUSIVE MODE');
    const waits = `SELECT 1 FROM pg_locks WHERE relation = 'vertex'::regclass AND NOT granted`;
    const { code, output } = await command([files.path('stopped')], {}, async (pid) => {
      while ((await holder.query(waits)).rowCount === 0);
      process.kill(pid, 'SIGINT');
      await holder.query('SELECT pg_sleep(0.3)');
      await holder.query('ROLLBACK');
    });
    await holder.end();
    expect(output).toContain('stopped: nothing was written');
    expect(code).toBe(130);
    expect(readdirSync(files.path('stopped'))).toEqual([]);
  });

  test.each([
    [['--kind', 'utxo'], /--kind "utxo" is not one of assets, utxos/],
    [['--network', 'kovan'], /--network "kovan" is not mainnet or fuji/],
    [['--chain', 'q'], /--chain "q" is not p, x, c or an EVM chain id/],
    [['--since', 'yesterday'], /--since "yesterday" is not a day/],
  ])('refuses %j before it opens anything', ([option = '', value = ''], message) => {
    expect(() =>
      readSelection({ [option.slice(2)]: option === '--since' ? value : [value] }, exportKinds),
    ).toThrow(message);
  });

  test('warns of the secrets that it writes, into a file that only the operator reads', async () => {
    const { secret } = await loadInstallation(database.storage.prisma);
    const { code, output } = await command(['--with-secrets', files.path('secrets')]);
    expect(code).toBe(0);
    expect(output).toContain('the secret of its page tokens, in the file moraine.installation.ndjson');
    expect(output).not.toContain(secret.toString('hex'));
    const path = `${files.path('secrets')}/moraine.installation.ndjson`;
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(files.path('secrets')).mode & 0o777).toBe(0o700);
    expect(readFileSync(path, 'utf8')).toContain(secret.toString('hex'));
    expect(readdirSync(files.path('out')).join()).not.toContain('installation');
  });

  test('says that a database which no gateway has served has no secrets to write', async () => {
    const unserved = await createDatabase();
    const env = { DATABASE_URL: unserved.url };
    const { code, output } = await command(['--with-secrets', files.path('unserved')], env);
    await unserved.drop();
    expect(code).toBe(0);
    expect(readdirSync(files.path('unserved'))).toEqual([]);
    expect(output).toContain('contains no secret and no keys');
    expect(output).not.toContain('moraine.installation.ndjson');
  });
});

describe('what is selected', () => {
  const names = (options: object, name: string) =>
    runExport(database.storage, files.path(name), options).then((result) => result.files.sort());

  test('is the networks, chains and kinds that are named', async () => {
    expect(await names({ network: ['fuji'], kind: ['utxos', 'assets'] }, 'fuji')).toEqual([
      'fuji.assets.ndjson',
      'fuji.p-chain.utxos.ndjson',
    ]);
    expect(await names({ chain: ['x-chain', '43114'], kind: ['utxos', 'transactions'] }, 'x')).toEqual([]);
  });

  test('of a range of time are outputs that were made or taken in it', async () => {
    const ids = async (name: string, range: object) => {
      await names({ ...range, network: ['mainnet'], kind: ['utxos'] }, name);
      return idsIn(`${files.path(name)}/mainnet.p-chain.utxos.ndjson`).sort();
    };
    expect(await ids('since', { since: '2026-02-01' })).toEqual(
      [outputId('february'), outputId('taken in march')].sort(),
    );
    expect(await ids('until', { until: '2026-02-01' })).toEqual(
      [outputId('january'), outputId('taken in march'), outputId('unknown')].sort(),
    );
    expect(await ids('march', { since: '2026-03-01T00:00:00Z', until: '2026-04-01' })).toEqual([
      outputId('taken in march'),
    ]);
  });
});

test('an export writes nothing to the database, and no time-out of statements cuts it', async () => {
  const url = new URL(database.url);
  url.searchParams.set('options', '-c default_transaction_read_only=on');
  const config = loadConfig({ DATABASE_URL: url.href, STATEMENT_TIMEOUT_MS: '300', MIGRATE: 'off' });
  const storage = await openStorage(config, pino({ level: 'silent' }));
  const holder = await connectTo(database.url);
  try {
    await holder.query('BEGIN; LOCK TABLE vertex IN ACCESS EXCLUSIVE MODE');
    const exported = runExport(storage, files.path('read-only'));
    await holder.query('SELECT pg_sleep(1.5)');
    await holder.query('ROLLBACK');
    expect((await exported).rows).toBe(7);
  } finally {
    await holder.end();
    await storage.close();
  }
});
