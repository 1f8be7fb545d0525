import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { adoptIdentities } from '../../src/avalanche/identity.js';
import { checkpointTables } from '../../src/ingest/checkpoint-tables.js';
import { contentsOf } from '../../src/load-sample.js';
import { exportKinds, fileKinds } from '../../src/resources.js';
import { connectTo, createPool, poolOf, storageOn } from '../harness/connections.js';
import { createDatabase, type TestDatabase } from '../harness/database.js';
import { until } from '../harness/embedded.js';
import { excerptGenesis, startExcerptNode } from '../harness/excerpt-node.js';
import { exportDatabase, runExport } from '../harness/export.js';
import { excerptFilling, followOnce } from '../harness/followed.js';
import { dumpFollowed } from '../harness/followed-dump.js';
import { createImportDatabase, runImport, type ImportDatabase } from '../harness/ingest.js';
import { utxoRow } from '../harness/ledger-rows.js';
import { launch } from '../harness/launched.js';
import { differencesOf, followToMiddle } from '../harness/moved.js';
import type { NodeServer } from '../harness/node-server.js';
import { readPrismaSchema } from '../../bin/prisma-schema.js';
import type { Storage } from '../../src/storage/open.js';

const files = exportDatabase();
let node: NodeServer;
let wholeDatabase: TestDatabase;
let whole: Storage;
/** Followed to the middle. */
let old: ImportDatabase;
let fresh: ImportDatabase;
const given = () => ({ urls: [node.url], genesis: excerptGenesis });

beforeAll(async () => {
  wholeDatabase = await createDatabase({ filling: excerptFilling });
  whole = storageOn(createPool(wholeDatabase.url, 4));
  node = await startExcerptNode();
  old = await createImportDatabase();
  await followToMiddle(old.storage, node, given());
  await runExport(old.storage, files.path('middle'), { packed: true });
});
afterAll(async () => {
  files.drop();
  await node.close();
  await old.close();
  await poolOf(whole).end();
  await wholeDatabase.drop();
  adoptIdentities({});
});

/** An empty database for each test of a block. */
function eachInItsOwn(): void {
  beforeEach(async () => {
    adoptIdentities({});
    fresh = await createImportDatabase();
  });
  afterEach(() => fresh.close());
}

const contents = (name: string) =>
  Object.fromEntries(
    files.list(name).map((path) => [basename(path), gunzipSync(readFileSync(path)).toString()]),
  );
const middle = () => files.list('middle');
const isCheckpoints = (path: string) => basename(path).startsWith('moraine.checkpoints');
/** The lines of the checkpoints, the first of which says what is exported. */
const checkpoints = () =>
  gunzipSync(readFileSync(middle().find(isCheckpoints)!))
    .toString()
    .trim()
    .split('\n');
const networks = async (storage: Storage) => storage.prisma.followNetwork.findMany();
const pipelines = async (storage: Storage) =>
  (await storage.prisma.followPipeline.findMany({ orderBy: { name: 'asc' } })).map(({ name, nextHeight }) => [
    name,
    nextHeight,
  ]);

/** Follows on to the end, and compares every table with those of a network that was followed at once. */
async function expectWhole(storage: Storage): Promise<void> {
  expect(await followOnce(storage, given())).toEqual([]);
  expect(await differencesOf(whole, storage)).toEqual([]);
  expect(await differencesOf(storage, whole)).toEqual([]);
  expect(await dumpFollowed(storage)).toEqual(await dumpFollowed(whole));
}

