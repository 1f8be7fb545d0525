import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exportDatabase, runExport } from '../harness/export.js';
import { createImportDatabase, type ImportDatabase } from '../harness/ingest.js';
import { idOf, utxoRow } from '../harness/ledger-rows.js';
import { commandLine } from '../harness/moraine.js';
import { withMount } from '../harness/mount.js';
import { readSample } from '../harness/sample.js';
import { importRows } from '../harness/seed.js';

const files = exportDatabase();
const sample = readSample();
let database: ImportDatabase;

beforeAll(async () => {
  database = await createImportDatabase();
  for (const name of ['fuji.p-chain.utxos', 'fuji.p-chain.transactions', 'fuji.x-chain.vertices'])
    await importRows(database.storage, name, sample.rowsOf<object>(name).slice(0, 300));
});
afterAll(async () => {
  files.drop();
  await database.close();
});

const environment = () => ({ PATH: process.env['PATH'], DATABASE_URL: database.url });

test('an export is of the moment at which it began, whatever is imported while it writes', async () => {
  const paths = [
    database.write('fuji.p-chain.utxos.ndjson', [utxoRow('meanwhile', {}, 'fuji')]),
    database.write(
      'fuji.x-chain.vertices.ndjson',
      sample.rowsOf<object>('fuji.x-chain.vertices').slice(300, 310),
    ),
  ];
  let imports = 0;
  const kind = ['utxos', 'vertices'];
  // The export stands still in its first file until the import, another process, has ended.
  const advance = () => {
    imports += 1;
    if (imports === 1)
      execFileSync(process.execPath, [commandLine, 'import', ...paths], {
        env: environment(),
        stdio: 'ignore',
      });
  };
  const showProgress = () => ({ advance, print: () => undefined, stop: () => undefined });
  const meanwhile = await runExport(database.storage, files.path('meanwhile'), { kind, showProgress });
  expect(imports).toBeGreaterThan(0);
  const { rows } = await runExport(database.storage, files.path('after'), { kind });
  expect(rows).toBe(meanwhile.rows + 11);
  const read = (name: string, file: string) =>
    readFileSync(`${files.path(name)}/${file}.ndjson`, 'utf8')
      .trim()
      .split('\n');
  for (const [file, more] of [
    ['fuji.p-chain.utxos', 1],
    ['fuji.x-chain.vertices', 10],
  ] as const) {
    expect(read('after', file)).toHaveLength(read('meanwhile', file).length + more);
  }
  expect(read('meanwhile', 'fuji.p-chain.utxos').join()).not.toContain(idOf('meanwhile'));
});

test('the progress goes up to all rows, file after file', async () => {
  const reports: { total: number; read: number; rows: number }[] = [];
  const { rows, files: written } = await runExport(database.storage, files.path('progress'), {
    showProgress: (total) => ({
      advance: (read, rows) => reports.push({ total, read, rows }),
      print: () => undefined,
      stop: () => undefined,
    }),
  });
  expect(reports.length).toBeGreaterThanOrEqual(written.length);
  expect(reports.at(-1)?.rows).toBe(rows);
  for (const [index, { total, read, rows: done }] of reports.entries()) {
    expect(read).toBeLessThanOrEqual(total);
    expect(read).toBeGreaterThanOrEqual(reports[index - 1]?.read ?? 0);
    expect(done).toBeGreaterThan(reports[index - 1]?.rows ?? 0);
  }
});

const hasTerminals = process.platform === 'linux' && spawnSync('script', ['--version']).status === 0;

test.skipIf(!hasTerminals)(
  `a terminal is shown how far it is${hasTerminals ? '' : ' (skipped: needs `script` of util-linux)'}`,
  () => {
    const command = `'${process.execPath}' '${commandLine}' export '${files.path('terminal')}'`;
    const env = { ...environment(), TERM: 'xterm' };
    const shown = execFileSync('script', ['-qec', command, '/dev/null'], { env, encoding: 'utf8' });
    const [, total] = /([\d,]+) rows written to/.exec(shown) ?? [];
    const steps = [...shown.matchAll(/(\d+)% \| (\d+) rows \|/g)].map(([, percent, rows]) => [percent, rows]);
    expect(steps[0]).toEqual(['0', '0']);
    expect(steps.at(-1)?.[1]).toBe(total?.replace(',', ''));
    expect(Number(steps.at(-1)?.[0])).toBeGreaterThan(50);
  },
);

test('a target without room is reported in a sentence, and left as it was', async (context) => {
  await withMount(context, { options: 'size=64k', path: files.path('small') }, (mounted) => {
    spawnSync('dd', ['if=/dev/zero', `of=${mounted}/ballast`, 'bs=4k', 'count=12'], { stdio: 'ignore' });
    const { status, stdout, stderr } = spawnSync(process.execPath, [commandLine, 'export', mounted], {
      env: environment(),
      encoding: 'utf8',
    });
    expect({ status, output: stdout + stderr }).toEqual({
      status: 1,
      output: `moraine: there is no space left in ${mounted}; nothing was written\n`,
    });
    expect(readdirSync(mounted)).toEqual(['ballast']);
  });
});
