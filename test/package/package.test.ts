import { copyFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDatabase } from '../harness/database.js';
import { temporaryFolder } from '../harness/embedded.js';
import { launch, served } from '../harness/launched.js';
import { utxoRow } from '../harness/ledger-rows.js';
import { copiesIn, installNpm, makeProject, quick, run, type Npm } from '../harness/npm.js';
import { stepOfRelease, withoutOtherCompilers } from '../harness/ops-files.js';

const root = resolve(import.meta.dirname, '..', '..');
const require = createRequire(import.meta.url);
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  engines: { node: string };
  version: string;
  dependencies: Record<string, string>;
  devDependencies: { graphql: string };
};

/** All files below a folder, by their paths from `from`. */
function filesUnder(folder: string, from: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(from, join(entry.parentPath, entry.name)));
}

/**
 * Bytes of the files of an installed Moraine, without and with compilers for other databases; the disk takes
 * a third more.
 */
const MOST_NEEDED = 225e6;
const MOST_INSTALLED = 290e6;

/**
 * Of the project that the package is installed in, older than ours: npm puts them at the top, together with
 * what uses them.
 */
const ownPackages = { '@pothos/core': '4.3.0', pg: '8.16.3' };

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let tarball: string;

/** What files take together, bytes. */
const bytesUnder = (path: string) =>
  filesUnder(join(path, 'node_modules'), path).reduce(
    (sum, file) => sum + statSync(join(path, file)).size,
    0,
  );

afterAll(() => folder.drop());

