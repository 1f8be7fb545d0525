import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readPrismaSchema } from '../bin/prisma-schema.js';
import { circlesOf, files, imports, packages, textOf } from './harness/source-imports.js';
import {
  schemaFile,
  stateTables,
  tables,
  tablesIn,
  tableUses,
  writersOfAny,
  withTables,
} from './harness/source-tables.js';

const values = imports.filter(({ of }) => of === 'values');

/** The files of a resource, by their role. A name that none of these knows is not a role. */
const roles: Record<string, RegExp> = {
  // Where the roles of one resource meet.
  'resource-list': /^resource$/,
  'resource-schema': /^([a-z-]+-)?schema$/,
  'resource-rest': /^(rest(-[a-z]+)?|request-body)$/,
  loaders: /^(([a-z-]+-)?loaders|chain-loader)$/,
  store: /^(store|live|([a-z]+-)?list)$/,
  import: /^(import(-[a-z]+)?|write)$/,
  'resource-export': /^export$/,
  // The files that read other servers for jobs, and run the jobs; what a job is belongs to `is`.
  metadata: /^metadata\/[a-z-]+$/,
  job: /^(job|start-jobs)$/,
  // What makes events of commits for webhooks, and sends them.
  hooks: /^(delivery|dispatch|position|levels|targets|secret|operating|(output|queued|validator)-events)$/,
  // How composite queries are evaluated.
  engine: /^(engine|engines|id-set|lending|set-cache|iterations)$/,
  // What a noun is: its rows, fields, keys and closed sets.
  is: /^(row|columns|fields|(subnet-)?details|amount|genesis|key|candidate|holding|day|metric|present|tx-types|queue)$/,
  // How it is requested.
  asks: /^(arguments|parameter|new-webhook)$/,
  // What a composite query consists of.
  'sub-queries': /^(request|sub-query|sub-queries)$/,
  // How it is stored: the SQL that several statements share.
  stores: /^(query|holders)$/,
};

