import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../harness/embedded.js';
import { makeProject, quick, run } from '../harness/npm.js';

const own = resolve(import.meta.dirname, '../../packages/embedded-postgres-server');
const require = createRequire(import.meta.url);

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let project: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  await run(own, 'npm', 'pack', '--pack-destination', folder.path);
  project = makeProject(join(folder.path, 'library'));
  const tarball = join(folder.path, readdirSync(folder.path).find((file) => file.endsWith('.tgz')) ?? '');
  await run(project, 'npm', 'install', ...quick, tarball, 'pino@10');
});

afterAll(() => folder.drop());

test('the package holds its code, its types, its licence and a page', () => {
  const installed = readdirSync(join(project, 'node_modules/embedded-postgres-server')).sort();
  expect(installed).toEqual(['LICENSE', 'README.md', 'dist', 'package.json']);
});

test('the program of its page runs, on a server that has the program’s name everywhere', async () => {
  const [, program = ''] = /```ts\n(.*?)```/s.exec(readFileSync(join(own, 'README.md'), 'utf8')) ?? [];
  const dataFolder = join(folder.path, 'data');
  const question = `
    const { rows } = await client.query('SELECT current_user::text AS user, current_database()::text AS database');
    process.stderr.write(JSON.stringify(rows[0]));`;
  const asking = program.replace('/srv/library', dataFolder).replace('// …', question);
  writeFileSync(join(project, 'program.js'), asking.replace('pino()', "pino({ level: 'silent' })"));
  writeFileSync(join(project, 'asks.sh'), `'${process.execPath}' program.js 2>&1`);
  expect(JSON.parse(await run(project, 'sh', 'asks.sh'))).toEqual({ user: 'library', database: 'library' });
  expect(readdirSync(dataFolder).sort()).toEqual(['postgres', 'postgres.log']);
  const inCluster = readdirSync(join(dataFolder, 'postgres'));
  expect(inCluster).toContain('library-password');
  // The last process that left has stopped the server.
  expect(inCluster).not.toContain('postmaster.pid');
});

test('its errors have a reason, as its types say', async () => {
  const file = join(folder.path, 'file');
  writeFileSync(file, '');
  writeFileSync(
    join(project, 'errors.ts'),
    `import { EmbeddedError, joinServer, type Log, type Reason } from 'embedded-postgres-server';
     const log: Log = { info: () => {}, warn: () => {}, error: () => {} };
     const reason: Reason | undefined = await joinServer({ name: 'library', dataFolder: '${file}', log }).then(
       () => undefined,
       (error: unknown) => (error instanceof EmbeddedError ? error.reason : undefined),
     );
     console.log(reason);`,
  );
  const types = join(dirname(require.resolve('@types/node/package.json')), '..');
  const options = ['--strict', '--module', 'nodenext', '--target', 'es2023', '--typeRoots', types];
  const compiler = require.resolve('typescript/bin/tsc');
  await run(project, process.execPath, compiler, ...options, '--types', 'node', 'errors.ts');
  expect(await run(project, process.execPath, 'errors.js')).toBe('not-a-folder\n');
});
