import { readFileSync, readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exportKinds } from '../../src/resources.js';
import type { Storage } from '../../src/storage/open.js';
import { createApp, type TestApp } from '../harness/app.js';
import { seedCorners } from '../harness/corner-rows.js';
import { dumpAll, exportDatabase, reindexHours, runExport, timesOf, type Row } from '../harness/export.js';
import { createImportDatabase, runImport } from '../harness/ingest.js';
import {
  compositeSet,
  readLists,
  restPaths,
  unreadOf,
  withFewerTransactions,
} from '../harness/rest-lists.js';
import { hasRealData, readRealData, realData } from '../harness/seed.js';
import { poolOf } from '../harness/connections.js';

const files = exportDatabase();
afterAll(() => files.drop());

const contents = (name: string) =>
  Object.fromEntries(files.list(name).map((path) => [basename(path), readFileSync(path).toString('latin1')]));

function rowsOf(name: string, kind: string): Record<string, Row[]> {
  const ofKind = Object.entries(contents(name)).filter(([file]) =>
    file.endsWith(`.${kind.replace('icm-', 'icm.')}.ndjson`),
  );
  return Object.fromEntries(
    ofKind.map(([file, text]) => [
      file,
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Row),
    ]),
  );
}

function rangeOf(since: number | undefined, until: number | undefined) {
  const text = (time: number) => new Date(time * 1000).toISOString();
  return {
    ...(since !== undefined && { since: text(since) }),
    ...(until !== undefined && { until: text(until) }),
  };
}

const nftMetadata = `{ nftTokens(chainId: "43113", address: "ADDRESS", first: 50) { nodes { tokenId owner
  metadataStatus failureReason metadata { standard name attributes { traitType value } raw fetchedAt } } } }`;

async function nftsOf(gateway: TestApp): Promise<unknown> {
  const { rows } = await poolOf(gateway.storage).query<{ address: string }>(
    `SELECT DISTINCT '0x' || encode(address, 'hex') AS address FROM nft_token WHERE evm_chain_id = 43113 ORDER BY 1`,
  );
  expect(rows.length).toBeGreaterThan(0);
  const replies = [];
  for (const { address } of rows) {
    const query = nftMetadata.replace('ADDRESS', address);
    replies.push(await gateway.graphql(query));
  }
  return replies;
}

/** Exports packed files, imports them into another database; how many rows they have. */
async function move(old: Storage, fresh: Storage, name: string): Promise<number> {
  const { files: written, rows } = await runExport(old, files.path(name), { packed: true });
  expect(written.sort()).toEqual(readdirSync(files.path(name)).sort());
  const { rejected, leftOut, lines } = await runImport(fresh, files.list(name));
  expect({ rejected, leftOut, lines }).toEqual({ rejected: 0, leftOut: 0, lines: [] });
  return rows;
}

/** Paths that answer from the state of stakers. */
const ofStakers =
  /rewards:listPending|\/validators|\/delegators|:listStaking|\/l1Validators|^\/v1\/networks\/\w+$|^\/v2\/valida(tor|tion)\//;