/**
 * The folders from which files of a folder may import values. Folders and files of src count, and a
 * resource's roles.
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
  // The tables that a follower writes, as it and those who read them know them.
  state: ['avalanche'],
  failure: ['errors', 'storage'],
  telemetry: ['config', 'errors', 'storage'],
  // Of others only themselves; see the test of packages.
  packages: [],
  storage: ['errors', 'concurrency-limit', 'generated', 'avalanche', 'stop', 'packages'],
  paging: ['errors'],
  access: ['errors', 'concurrency-limit', 'config', 'storage', 'generated', 'failure', 'telemetry'],
  // What one client can hold of a server: connections, requests in flight, bytes that it does not read.
  shield: ['access', 'concurrency-limit', 'errors', 'rest'],
  arguments: ['errors', 'avalanche', 'numbers'],
  lists: ['json', 'paging', 'storage'],
  fields: ['storage', 'avalanche', 'json'],
  jobs: ['storage'],
  // What commits write first, as streams read it.
  live: ['access', 'concurrency-limit', 'errors', 'storage', 'write'],
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
    'live',
  ],
  execution: ['errors', 'arguments', 'failure', 'graphql', 'lists', 'paging', 'storage', 'telemetry'],
  rest: ['errors', 'package', 'paging', 'arguments', 'fields', 'json'],
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
    'json-bounds',
    'numbers',
    'storage',
    'rows',
    'state',
    'write',
    'outbound',
    'stop',
    // Files of an archive are read by lines as files of rows are.
    'ingest',
    // The kinds of rows are in the resources' import files.
    'generated',
    'concurrency-limit',
    'resources',
    'import',
  ],
  // Makes rows again, and compares them.
  verify: ['follow', 'export', 'ingest', 'state', 'storage', 'avalanche', 'errors', 'json'],
  ingest: ['errors', 'rows', 'write', 'state', 'storage', 'json', 'avalanche'],
  // It uses only types of import files.
  sample: ['avalanche'],
  export: ['errors', 'package', 'state', 'storage', 'avalanche', 'ingest'],
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
    'sub-queries',
    'stores',
    'access',
    'hooks',
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
    'sub-queries',
  ],
  loaders: ['graphql', 'lists', 'store', 'paging', 'avalanche', 'errors', 'is'],
  store: [
    'state',
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
    'state',
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
  job: ['hooks', 'jobs', 'live', 'metadata', 'outbound', 'store', 'storage', 'is', 'write'],
  hooks: ['avalanche', 'json', 'live', 'outbound', 'state', 'storage', 'store', 'is'],
  engine: ['cluster', 'errors', 'concurrency-limit', 'storage', 'store'],
  // Its table of fields says how an import reads each.
  is: ['rows', 'fields', 'avalanche', 'json', 'state'],
  asks: ['arguments', 'errors', 'avalanche', 'numbers', 'is'],
  'sub-queries': ['arguments', 'errors', 'avalanche', 'is', 'asks', 'stores'],
  stores: ['fields', 'storage', 'avalanche', 'is'],
  generated: [],
};

/** Of which other rooms a room knows only types: what it is given, or hands on. */
const allowedTypes: Record<string, string[]> = {
  cluster: ['access'],
  telemetry: ['outbound'],
  storage: ['config'],
  shield: ['config'],
  live: ['avalanche', 'config'],
  graphql: ['cluster'],
  execution: ['access'],
  rest: ['avalanche'],
  http: ['follow', 'live', 'recipes', 'resource'],
  // What a resource declares for others is made of their types.
  resource: ['avalanche', 'export', 'ingest', 'rest', 'write'],
  resources: ['resource'],
  'resource-list': ['resource', 'rest'],
  'resource-schema': ['arguments', 'lists', 'live'],
  loaders: ['asks', 'config'],
  store: ['arguments', 'graphql', 'live', 'metadata'],
  import: ['store'],
  metadata: ['config', 'is'],
  hooks: ['jobs'],
  job: ['config', 'telemetry'],
  engine: ['graphql', 'stores', 'telemetry'],
  is: ['generated', 'graphql', 'jobs', 'lists'],
  stores: ['asks', 'lists', 'resource'],
  follow: ['is'],
  verify: ['generated'],
  // Lines of files have the types of those who read them.
  sample: ['import', 'state'],
};

/**
 * Which folders write a table, first its own, and which others read it: those of src, and of src/resources.
 * `verify` reads all of them, and writes those of a database that it makes.
 */
