import { afterAll, beforeAll, expect, test } from 'vitest';
import { prepare } from '../../bench/blocks/data.js';
import { growthOf, isAsWanted } from '../../bench/blocks/growth.js';
import { allLists } from '../../bench/blocks/lists.js';
import { everySet } from '../../bench/blocks/sets.js';
import { createImportDatabase, type ImportDatabase } from '../harness/ingest.js';

const ROWS = 600;
const TIMES = 5;

let databases: ImportDatabase[] = [];
beforeAll(async () => {
  databases = [await createImportDatabase(), await createImportDatabase()];
});
afterAll(async () => {
  for (const database of databases) await database.close();
  databases = [];
});

test(`the first page of each list, with each set of its filters, reads as many blocks of ${TIMES} times the rows`, async () => {
  const [small, large] = databases.map(({ storage }) => storage);
  if (!small || !large) throw new Error('no databases');
  const casesOf = (hot: string) => [...allLists(hot), ...everySet(hot)];
  const few = casesOf(await prepare(small, ROWS));
  const many = casesOf(await prepare(large, ROWS * TIMES));
  const pairs = few.map((each, index) => [each, many[index] ?? each] as const);
  const found = await growthOf(pairs, [small, large], ['generic']);
  expect(found.length).toBeGreaterThan(500);
  expect(found.filter((each) => !isAsWanted(each))).toEqual([]);
});