describe('the sample with every corner that rows have', () => {
  let old: TestApp;
  let fresh: TestApp;
  /** The objects that are no corners. */
  let ofSample: Set<string>;
  let held: Awaited<ReturnType<typeof dumpAll>>;
  beforeAll(async () => {
    old = await createApp({ MAX_COST: '1000000' }, { sample: true });
    ofSample = new Set((await restPaths(old)).objects);
    await seedCorners(old.storage);
    held = await dumpAll(old.storage);
    fresh = await createApp({ MAX_COST: '1000000' });
    await move(old.storage, fresh.storage, 'sample');
    await runExport(old.storage, files.path('plain'));
  });
  afterAll(async () => {
    await old.close();
    await fresh?.close();
  });

  test('is in the other database row by row, with what is worked out from it', async () => {
    expect(await dumpAll(fresh.storage)).toEqual(held);
  });

  test('is answered alike by every REST list, page by page, and by objects of every kind', async () => {
    const paths = withFewerTransactions(await restPaths(old), (path) => !ofSample.has(path));
    expect(paths.lists.length).toBeGreaterThan(40);
    expect(paths.objects.length).toBeGreaterThan(500);
    expect(unreadOf(paths)).toEqual([]);
    // Who stakes now is a follower's state, which an export without checkpoints does not carry.
    const isCarried = (path: string) => !ofStakers.test(path);
    const carried = {
      lists: paths.lists.filter(([path]) => isCarried(path)),
      objects: paths.objects.filter(isCarried),
    };
    expect(await readLists(fresh, carried)).toEqual(await readLists(old, carried));
  });

  test('finds the same addresses by a composite query, in an order of its own', async () => {
    const before = await compositeSet(old);
    expect(before.addresses.length).toBeGreaterThan(7);
    expect(new Set(before.addresses).size).toBe(before.totalCount);
    expect(await compositeSet(fresh)).toEqual(before);
  });

  test('keeps what was read of metadata', async () => {
    const before = await nftsOf(old);
    expect(JSON.stringify(before)).toContain('Lantern');
    expect(await nftsOf(fresh)).toEqual(before);
  });

  test('does not say when somebody asked to reindex, which is the installation’s own', async () => {
    expect(await reindexHours(old.storage)).not.toEqual([]);
    expect(await reindexHours(fresh.storage)).toEqual([]);
    expect(JSON.stringify(contents('plain'))).not.toContain('reindexRequestedAt');
  });

  test('makes the same files again, byte by byte', async () => {
    await runExport(fresh.storage, files.path('again'));
    expect(contents('again')).toEqual(contents('plain'));
  });

  test('changes nothing where it is imported again', async () => {
    const { written } = await runImport(fresh.storage, files.list('sample'));
    expect(written).toBe(0);
  });

  test.each(Object.keys(timesOf))('a range of time holds of %s what happened in it', async (kind) => {
    const times = timesOf[kind as keyof typeof timesOf];
    const all = rowsOf('plain', kind);
    const sorted = Object.values(all)
      .flat()
      .flatMap(times)
      .sort((a, b) => a - b);
    // Times that rows have: a row of the first is in the range, one of the last is not.
    const [first = 0, last = 0] = [0.3, 0.7].map((share) => sorted[Math.floor(share * sorted.length)]);
    expect(last).toBeGreaterThan(first);
    // The third is later than the hour at which a day's rows are.
    for (const [since, until] of [[first], [undefined, last], [first, last], [first + 1, last + 1]]) {
      const name = `${kind} ${since} ${until}`;
      await runExport(old.storage, files.path(name), { kind: [kind], ...rangeOf(since, until) });
      const isIn = (row: Row) =>
        times(row).some((time) => time >= (since ?? 0) && time < (until ?? Infinity));
      const wanted = Object.entries(all).map(([file, rows]) => [file, rows.filter(isIn)] as const);
      expect(rowsOf(name, kind)).toEqual(Object.fromEntries(wanted.filter(([, rows]) => rows.length > 0)));
    }
  });

  test('a range of time leaves every other kind whole', async () => {
    const others = exportKinds.map(({ name }) => name).filter((kind) => !(kind in timesOf));
    expect(others).toEqual(['assets', 'chains', 'nft-tokens']);
    await runExport(old.storage, files.path('never'), { kind: others, ...rangeOf(1, 2) });
    const isOther = (file: string) => others.some((kind) => file.endsWith(`.${kind}.ndjson`));
    const whole = Object.entries(contents('plain')).filter(([file]) => isOther(file));
    expect(contents('never')).toEqual(Object.fromEntries(whole));
  });

  test('imports in any order of files', async () => {
    const other = await createImportDatabase();
    try {
      await runImport(other.storage, files.list('sample').reverse());
      expect(await dumpAll(other.storage)).toEqual(held);
    } finally {
      await other.close();
    }
  });
});

/**
 * The first rows of a file of real data, as lines: of transactions three of each type, the largest line among
 * them.
 */
async function beginningOf(file: string): Promise<object[]> {
  const rows = await readRealData<{ txType?: string }>(file);
  if (!file.includes('.transactions.')) return rows.slice(0, 500);
  const met = new Map<string | undefined, number>();
  return rows.filter(({ txType }) => {
    met.set(txType, (met.get(txType) ?? 0) + 1);
    return (met.get(txType) ?? 0) <= 3;
  });
}

describe.skipIf(!hasRealData)('real mainnet data', () => {
  test('is in the other database row by row, and makes the same files again', async () => {
    const old = await createImportDatabase();
    const fresh = await createImportDatabase();
    try {
      const given = readdirSync(realData).filter((file) =>
        /\.(utxos|transactions|vertices|messages|chains)\./.test(file),
      );
      const paths = given.map(async (file) => old.write(file.replace(/\.gz$/, ''), await beginningOf(file)));
      await runImport(old.storage, await Promise.all(paths));
      expect(await move(old.storage, fresh.storage, 'real')).toBeGreaterThan(5000);
      expect(await dumpAll(fresh.storage)).toEqual(await dumpAll(old.storage));
      await runExport(fresh.storage, files.path('real again'), { packed: true });
      expect(contents('real again')).toEqual(contents('real'));
    } finally {
      await old.close();
      await fresh.close();
    }
  });
});