describe('a network of one’s own that is followed to the middle and exported', () => {
  eachInItsOwn();

  test('is elsewhere what it was, makes the same files again, and is followed to the end', async () => {
    const { rejected, brokenFiles, lines } = await runImport(fresh.storage, middle());
    expect({ rejected, brokenFiles, lines }).toEqual({ rejected: 0, brokenFiles: 0, lines: [] });
    expect(await networks(fresh.storage)).toEqual(await networks(old.storage));
    expect(await pipelines(fresh.storage)).toEqual([
      ['c-atomic', 110n],
      ['p', 302n],
      ['x', 73n],
    ]);
    expect(await differencesOf(old.storage, fresh.storage)).toEqual([]);
    expect(await differencesOf(fresh.storage, old.storage)).toEqual([]);
    await runExport(fresh.storage, files.path('again'), { packed: true });
    expect(contents('again')).toEqual(contents('middle'));
    await expectWhole(fresh.storage);
  });

  test('files in any order: the networks are known before the first row, and the checkpoints written after the last', async () => {
    expect(await runImport(fresh.storage, middle().reverse())).toMatchObject({ rejected: 0, brokenFiles: 0 });
    expect(await differencesOf(old.storage, fresh.storage)).toEqual([]);
  });

  test('the stream `logs` of an export of before is two here, both where it was', async () => {
    const lines = checkpoints();
    const { row } = JSON.parse(lines.find((line) => line.includes('"c-atomic"'))!) as { row: object };
    const counted = {
      name: 'logs:43337',
      counters: { nft_token: 3 },
      memo: { rangesCut: 1 },
      refused_rows: 2,
    };
    const logs = JSON.stringify({ table: 'follow_pipeline', row: { ...row, ...counted } });
    const others = middle().filter((path) => !isCheckpoints(path));
    const changed = fresh.write('moraine.checkpoints.ndjson', `${[...lines, logs].join('\n')}\n`);
    expect(await runImport(fresh.storage, [...others, changed])).toMatchObject({
      rejected: 0,
      brokenFiles: 0,
    });
    expect((await pipelines(fresh.storage)).slice(1, 3)).toEqual([
      ['messages:43337', 110n],
      ['nfts:43337', 110n],
    ]);
    const read = fresh.storage.prisma.followPipeline.findMany({ where: { name: { endsWith: ':43337' } } });
    expect((await read).toSorted((one, other) => one.name.localeCompare(other.name))).toMatchObject([
      { counters: {}, memo: null, refusedRows: 0n },
      { counters: { nft_token: 3 }, memo: { rangesCut: 1 }, refusedRows: 2n },
    ]);
  });

  test('a part of it can be imported, and is followed from the beginning', async () => {
    await runExport(old.storage, files.path('part'), { chain: ['x'] });
    expect(await runImport(fresh.storage, files.list('part'))).toMatchObject({ rejected: 0, brokenFiles: 0 });
    expect(await networks(fresh.storage)).toEqual(await networks(old.storage));
    expect(await pipelines(fresh.storage)).toEqual([]);
    expect(Number(await fresh.storage.prisma.utxo.count())).toBeGreaterThan(100);
    await expectWhole(fresh.storage);
  });
});

describe('an import that ends early', () => {
  eachInItsOwn();
  const importing = async () => (await networks(fresh.storage))[0]?.importing;

  test('is killed: nothing can be followed before it has been run again', async () => {
    const holder = await connectTo(fresh.url);
    await holder.query('BEGIN; LOCK TABLE transaction IN EXCLUSIVE MODE');
    const command = launch(['import', ...middle()], { DATABASE_URL: fresh.url });
    await until(async () => (await fresh.storage.prisma.asset.count()) > 0);
    await command.stop('SIGKILL');
    await holder.end();
    expect(await importing()).toMatch(/^[0-9a-f]{64}$/);
    expect(await pipelines(fresh.storage)).toEqual([]);
    await expect(followOnce(fresh.storage, given())).rejects.toThrow(
      /has not ended.* Run the same `moraine import` again first/,
    );
    await expect(runExport(fresh.storage, files.path('half'))).rejects.toThrow(
      /has not ended in this database/,
    );
    const before = await fresh.storage.session(contentsOf);
    const part = { ...(JSON.parse(checkpoints()[0]!) as object), files: undefined };
    const rows = fresh.write('fuji.p-chain.utxos.ndjson', [utxoRow('a', {}, 'fuji')]);
    for (const others of [[rows], [rows, fresh.write('moraine.checkpoints.ndjson', [part])]])
      await expect(runImport(fresh.storage, others)).rejects.toThrow(
        /the import of an export into .* has not ended: run that one again, with all of its files, or use an empty database/,
      );
    expect(await fresh.storage.session(contentsOf)).toEqual(before);
    expect(await runImport(fresh.storage, middle())).toMatchObject({ rejected: 0, brokenFiles: 0 });
    expect(await importing()).toBe(null);
    expect(await differencesOf(old.storage, fresh.storage)).toEqual([]);
    await expectWhole(fresh.storage);
  });

  test('a file was cut off between two lines: the checkpoints wait for the whole one', async () => {
    const name = 'fuji.p-chain.transactions.ndjson';
    const text = contents('middle')[`${name}.gz`] ?? '';
    const cut = fresh.write(name, `${text.split('\n').slice(0, 50).join('\n')}\n`);
    const others = middle().filter((path) => basename(path) !== `${name}.gz`);
    const { brokenFiles, lines } = await runImport(fresh.storage, [...others, cut]);
    expect(brokenFiles).toBe(1);
    expect(lines).toEqual([
      expect.stringMatching(/fuji.p-chain.transactions.ndjson: has 50 rows, but \d+ were exported$/),
      expect.stringMatching(/not imported, because rows are missing/),
    ]);
    expect(await pipelines(fresh.storage)).toEqual([]);
    expect(await runImport(fresh.storage, middle())).toMatchObject({ rejected: 0, brokenFiles: 0 });
    expect(await differencesOf(old.storage, fresh.storage)).toEqual([]);
  });
});

