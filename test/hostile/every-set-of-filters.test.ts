import { afterAll, beforeAll, expect, test } from 'vitest';
import { prepare } from '../../bench/blocks/data.js';
import { growthOf, isAsWanted } from '../../bench/blocks/growth.js';
import { allLists } from '../../bench/blocks/lists.js';
import { everySet } from '../../bench/blocks/sets.js';
import { createImportPlace, type ImportPlace } from '../harness/ingest.js';

const ROWS = 600;
const TIMES = 5;

let places: ImportPlace[] = [];
beforeAll(async () => {
  places = [await createImportPlace(), await createImportPlace()];
});
afterAll(async () => {
  for (const place of places) await place.close();
  places = [];
});

test(`the first page of each list, with each set of its filters, reads as many blocks of ${TIMES} times the rows`, async () => {
  const [small, large] = places.map(({ storage }) => storage);
  if (!small || !large) throw new Error('no databases');
  const casesOf = (hot: string) => [...allLists(hot), ...everySet(hot)];
  const few = casesOf(await prepare(small, ROWS));
  const many = casesOf(await prepare(large, ROWS * TIMES));
  const pairs = few.map((each, place) => [each, many[place] ?? each] as const);
  const found = await growthOf(pairs, [small, large], ['generic']);
  expect(found.length).toBeGreaterThan(500);
  expect(found.filter((each) => !isAsWanted(each))).toEqual([]);
});
