import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { circlesOf, files, imports, packages, textOf } from './harness/source-imports.js';

const values = imports.filter(({ of }) => of === 'values');

/** The files of a resource, by their role. A name that none of these knows is not a role. */
const roles: Record<string, RegExp> = {
  // Where the roles of one resource meet.
  'resource-list': /^resource$/,
  'resource-schema': /^([a-z-]+-)?schema$/,
  'resource-rest': /^(rest|request-body)$/,
  loaders: /^(([a-z-]+-)?loaders|chain-loader)$/,
  store: /^(store|([a-z]+-)?list)$/,
  import: /^(import(-[a-z]+)?|write)$/,
  'resource-export': /^export$/,
  // The files that read other servers for jobs, and run the jobs.
  metadata: /^metadata\/[a-z-]+$/,
  job: /^(job|queue|start-jobs)$/,
  // How composite queries are evaluated.
  engine: /^(engine|engines|id-set|lending|set-cache|iterations)$/,
  // What a noun is: its rows, fields, keys and closed sets.
  is: /^(row|columns|fields|details|amount|genesis|key|candidate|holding|day|metric|present|tx-types)$/,
  // How it is requested: its arguments, and the sub-queries of a composite query.
  asks: /^(arguments|parameter|request|sub-query|sub-queries)$/,
  // How it is stored: the SQL that several statements share.
  stores: /^(query|holders)$/,
};

/**
 * The folders from which files of a folder may import values. Folders and files of src count, and a resource's roles.
 */
const allowed: Record<string, string[]> = {
  config: [],
  package: [],
  stop: [],
  // Messages between the processes of one gateway.
  cluster: ['config', 'stop'],
  errors: [],
  'concurrency-limit': [],
  numbers: [],
  json: ['numbers'],
  'json-bounds': ['errors'],
  resource: [],
  recipes: [],
  avalanche: ['errors', 'numbers'],
  failure: ['errors', 'storage'],
  telemetry: ['config', 'errors', 'storage'],
  // Of others only themselves; see the test of packages.
  packages: [],
  storage: ['errors', 'concurrency-limit', 'generated', 'avalanche', 'stop', 'packages'],
  paging: ['errors'],
  access: ['errors', 'concurrency-limit', 'config', 'storage', 'generated', 'failure', 'telemetry'],
  // What one client can hold of a server: connections, requests in flight, bytes that it does not read.
  shield: ['access', 'concurrency-limit', 'errors', 'rest'],
  arguments: ['errors', 'avalanche'],
  lists: ['json', 'paging', 'storage'],
  fields: ['storage', 'avalanche', 'json'],
  jobs: ['storage'],
  outbound: ['stop'],
  graphql: [
    'errors',
    'arguments',
    'lists',
    'fields',
    'concurrency-limit',
    'paging',
    'failure',
    'numbers',
    'json',
    'json-bounds',
    'storage',
    'config',
    'access',
    'avalanche',
    'telemetry',
    'package',
  ],
  execution: ['errors', 'arguments', 'failure', 'graphql', 'lists', 'paging', 'storage', 'telemetry'],
  rest: ['errors', 'package', 'paging', 'arguments', 'fields'],
  http: [
    'cluster',
    'execution',
    'errors',
    'concurrency-limit',
    'failure',
    'package',
    'json',
    'fields',
    'rest',
    'shield',
    'graphql',
    'json-bounds',
    'storage',
    'config',
    'access',
    'avalanche',
    'paging',
    'telemetry',
  ],
  rows: ['errors', 'fields', 'avalanche'],
  write: ['avalanche', 'storage'],
  // Reads nodes and makes their blocks into rows of the resources' kinds.
  follow: [
    'errors',
    'config',
    'avalanche',
    'json',
    'numbers',
    'storage',
    'rows',
    'write',
    'outbound',
    'stop',
    // The kinds of rows are in the resources' import files.
    'generated',
    'concurrency-limit',
    'resources',
    'import',
  ],
  // Makes rows again, and compares them.
  verify: ['follow', 'export', 'ingest', 'storage', 'avalanche', 'errors', 'json'],
  ingest: ['errors', 'rows', 'write', 'storage', 'json', 'avalanche'],
  // It uses only types of import files.
  sample: ['avalanche'],
  export: ['errors', 'package', 'storage', 'avalanche', 'ingest'],
  schema: ['graphql', 'resource-schema'],
  resources: ['resource-list'],
  'resource-list': ['resource-rest', 'resource-export', 'import', 'avalanche'],
  'resource-schema': [
    'graphql',
    'paging',
    'errors',
    'avalanche',
    'numbers',
    'json',
    'loaders',
    'store',
    'engine',
    'is',
    'asks',
    'stores',
    'access',
  ],
  'resource-rest': [
    'rest',
    'arguments',
    'fields',
    'errors',
    'avalanche',
    'numbers',
    'paging',
    'json',
    'generated',
    'is',
    'asks',
  ],
  loaders: ['graphql', 'lists', 'store', 'paging', 'avalanche', 'errors', 'is'],
  store: [
    'storage',
    'lists',
    'fields',
    'paging',
    'avalanche',
    'errors',
    'numbers',
    'json',
    'is',
    'asks',
    'stores',
    'generated',
  ],
  import: [
    'ingest',
    'rows',
    'write',
    'fields',
    'storage',
    'avalanche',
    'errors',
    'numbers',
    'json',
    'is',
    'generated',
  ],
  'resource-export': ['export', 'fields', 'storage', 'avalanche', 'store', 'is'],
  metadata: ['outbound', 'errors'],
  job: ['jobs', 'metadata', 'store', 'storage'],
  engine: ['cluster', 'errors', 'concurrency-limit', 'storage', 'store'],
  // Its table of fields says how an import reads each.
  is: ['rows', 'fields', 'avalanche', 'json'],
  asks: ['arguments', 'errors', 'avalanche', 'numbers', 'is', 'stores'],
  stores: ['fields', 'storage', 'avalanche', 'is'],
  generated: [],
};