describe('what cannot be imported is refused before anything is written', () => {
  const state = async () => [
    await fresh.storage.session(contentsOf),
    await networks(fresh.storage),
    await pipelines(fresh.storage),
  ];
  async function expectRefusal(paths: readonly string[], message: string | RegExp): Promise<void> {
    const before = await state();
    await expect(runImport(fresh.storage, paths)).rejects.toThrow(message);
    expect(await state()).toEqual(before);
  }
  /** The export with other checkpoints. */
  const changed = (lines: readonly string[]) => [
    ...middle().filter((path) => !isCheckpoints(path)),
    fresh.write('moraine.checkpoints.ndjson', `${lines.join('\n')}\n`),
  ];
  const header = (members: object) =>
    JSON.stringify({ ...(JSON.parse(checkpoints()[0]!) as object), ...members });
  const network = (members: object) => {
    const { networks: known } = JSON.parse(checkpoints()[0]!) as { networks: object[] };
    return header({ networks: [{ ...known[0], ...members }] });
  };

  describe('into a database of its own', () => {
    eachInItsOwn();

    test('checkpoints into a database that is followed, or has other rows', async () => {
      const empty =
        /is not empty: following can go on from .* only where all rows come from its export. Nothing was imported/;
      await runImport(fresh.storage, middle());
      await expectRefusal(middle(), empty);
      await fresh.close();
      fresh = await createImportDatabase();
      adoptIdentities({});
      await runImport(fresh.storage, [fresh.write('fuji.p-chain.utxos.ndjson', [utxoRow('a', {}, 'fuji')])]);
      await expectRefusal(middle(), empty);
    });

    test('a network of one’s own into a database that has another one, or rows', async () => {
      await runImport(fresh.storage, middle());
      const other = fresh.write(
        'moraine.checkpoints.ndjson',
        header({
          files: undefined,
          networks: [
            { ...(JSON.parse(checkpoints()[0]!) as { networks: object[] }).networks[0], network_id: 4242 },
          ],
        }),
      );
      await expectRefusal(
        [other],
        /contains another network as fuji: the network \d+ \(genesis .*\), not 4242/,
      );
    });

    test('rows of a network of one’s own without the file that says which it is', async () => {
      await expectRefusal(
        middle().filter((path) => path.includes('fuji.p-chain')),
        /rows of the network \d+, which this database does not know: import .*moraine.checkpoints.ndjson.gz with it/,
      );
      await runImport(fresh.storage, middle());
      const { written } = await runImport(
        fresh.storage,
        middle().filter((path) => path.includes('fuji.p-chain')),
      );
      expect(written).toBe(0);
    });
  });

  describe('into an empty one', () => {
    beforeAll(async () => {
      adoptIdentities({});
      fresh = await createImportDatabase();
    });
    afterAll(() => fresh.close());

    test('an export of which a file is missing', async () => {
      await expectRefusal(
        middle().filter((path) => !path.includes('fuji.p-chain.utxos') && !path.includes('assets')),
        /belongs to an export of which these files are missing: fuji.assets.ndjson, fuji.p-chain.utxos.ndjson. Nothing was imported/,
      );
    });

    test('two exports at a time', async () => {
      await expectRefusal(
        [...middle(), ...changed(checkpoints()).slice(-1)],
        /only one export can be imported at a time/,
      );
    });

    test.each<[string, () => string[], RegExp]>([
      [
        'a newer format',
        () => [header({ format: 2, version: '9.1.0' })],
        /:1: it was written by Moraine 9.1.0 in format 2, and this version reads up to 1/,
      ],
      ['no first line', () => [], /:1: the first line, which says what is exported, is missing/],
      ['a first line that is a row', () => checkpoints().slice(1), /:1: format: is missing/],
      [
        'networks twice',
        () => [
          header({
            networks: [1, 1].map(() => (JSON.parse(checkpoints()[0]!) as { networks: object[] }).networks[0]),
          }),
        ],
        /:1: networks: must be one or two networks, each once/,
      ],
      [
        'an unknown network',
        () => [network({ network: 'betanet' })],
        /networks\[0\].network: "betanet" is not mainnet or fuji/,
      ],
      [
        'a network of one’s own as mainnet',
        () => [network({ network: 'mainnet' })],
        /network_id: "\d+" is not the number of a network that is shown as mainnet/,
      ],
      [
        'the number of fuji for other chains',
        () => [network({ network_id: 5 })],
        /has the number of fuji, but its chains are not those of fuji/,
      ],
      [
        'a genesis that is no id',
        () => [network({ genesis: 'x' })],
        /networks\[0\].genesis: "x" is not a 32-byte id/,
      ],
      ['a line that is no JSON', () => [checkpoints()[0]!, '{'], /:2: is not JSON/],
      [
        'a table that no checkpoint is of',
        () => [checkpoints()[0]!, '{"table":"api_key","row":{}}'],
        /:2: table: "api_key" is not follow_pipeline or/,
      ],
      [
        'a row of another network',
        () => [checkpoints()[0]!, '{"table":"follow_supply","row":{"network":"mainnet"}}'],
        /:2: row.network: "mainnet" is not one of the first line: fuji/,
      ],
      [
        'a row without columns',
        () => [checkpoints()[0]!, '{"table":"follow_token","row":{}}'],
        /:2: row: has no columns/,
      ],
      [
        'a column that is none',
        () => [checkpoints()[0]!, '{"table":"follow_token","row":{"1; --":1}}'],
        /lines 2 to 2: follow_token has no column "1; --" in this version/,
      ],
      [
        'rows of different columns',
        () => [
          checkpoints()[0]!,
          '{"table":"follow_token","row":{"since":1}}',
          '{"table":"follow_token","row":{"created":1}}',
        ],
        /lines 2 to 3: the rows of follow_token do not have the same columns/,
      ],
      [
        'a value of another type',
        () => [checkpoints()[0]!, '{"table":"follow_token","row":{"since":"soon"}}'],
        /lines 2 to 2: invalid input syntax for type bigint/,
      ],
      [
        'a row without its key',
        () => [checkpoints()[0]!, '{"table":"follow_token","row":{"since":1}}'],
        /lines 2 to 2: null value in column/,
      ],
      ['a row twice', () => [...checkpoints(), checkpoints().at(-1)!], /duplicate key/],
      [
        'a character that cannot be stored',
        () => [checkpoints()[0]!, '{"table":"follow_supply","row":{"network":"fuji","subnet_id":"\\u0000"}}'],
        /:2: contains the character U\+0000/,
      ],
    ])('checkpoints with %s', async (_what, lines, message) => {
      await expectRefusal(changed(lines()), message);
    });
  });
});