describe('the package, installed twice next to older packages of the project, and another one after it,', () => {
  let installed: string;
  let command: string;

  beforeAll(async () => {
    folder = await temporaryFolder();
    await run(root, 'npm', 'pack', '--pack-destination', folder.path);
    tarball = join(folder.path, readdirSync(folder.path)[0] ?? '');
    makeProject(folder.path, { dependencies: ownPackages });
    const install = (...args: string[]) => run(folder.path, 'npm', 'install', ...quick, ...args);
    await install('--engine-strict', tarball);
    // npm arranges packages differently each time.
    await install(tarball);
    await install('--install-links', makeProject(join(folder.path, 'other'), { name: 'other' }));
    installed = join(folder.path, 'node_modules/moraine');
    command = join(folder.path, 'node_modules/.bin/moraine');
  });
  test('holds what runs, its entry’s types, what people read, and nothing else', () => {
    const compiled = ['src', 'sample', 'packages/embedded-postgres-server/src']
      .flatMap((part) => filesUnder(join(root, part), root))
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))
      .map((file) => join('dist', file.replace(/\.ts$/, '.js')));
    const others = ['bin/moraine.mjs', 'dist/src/index.d.ts'];
    const read = [
      'CHANGELOG.md',
      'CODE_OF_CONDUCT.md',
      'CONTRIBUTING.md',
      'LICENSE',
      'README.md',
      'SECURITY.md',
    ];
    const folders = ['prisma/migrations', 'docs', 'ops', 'dist/explorer'].flatMap((part) =>
      filesUnder(join(root, part), root),
    );
    const expected = [...compiled, ...others, ...read, ...folders, 'package.json', 'schema.graphql'];
    const own = filesUnder(installed, installed).filter((file) => !file.startsWith('node_modules'));
    // npm leaves these out of every package.
    expect(own.sort()).toEqual(expected.filter((file) => !file.endsWith('.gitignore')).sort());
    const bundled = filesUnder(join(installed, 'node_modules'), installed).map((file) =>
      file.split('/').slice(1, 3).join('/'),
    );
    expect(bundled).toEqual(expect.arrayContaining(['@pothos/core', '@pothos/plugin-relay']));
  });

  test('leads from what people read to nothing that is missing', () => {
    const pages = filesUnder(installed, installed).filter((file) => /^[^/]+\.md$|^docs\/.*\.md$/.test(file));
    const missing = pages.flatMap((page) => {
      const links = readFileSync(join(installed, page), 'utf8').matchAll(/\]\((?!https?:|#)([^)#]+)/g);
      return [...links]
        .map(([, link = '']) => join(dirname(page), link))
        .filter((path) => !existsSync(join(installed, path)))
        .map((path) => `${page}: ${path}`);
    });
    expect(missing).toEqual([]);
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

  test('has one graphql for all', () => {
    expect(copiesIn(folder.path, 'graphql')).toEqual([expect.stringMatching(/^node_modules\/graphql@16\./)]);
  });

  test('takes no more room than it says, and serves without the compilers for other databases', async () => {
    const before = bytesUnder(folder.path);
    await run(folder.path, 'sh', '-c', withoutOtherCompilers);
    const after = bytesUnder(folder.path);
    console.log(`installed: ${Math.round(before / 1e6)} MB, needed: ${Math.round(after / 1e6)} MB`);
    expect([before > MOST_INSTALLED, after > MOST_NEEDED]).toEqual([false, false]);
  });

  test('has a bill of materials, made as the release makes it, that names what an installation holds', async () => {
    const release = makeProject(join(folder.path, 'release'), {
      devDependencies: { graphql: manifest.devDependencies.graphql },
    });
    copyFileSync(tarball, join(release, basename(tarball)));
    await run(release, 'bash', '-e', '-c', stepOfRelease('The bill of materials'));
    const bill = JSON.parse(readFileSync(join(release, 'moraine.cdx.json'), 'utf8')) as {
      components: { name: string }[];
    };
    const own = { ...manifest.dependencies, graphql: '', moraine: '' };
    const named = bill.components.map(({ name }) => name);
    expect(named).toEqual(expect.arrayContaining(Object.keys(own)));
  });

  test('has a command that tells what it can, and its version', async () => {
    expect(await run(folder.path, 'npx', '--no', '--', 'moraine', '--help')).toContain('Usage: moraine');
    expect(await run(folder.path, 'npx', '--no', '--', 'moraine', '--version')).toBe(`${manifest.version}\n`);
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
    // All declarations of dependencies are checked; TypeScript's own, and types of our own tools, are not.
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

describe.each([10, 11])('npm %i', (major) => {
  let npm: Npm;
  let project = '';
  const install = (...args: string[]) =>
    npm(project, 'install', ...quick, '--package-lock-only', '--install-links', ...args);
  const graphql = () => copiesIn(project, 'graphql');
  const onlyOurs = [expect.stringMatching(/^node_modules\/graphql@16\./)];

  beforeAll(async () => {
    npm = await installNpm(major, join(folder.path, `npm-${major}`));
  });

  /** A new project with what it depends on itself. */
  function begin(name: string, dependencies: Record<string, string> = {}): void {
    project = makeProject(join(folder.path, `npm-${major}`, name), { dependencies });
  }

  test('installs it twice, another package after it, and what its lock file says', async () => {
    begin('twice');
    await install(tarball);
    await install(tarball);
    await install(makeProject(join(folder.path, `npm-${major}/other`), { name: 'other' }));
    expect(graphql()).toEqual(onlyOurs);
    // The packages are the same as in the folder above, except for where npm puts them.
    await npm(project, 'ci', ...quick, '--install-links');
    const schema = pathToFileURL(join(project, 'node_modules/moraine/dist/src/try-assembly.js')).href;
    writeFileSync(
      join(project, 'assemble.js'),
      `import { tryAssembly } from '${schema}';
       import { loadConfig } from '${schema.replace('try-assembly', 'config')}';
       await tryAssembly(loadConfig({}), undefined);
       console.log('assembled');`,
    );
    expect(await run(project, process.execPath, 'assemble.js')).toBe('assembled\n');
  });

  test('installs it over one whose graphql was a dependency, as before, also where that had two copies', async () => {
    // Such a package, as far as npm reads it.
    const { graphql: version } = manifest.devDependencies;
    const dependencies = { ...manifest.dependencies, graphql: version };
    const older = makeProject(join(folder.path, `npm-${major}/older`), { name: 'moraine', dependencies });
    begin('over');
    await install(older);
    await install(tarball);
    expect(graphql()).toEqual(onlyOurs);
    begin('over-two');
    await install(older);
    await install(older);
    expect(graphql()).toContain('node_modules/graphql@15.11.0');
    await install(tarball, 'graphql@16');
    expect(graphql()).toEqual(onlyOurs);
  });

  test('installs it together with a package that depends on graphql 15', async () => {
    const dependencies = { graphql: '^15.0.0' };
    begin('next-to');
    await install(
      makeProject(join(folder.path, `npm-${major}/next-to-15`), { name: 'next-to', dependencies }),
    );
    await install(tarball);
    expect(graphql().filter((copy) => !copy.startsWith('node_modules/next-to/'))).toEqual(onlyOurs);
  });

  test.each(['15', '17'])('refuses it clearly in a project with graphql %s of its own', async (own) => {
    begin(`own-${own}`);
    await install(`graphql@${own}`);
    const before = graphql();
    await expect(install(tarball)).rejects.toThrow(/ERESOLVE[^]*graphql@"\^16/);
    expect(graphql()).toEqual(before);
  });
});
