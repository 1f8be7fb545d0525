import type { PageRequest } from '../../src/paging/page-request.js';
import type { Storage } from '../../src/storage/open.js';
import { touchedByReading, type PlanKind } from '../../test/harness/buffers.js';
import { poolOf } from '../../test/harness/connections.js';

const PAGE_SIZE = 10;
const FAR_PAGE = 10_000;
/** A list is dense when it has more rows than this, sparse when it has one of these numbers of them. */
const DENSE = FAR_PAGE * PAGE_SIZE;
export const SPARSE = [0, 1, 10];

/** A list under certain values of its filters. */
export interface FilteredList {
  /** Reads a page as the gateway does. */
  read: (storage: Storage, request: PageRequest) => Promise<unknown>;
  /** The same rows in SQL that has nothing of the gateway's: from FROM on, a row's id, and ORDER BY. */
  plain: { text: string; id: string; order: string; values: unknown[] };
}

/** A set of filters with values under which it matches many rows, and values under which it matches few. */
export interface FilterSet {
  filters: string;
  dense: FilteredList;
  /**
   * Lists of 0, 1 and 10 rows. With one filter less they are dense, so that no filter by itself leads to the
   * few rows.
   */
  sparse: { list: FilteredList; parts: FilteredList[] }[];
}

/** A set of filters whose numbers of matches were counted. */
export interface CountedSet extends FilterSet {
  matches: number;
  /** Row id of the last row before page 10,000 of the dense list. */
  cursor: string;
}

/** Blocks that pages of a set of filters touch. */
export interface Measured {
  filters: string;
  matches: number;
  first: number;
  far: number;
  /** As in SPARSE. */
  sparse: number[];
}

/**
 * Counts in plain SQL the matches of the lists of a set. @throws Error if they are not what they should be
 */
export async function countSet(storage: Storage, set: FilterSet): Promise<CountedSet> {
  for (const [index, { list, parts }] of set.sparse.entries()) {
    const matches = await count(storage, list);
    if (matches !== SPARSE[index]) throw unlike(set, `${matches} instead of ${SPARSE[index]}`, list);
    for (const part of parts) {
      const matches = await count(storage, part);
      if (matches <= DENSE) throw unlike(set, `${matches} instead of over ${DENSE}`, part);
    }
  }
  const matches = await count(storage, set.dense);
  if (matches <= DENSE) throw unlike(set, `${matches} instead of over ${DENSE}`, set.dense);
  const { text, id, order, values } = set.dense.plain;
  const { rows } = await poolOf(storage).query<{ id: string }>(
    `SELECT ${id} AS id ${text} ORDER BY ${order} OFFSET ${DENSE - PAGE_SIZE - 1} LIMIT 1`,
    values,
  );
  return { ...set, matches, cursor: rows[0]?.id ?? '' };
}

function unlike({ filters }: FilterSet, numbers: string, { plain }: FilteredList): Error {
  const values = JSON.stringify(plain.values);
  return new Error(
    `${filters} ${values} matches ${numbers} rows: the kept data are not this bench's, remove them`,
  );
}

const counted = new Map<string, number>();

async function count(storage: Storage, { plain }: FilteredList): Promise<number> {
  const key = JSON.stringify(plain);
  const known = counted.get(key);
  if (known !== undefined) return known;
  const { rows } = await poolOf(storage).query<{ count: number }>(
    `SELECT count(*)::int AS count ${plain.text}`,
    plain.values,
  );
  const found = rows[0]?.count ?? NaN;
  counted.set(key, found);
  return found;
}

/** Measures the pages of a set. @throws Error if a page has another number of rows than it must have */
export async function measureSet(storage: Storage, set: CountedSet, plan: PlanKind): Promise<Measured> {
  const page = async (list: FilteredList, after: string | null, rows: number) => {
    const request = { direction: 'forward', limit: PAGE_SIZE, after, before: null } as const;
    const touched = await touchedByReading(storage, (spy) => list.read(spy, request), plan);
    if (touched.rows !== rows) throw new Error(`${set.filters}: ${touched.rows} rows instead of ${rows}`);
    return touched.buffers;
  };
  const sparse: number[] = [];
  for (const [index, { list }] of set.sparse.entries())
    sparse.push(await page(list, null, SPARSE[index] ?? NaN));
  // One row more than the page, which shows that there is a next one.
  const first = await page(set.dense, null, PAGE_SIZE + 1);
  const far = await page(set.dense, set.cursor, PAGE_SIZE + 1);
  return { filters: set.filters, matches: set.matches, first, far, sparse };
}
