import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDatabase } from './harness/database.js';
import { temporaryFolder } from './harness/embedded.js';
import { launch, served } from './harness/launched.js';
import { utxoRow } from './harness/ledger-rows.js';

const root = resolve(import.meta.dirname, '..');
const require = createRequire(import.meta.url);
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  engines: { node: string };
};

/** All files below a folder, by their paths from `from`. */
function filesUnder(folder: string, from: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(from, join(entry.parentPath, entry.name)));
}

describe('the package, installed in an empty folder,', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let installed: string;
  let command: string;

  /** Runs a program of npm's by the Node that runs this test. */
  async function run(cwd: string, program: string, ...args: string[]): Promise<string> {
    const PATH = [dirname(process.execPath), process.env['PATH']].join(delimiter);
    return (await promisify(execFile)(program, args, { cwd, env: { ...process.env, PATH } })).stdout;
  }

  beforeAll(async () => {
    folder = await temporaryFolder();
    await run(root, 'npm', 'pack', '--pack-destination', folder.path);
    const [tarball = ''] = readdirSync(folder.path);
    // Without one npm would take a folder above for the project.
    writeFileSync(join(folder.path, 'package.json'), '{ "private": true, "type": "module" }');
    const quick = ['--prefer-offline', '--no-audit', '--no-fund'];
    await run(folder.path, 'npm', 'install', '--engine-strict', ...quick, tarball);
    installed = join(folder.path, 'node_modules/moraine');
    command = join(folder.path, 'node_modules/.bin/moraine');
  });
  afterAll(() => folder.drop());

  test('holds what runs, its entry’s types, what people read, and nothing else', () => {
    const compiled = ['src', 'sample']
      .flatMap((part) => filesUnder(join(root, part), root))
      .filter((file) => file.endsWith('.ts'))
      .map((file) => join('dist', file.replace(/\.ts$/, '.js')));
    const others = ['bin/moraine.mjs', 'dist/src/index.d.ts'];
    const read = ['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json'];
    const migrations = filesUnder(join(root, 'prisma/migrations'), root);
    const expected = [...compiled, ...others, ...read, ...migrations];
    expect(filesUnder(installed, installed).sort()).toEqual(expected.sort());
  });

  test('brings no package that refuses the oldest Node that it runs on itself', async () => {
    const oldest = manifest.engines.node.replace('>=', '');
    const engine = ':attr(engines, [node])';
    const refusing = await run(
      folder.path,
      ...(['npm', 'query', `${engine}:not(:semver(${oldest}.0, ${engine}))`] as const),
    );
    const found = JSON.parse(refusing) as { _id: string }[];
    expect(found.map(({ _id }) => _id)).toEqual([]);
  });

  test('has a command that tells what it can', async () => {
    expect(await run(folder.path, 'npx', '--no', '--', 'moraine', '--help')).toContain('Usage: moraine');
  });

  test('serves the sample from an embedded database, takes files and keys, and stops', async () => {
    const env = { DATA_DIR: join(folder.path, 'data'), RATE_LIMITS: 'on' };
    const gateway = launch(['serve'], env, command);
    const url = await gateway.says(served);
    const list = `${url}/v1/networks/fuji/blockchains/p-chain/utxos`;
    const page = (await (await fetch(`${list}?pageSize=1`)).json()) as { utxos: object[] };
    expect(page.utxos).toHaveLength(1);
    const asked = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        query: '{ utxos(network: fuji, blockchainId: "p-chain", first: 1) { nodes { utxoId } } }',
      }),
    });
    expect(await asked.json()).toMatchObject({ data: { utxos: { nodes: page.utxos.map(utxoIdOf) } } });

    const row = utxoRow('from a file', {}, 'fuji');
    writeFileSync(join(folder.path, 'fuji.p-chain.utxos.ndjson'), `${JSON.stringify(row)}\n`);
    const imported = launch(['import', join(folder.path, 'fuji.p-chain.utxos.ndjson')], env, command);
    expect((await imported.ended).code, imported.output()).toBe(0);
    const made = launch(['keys', 'create', '--plan', 'free', '--name', 'Ada'], env, command);
    expect((await made.ended).code, made.output()).toBe(0);
    const [key = ''] = /mrn_\w+/.exec(made.output()) ?? [];
    const reply = await fetch(`${list}?addresses=${row.addresses[0]}`, {
      headers: { 'x-service-api-key': key },
    });
    expect(reply.headers.get('ratelimit-policy')).toContain('name="free"');
    expect(await reply.json()).toMatchObject({ utxos: [utxoIdOf(row)] });

    expect((await gateway.stop()).code, gateway.output()).toBe(0);
  });

  test('is embedded by the program of docs/embedding.md, as TypeScript compiles it', async () => {
    const [, program = ''] =
      /```ts\n(.*?)```/s.exec(readFileSync(join(root, 'docs/embedding.md'), 'utf8')) ?? [];
    writeFileSync(join(folder.path, 'program.ts'), program);
    const types = join(dirname(require.resolve('@types/node/package.json')), '..');
    const options = ['--strict', '--module', 'nodenext', '--target', 'es2023', '--typeRoots', types];
    // All that dependencies declare is checked; what TypeScript itself brings, and types of our own tools, are not.
    const alone = ['--types', 'node', '--skipDefaultLibCheck'];
    const compiler = require.resolve('typescript/bin/tsc');
    await run(folder.path, process.execPath, compiler, ...options, ...alone, 'program.ts');

    const database = await createDatabase();
    const env = { DATABASE_URL: database.url, LOG_LEVEL: 'silent' };
    const embedding = launch([], env, join(folder.path, 'program.js'));
    const url = await embedding.says(/http:\/\/127\.0\.0\.1:\d+/);
    expect(embedding.output()).toMatch(/^200 \{/);
    expect((await fetch(`${url}/ready`)).status).toBe(200);
    expect((await embedding.stop()).code, embedding.output()).toBe(0);
    await database.drop();
  });
});

const utxoIdOf = (utxo: object) => ({ utxoId: (utxo as { utxoId: string }).utxoId });