/** Files that may import everything. */
const meeting =
  /^(main|index|app|serve|services|load-sample|open-database|try-assembly|embed|closing|signals)\.ts$|^commands\//;

const testFolders = readdirSync(import.meta.dirname, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => relative(import.meta.dirname, join(entry.parentPath, entry.name)));

function foldersAbove(file: string): string[] {
  const parts = file.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

interface Manifest {
  dependencies: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

const readManifest = (file: string) => JSON.parse(textOf(file)) as Manifest;

/** Undefined for a file that has no entry. */
function roomOf(file: string): string | undefined {
  const [, outside] = /^\.\.\/(sample|packages)\//.exec(file) ?? [];
  if (outside) return outside;
  const [first = '', , ...rest] = file.replace(/\.ts$/, '').split('/');
  if (first !== 'resources' || rest.length === 0) return first in allowed ? first : undefined;
  const role = rest.join('/');
  return Object.keys(roles).find((room) => roles[room]?.test(role));
}

describe('the layers', () => {
  test('every file has a room, and every room has files', () => {
    const own = files.filter((file) => !meeting.test(file));
    expect(own.filter((file) => roomOf(file) === undefined)).toEqual([]);
    const used = new Set(own.map(roomOf));
    expect(Object.keys(allowed).filter((room) => room !== 'generated' && !used.has(room))).toEqual([]);
  });

  test('the folders of tests are those of what they test', () => {
    // Folders that tests share, and suites of the whole that have their own command.
    const others = /^(harness|clients|faults|hostile|networks|package|soak)(\/|$)/;
    const folders = testFolders.filter((folder) => !others.test(folder));
    const tested = new Set(files.flatMap((file) => foldersAbove(file.replace('../', ''))));
    expect(folders.filter((folder) => !tested.has(folder))).toEqual([]);
  });

  test('every file is imported, or is where a program or a package begins', () => {
    const begins =
      /^(index|main|http\/more-listeners-child|graphql\/schema-text|\.\.\/sample\/examples)\.ts$|^\.\.\/packages\/[^/]+\/src\/(index|watchdog-child)\.ts$/;
    const imported = new Set(imports.map(({ to }) => to));
    const unused = files.filter((file) => !imported.has(file) && !begins.test(file));
    // The compiler finds declarations of other packages by itself.
    expect(unused.filter((file) => !file.endsWith('.d.ts'))).toEqual([]);
  });

  test('a file imports only rooms to its right', () => {
    const wrong = values
      .filter(({ from }) => !meeting.test(from))
      .filter(({ from, to }) => {
        const [here, there] = [roomOf(from), roomOf(to)];
        return here !== there && !(here && there && allowed[here]?.includes(there));
      })
      .map(({ from, to }) => `${from} -> ${to}`);
    expect(wrong).toEqual([]);
  });

  test('rest.ts and schema.ts never import each other', () => {
    const joints = values.filter(
      ({ from, to }) => [roomOf(from), roomOf(to)].sort().join() === 'resource-rest,resource-schema',
    );
    expect(joints).toEqual([]);
  });

  test('the rooms of machinery import no resource, not even a type of one', () => {
    const machinery =
      /^(rows|write|ingest|export|graphql|rest|jobs|http|shield|paging|storage|access|telemetry|avalanche)\//;
    const known = imports.filter(({ from, to }) => machinery.test(from) && to.startsWith('resources'));
    expect(known.map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
  });

  test('src imports the sample in one place, where it is loaded, and there its list of files alone', () => {
    const found = imports.filter(({ from, to }) => roomOf(from) !== 'sample' && roomOf(to) === 'sample');
    expect(found.map(({ from, to }) => `${from} -> ${to}`)).toEqual(['load-sample.ts -> ../sample/index.ts']);
  });

  test.each(packages)('the package %s imports only itself and what its package.json names', (name) => {
    const folder = `../packages/${name}/`;
    const outgoing = imports.filter(({ from, to }) => from.startsWith(folder) && !to.startsWith(folder));
    expect(outgoing.map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
    const own = files.filter((file) => file.startsWith(folder));
    const others = own.flatMap((file) => [...textOf(file).matchAll(/ from '(?!node:|\.)([^']+)'/g)]);
    const { dependencies, optionalDependencies } = readManifest(`${folder}package.json`);
    expect([...new Set(others.map(([, other]) => other))]).toEqual(Object.keys(dependencies));
    // The gateway holds the package's source, and installs what that needs.
    expect(readManifest('../package.json')).toMatchObject({
      dependencies,
      ...(optionalDependencies && { optionalDependencies }),
    });
  });

  test('no values circle', () => {
    expect(circlesOf(values)).toEqual([]);
  });

  test('no circle of types is larger than three files', () => {
    expect(circlesOf(imports).filter((circle) => circle.length > 3)).toEqual([]);
  });

  test('only storage uses the driver and the pool', () => {
    const driver = /from '(pg|pg-copy-streams|@prisma\/adapter-pg|.*\/whole-storage\.js)'/;
    const speakers = files.filter((file) => driver.test(textOf(file)));
    expect(speakers.filter((file) => !/^(storage|\.\.\/packages)\//.test(file))).toEqual([]);
  });

  test('the database is opened where the gateway is assembled before anything is migrated', () => {
    const openers = files.filter((file) => /\bopenStorage\b/.test(textOf(file)));
    expect(openers.sort()).toEqual(['open-database.ts', 'storage/open.ts']);
  });

  test('process.env is read in config.ts alone, and where PostgreSQL gets its own', () => {
    const readers = files.filter((file) => textOf(file).includes('process.env'));
    const allowed = ['config.ts', '../packages/embedded-postgres-server/src/os-account.ts'];
    expect(readers.filter((file) => !allowed.includes(file))).toEqual([]);
  });
});

test('a circle is found whichever way leads into it, and a tree has none', () => {
  const edges = (text: string) =>
    text.split(' ').map((edge) => ({ from: edge.charAt(0), to: edge.charAt(1) }));
  expect(circlesOf(edges('ab bc cd db ae ef fe'))).toEqual([
    ['b', 'c', 'd'],
    ['e', 'f'],
  ]);
  expect(circlesOf(edges('ab ac bd cd de'))).toEqual([]);
});
