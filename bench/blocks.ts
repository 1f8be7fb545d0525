import { readdirSync } from 'node:fs';
import { positionOf } from '../src/paging/position.js';
import type { Storage } from '../src/storage/open.js';
import { touchedByReading, type PlanKind } from '../test/harness/buffers.js';
import { prepare } from './blocks/data.js';
import { FEW, growthOf, tellGrowth } from './blocks/growth.js';
import { allLists, bounded, checkComplete, type ListCase, type Listed } from './blocks/lists.js';
import { everySet } from './blocks/sets.js';
import { openBenchDatabase } from './harness/database.js';
import { judge } from './harness/measures.js';
import { verdict } from './harness/statistics.js';
import { tableOf } from './harness/table.js';
import type { Usage } from './harness/usage.js';

const PAGE_SIZE = 10;
const FULL = { database: 'blocks', farPage: 20_000 };
const SHORT = { database: 'blocks-short', farPage: 500 };
/** How many times the rows of a second database the first one has. */
const TIMES = 10;
/** Rows that are read at once on the way to a page: 200,000 are more than a reply may have. */
const AT_ONCE = 10_000;
/**
 * The largest accepted ratio of the blocks of the far page to those of page 2. Page 1 finds no cursor, which
 * is a large part of a page that reads three blocks.
 */
const WANTED = 1.3;
const plans: readonly PlanKind[] = ['generic', 'custom'];
const nouns = new URL('../src/resources/', import.meta.url);

/** Blocks that pages read; all but the first also find the row of their cursor. */
interface Pages {
  first: number;
  second: number;
  far: number;
}

/** The blocks of a list, under the generic plan and under one for its parameters. */
interface Measured {
  name: string;
  pages: Pages[];
}

export const usage: Usage = {
  about:
    'Blocks that pages 1, 2 and 20,000 touch, of every list that can have 200,000 rows; and those of page 1 with every set of its filters, in this database and in one of a tenth of the rows.',
  options: { '--short': 'only to see that it works: page 500, of fewer rows' },
};

export async function run(args: string[]): Promise<void> {
  const { database, farPage } = args.includes('--short') ? SHORT : FULL;
  const { storage } = await openBenchDatabase(database);
  try {
    const hot = await prepare(storage, (farPage + 1) * PAGE_SIZE);
    const lists = allLists(hot);
    const files = readdirSync(nouns, { recursive: true, encoding: 'utf8' });
    await checkComplete(
      lists,
      files.filter((file) => /\blist\.ts$/.test(file)).map((file) => file.replace(/ts$/, 'js')),
    );
    const measured: Measured[] = [];
    for (const list of lists) measured.push(await measure(storage, list, farPage));
    report(measured, farPage);
    await compareWithTenth(storage, hot, database, farPage);
  } finally {
    await storage.close();
  }
}

/** Compares first pages with those in a database of a tenth of the rows. */
async function compareWithTenth(
  storage: Storage,
  hot: string,
  database: string,
  farPage: number,
): Promise<void> {
  if (process.env['BENCH_DATABASE_URL']) {
    console.log('\nnot compared with a tenth of the rows: BENCH_DATABASE_URL names one database');
    return;
  }
  const { storage: tenth } = await openBenchDatabase(`${database}-tenth`);
  try {
    const ofTenth = await prepare(tenth, Math.round((farPage * PAGE_SIZE) / TIMES));
    const [few, many] = [ofTenth, hot].map((address) => [...allLists(address), ...everySet(address)]);
    const pairs = (few ?? []).map((each, index) => [each, many?.[index] ?? each] as const);
    if (!tellGrowth(await growthOf(pairs, [tenth, storage], plans), TIMES)) process.exitCode = 1;
  } finally {
    await tenth.close();
  }
}

async function measure(
  storage: Storage,
  { list, asked, read }: ListCase,
  farPage: number,
): Promise<Measured> {
  const name = `${list}: ${asked}`;
  const rowBefore = async (page: number) => {
    let last: Listed | undefined;
    for (let skipped = (page - 1) * PAGE_SIZE; skipped > 0; skipped -= AT_ONCE) {
      const rows = Math.min(skipped, AT_ONCE);
      // One more row is read than requested: see toPage.
      const after: string | null = last ? String(positionOf(BigInt(last.id), BigInt(last.mark ?? 0))) : null;
      const found = await read(storage, { direction: 'forward', limit: rows - 1, after, before: null });
      if (found.length < rows) throw unlike(name, found.length, rows);
      last = found.at(-1);
    }
    return last?.id ?? '';
  };
  const [before2, beforeFar] = [await rowBefore(2), await rowBefore(farPage)];
  const page = async (after: string | null, plan: PlanKind) => {
    const request = { direction: 'forward', limit: PAGE_SIZE, after, before: null } as const;
    const { rows, buffers } = await touchedByReading(storage, (spy) => read(spy, request), plan);
    if (rows !== PAGE_SIZE + 1) throw unlike(name, rows, PAGE_SIZE + 1);
    return buffers;
  };
  const pages: Pages[] = [];
  for (const plan of plans)
    pages.push({
      first: await page(null, plan),
      second: await page(before2, plan),
      far: await page(beforeFar, plan),
    });
  return { name, pages };
}

function unlike(name: string, found: number, wanted: number): Error {
  return new Error(
    `${name}: ${found} rows instead of ${wanted}: the kept data are not this bench's, remove them`,
  );
}

function report(measured: readonly Measured[], farPage: number): void {
  const worst = (near: 'first' | 'second', { pages }: Measured) =>
    Math.max(...pages.map((page) => Math.max(FEW, page.far) / Math.max(FEW, page[near])));
  const isAsWanted = (each: Measured) => worst('second', each) <= WANTED;
  const far = `page ${farPage.toLocaleString('en')}`;
  const head = [
    'list',
    ...plans.flatMap((plan) => [`page 1 (${plan} plan)`, 'page 2', far]),
    `${far} ÷ 1`,
    '÷ 2',
    'verdict',
  ];
  const rows = measured.map((each) => [
    each.name,
    ...each.pages.flatMap(({ first, second, far }) => [first, second, far].map(String)),
    ...[worst('first', each), worst('second', each)].map((ratio) => ratio.toFixed(2)),
    verdict(isAsWanted(each)),
  ]);
  console.log(`Blocks of 8 kB that a page touches, ${PAGE_SIZE} per page:\n\n${tableOf(head, rows)}\n`);
  for (const [list, why] of Object.entries(bounded)) console.log(`not measured: ${list} (${why})`);
  const isMet = measured.every(isAsWanted);
  const most = (near: 'first' | 'second') =>
    Math.max(...measured.map((each) => worst(near, each))).toFixed(2);
  const judged = judge({
    name: `blocks of ${far} ÷ those of page 2, the worst of all lists`,
    wanted: `at most ${WANTED}`,
    measured: most('second'),
    isMet,
  });
  console.log(
    `\n${far} ÷ page 2 at most ${most('second')}, wanted at most ${WANTED} for each list: ${judged}; ÷ page 1, which finds no cursor, at most ${most('first')}`,
  );
  if (!isMet) process.exitCode = 1;
}