const tableFolders: Record<string, [writes: string, reads: string]> = {
  active_address_day: ['history', 'network-stats'],
  address: ['utxo reward', 'address asset balance-history history load-sample search stake'],
  address_balance: ['utxo', 'address asset'],
  address_day: ['utxo', 'balance-history'],
  address_holding: ['utxo', 'address'],
  address_transaction: ['history', 'stake'],
  api_key: ['access ingest', 'export webhook'],
  asset_transaction: ['asset', ''],
  asset: ['asset', 'address balance-history history reward search transaction utxo'],
  block: ['block', 'chain-status follow search stake'],
  chain: ['chain', 'follow icm-message search subnet'],
  evm_address: ['evm-holding', 'search'],
  evm_balance: ['evm-holding', 'search'],
  evm_holding: ['evm-holding', 'nft search'],
  evm_holding_version: ['evm-holding', ''],
  feed: ['write', 'ingest live webhook'],
  follow_endpoint: ['follow', ''],
  follow_fee_day: ['follow ingest', 'export subnet-metric'],
  follow_gap: ['follow ingest', 'chain-status export'],
  follow_left_out: ['follow', 'chain-status'],
  follow_l1_validator: ['follow ingest', 'export l1-validator subnet subnet-metric subnet-validator webhook'],
  follow_network: ['follow ingest', 'chain-status export load-sample primary-chain storage'],
  follow_paid_fee: ['follow ingest', 'export subnet-metric'],
  follow_pipeline: ['follow ingest', 'chain-status evm-holding export network-stats transaction'],
  follow_range: ['follow ingest', 'export'],
  follow_request: ['follow', ''],
  follow_staker: ['follow ingest', 'export reference reward stake subnet-validator validator'],
  follow_staking: ['follow ingest', 'export l1-validator reference reward stake subnet-metric webhook'],
  follow_subnet_fee: ['follow ingest', 'export'],
  follow_stake_total: ['follow', 'stake subnet subnet-validator'],
  follow_supply: ['follow ingest', 'export subnet'],
  follow_token: ['follow ingest', 'export'],
  follow_token_count: ['follow ingest', 'export'],
  follow_token_id: ['follow ingest', 'export'],
  follow_waiting: ['follow', 'chain-status'],
  holding_output: ['utxo', ''],
  icm_chain: ['icm-message', 'follow search'],
  icm_message: ['icm-message', 'search'],
  icm_waiting: ['icm-message ingest', 'export'],
  installation: ['storage ingest', 'export'],
  internal_tx: ['internal-tx', 'search'],
  l1_validator: ['l1-validator', 'search'],
  l1_validator_transaction: ['l1-validator', ''],
  late_index: ['storage', ''],
  message_day: ['icm-message', 'network-stats'],
  nft_token: ['nft', 'search'],
  replica_proof: ['storage', ''],
  reward_transaction: ['reward', 'stake'],
  stake_day: ['transaction', 'network-stats'],
  subnet: ['subnet', 'l1-validator search subnet-validator validator'],
  subnet_metric: ['subnet-metric', 'subnet'],
  subnet_transaction: ['subnet', 'validator'],
  subnet_validator: ['validator', 'subnet-validator'],
  transaction: [
    'transaction',
    'asset block chain-status follow history l1-validator reference reward search stake subnet utxo validator vertex',
  ],
  transaction_day: ['transaction', 'network-stats'],
  transaction_input: ['transaction', 'history'],
  transaction_output: ['transaction', 'asset history reward stake'],
  utxo: ['utxo', 'asset follow history reward search stake transaction'],
  utxo_owner: ['utxo', 'history'],
  validator: ['validator', 'l1-validator reward search stake subnet-validator'],
  validator_transaction: ['validator', 'stake'],
  vertex: ['vertex', 'follow search'],
  vertex_transaction: ['vertex', 'follow'],
  webhook: ['webhook ingest', 'export http'],
  webhook_event: ['webhook', 'http'],
  webhook_level: ['webhook ingest', 'export'],
  webhook_position: ['webhook', ''],
  webhook_secret: ['webhook ingest', 'export'],
  webhook_subject: ['webhook ingest', 'export'],
  write_version: ['storage', ''],
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

/** The folder of src or src/resources. */
function folderOf(file: string): string {
  const [first = '', second = '', third] = file.replace(/\.ts$/, '').split('/');
  return first === 'resources' && third !== undefined ? second : first;
}

/** The room of a table: that of the follower's own, or else where it is written. */
function roomOfTable(table: string): string | undefined {
  if (table.startsWith('follow_')) return 'state';
  const [writer = ''] = (tableFolders[table]?.[0] ?? '').split(' ');
  return writer in allowed ? writer : 'is';
}

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
    // Folders that tests share, suites of the whole that have their own command, and what lies next to src.
    const others = /^(harness|clients|explorer|faults|hostile|networks|package|sheet|soak)(\/|$)/;
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

  test('a file imports only rooms to its right, and of some of them types alone', () => {
    const wrong = imports
      .filter(({ from, of }) => !meeting.test(from) && of !== 'later')
      .filter(({ from, to, of }) => {
        const [here, there] = [roomOf(from), roomOf(to)];
        if (here === undefined || there === undefined) return true;
        const known = [...(allowed[here] ?? []), ...(of === 'types' ? (allowedTypes[here] ?? []) : [])];
        return here !== there && !known.includes(there);
      })
      .map(({ from, to, of }) => `${from} -> ${to} (${of})`);
    expect(wrong).toEqual([]);
  });

  test('each table is written and read by the folders that are named for it', async () => {
    expect(tables).toEqual(Object.keys(await readPrismaSchema(schemaFile)).sort());
    const used = tables.map((table) => {
      const own = tableUses.filter((use) => use.table === table);
      const writes = new Set(own.filter((use) => use.writes).map(({ file }) => folderOf(file)));
      const reads = new Set(own.map(({ file }) => folderOf(file)).filter((folder) => !writes.has(folder)));
      reads.delete('verify');
      return [table, [[...writes].sort(), [...reads].sort()]];
    });
    const named = Object.entries(tableFolders).map(([table, lists]) => [
      table,
      lists.map((list) => list.split(' ').filter(Boolean).sort()),
    ]);
    expect(Object.fromEntries(used)).toEqual(Object.fromEntries(named));
  });

  test('a statement names the table that it writes, except where any table is written', () => {
    expect(writersOfAny.filter((file) => !/^(write|verify)\//.test(file)).sort()).toEqual([
      // Both write what else they name.
      'follow/evm/followed-tokens.ts',
      'follow/staking/store.ts',
      'ingest/checkpoints.ts',
      // Its callers declare the tables.
      'resources/reference/write.ts',
      'storage/sent-writes.ts',
    ]);
  });

  test("SQL has the names of the follower's tables from src/state", () => {
    const names = new RegExp(`(?<!\\w)(${[...stateTables.values()].join('|')})\\b`);
    const own = files.filter((file) => !file.startsWith('state/') && names.test(textOf(file)));
    expect(own).toEqual([]);
    // All of those that resources read are there.
    const nouns = tableUses.filter(
      ({ file, table }) => /^resources\//.test(file) && table.startsWith('follow_'),
    );
    const declared = new Set(stateTables.values());
    expect(nouns.length).toBeGreaterThan(10);
    expect(nouns.filter(({ table }) => !declared.has(table))).toEqual([]);
  });

  test('no arrow between rooms runs back up: of values, of types and of tables', () => {
    const arrows = [
      ...imports.map(({ from, to }) => [roomOf(from), roomOf(to)]),
      ...tableUses.map(({ file, table }) => [roomOf(file), roomOfTable(table)]),
    ].flatMap(([from, to]) => (from !== undefined && to !== undefined && from !== to ? [{ from, to }] : []));
    expect(arrows.length).toBeGreaterThan(1000);
    expect(circlesOf(arrows)).toEqual([]);
  });

  test('rest.ts and schema.ts never import each other', () => {
    const joints = values.filter(
      ({ from, to }) => [roomOf(from), roomOf(to)].sort().join() === 'resource-rest,resource-schema',
    );
    expect(joints).toEqual([]);
  });

  test('the rooms of machinery import no resource, not even a type of one', () => {
    const machinery =
      /^(arguments|execution|fields|lists|rows|state|write|ingest|export|graphql|live|rest|jobs|http|shield|paging|storage|access|telemetry|avalanche)\//;
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

test('a table is seen in SQL, as a model, under its constant and alias, and by a part of its name', () => {
  const seen = (text: string) =>
    tablesIn(text).map(({ table, writes }) => `${table}${writes ? ' written' : ''}`);
  expect(seen('`SELECT 1 FROM utxo u, asset a WHERE true FOR UPDATE`')).toEqual(['utxo', 'asset']);
  expect(seen('`INSERT INTO chain (id) VALUES (1) ON CONFLICT DO UPDATE SET id = 2`')).toEqual([
    'chain written',
  ]);
  expect(seen('await prisma.nftToken\n.updateMany({})')).toEqual(['nft_token written']);
  expect(seen("const f = stakerTable.as('f');\n`SELECT ${f.weight} FROM ${f.from}`")).toEqual([
    'follow_staker',
  ]);
  expect(seen('`DELETE FROM ${gapTable.name}`')).toEqual(['follow_gap written']);
  expect(seen('const table = `transaction_${side}`;\n`DELETE FROM ${table}`')).toEqual([
    'transaction_day written',
    'transaction_input written',
    'transaction_output written',
  ]);
  expect(seen('// FROM utxo u')).toEqual([]);
  expect(withTables('`UPDATE ${table.name} SET`')).toBe('`UPDATE ${table.name} SET`');
});