test('every table is exported by a kind, carried as it is, made anew by an import, or the installation’s own', async () => {
  const exported = new Set(
    fileKinds
      .filter(({ name }) => exportKinds.some((each) => each.name === name))
      .flatMap(({ rows }) => rows.tables),
  );
  const notCarried: Record<string, string> = {
    ...Object.fromEntries(['installation', 'api_key'].map((table) => [table, 'with --with-secrets'])),
    follow_network: 'the first line of the checkpoints',
    ...Object.fromEntries(
      ['subnet', 'validator', 'l1_validator'].map((table) => [table, 'made of the names in transactions']),
    ),
    follow_stake_total: 'summed up of the stakers',
    follow_endpoint: 'how the nodes are that this installation asks',
    follow_request: 'how often this installation asked them',
    follow_waiting: 'which of them it has not met',
    follow_left_out: 'what none of them offers',
    replica_proof: 'gone after an hour',
    write_version: 'of writes of this database',
    late_index: 'work of an import that is under way',
    feed: 'in which order this installation wrote its rows',
    ...Object.fromEntries(
      ['webhook', 'webhook_subject', 'webhook_level', 'webhook_secret'].map((table) => [
        table,
        'with --with-secrets',
      ]),
    ),
    ...Object.fromEntries(
      ['webhook_event', 'webhook_position'].map((table) => [
        table,
        'what this installation has still to send',
      ]),
    ),
  };
  const models = Object.keys(await readPrismaSchema(new URL('../../prisma/schema.prisma', import.meta.url)));
  const known = [...exported, ...checkpointTables, ...Object.keys(notCarried)];
  expect(models.filter((model) => !known.includes(model))).toEqual([]);
  expect(checkpointTables.filter((table) => !models.includes(table))).toEqual([]);
});
