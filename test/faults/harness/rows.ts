import { rowCountsQuery, type DataFolder } from '../../harness/data-folder.js';

/** Rows of each table that an import writes first. */
export type RowCounts = Record<string, number>;

interface Queryable {
  query: <Row extends object>(sql: string) => Promise<Row[]>;
}

export async function countRows(database: Queryable): Promise<RowCounts> {
  const [counts] = await database.query<RowCounts>(rowCountsQuery);
  return counts ?? {};
}

/** A data folder to count in, while a server runs on it. */
export function inFolder(folder: Pick<DataFolder, 'connect'>): Queryable {
  return {
    async query<Row extends object>(sql: string) {
      const client = await folder.connect();
      try {
        return (await client.query<Row>(sql)).rows;
      } finally {
        await client.end();
      }
    },
  };
}

/**
 * How many of the stored rows are missing now, table by table: rows that were added elsewhere do not count.
 */
export function rowsMissing(before: RowCounts, after: RowCounts): number {
  return Object.entries(before).reduce(
    (sum, [table, count]) => sum + Math.max(0, count - (after[table] ?? 0)),
    0,
  );
}

/**
 * Counts the rows of a database; the function that it returns counts how many of them are missing by then.
 */
export async function watchRows(database: Queryable): Promise<() => Promise<number>> {
  const before = await countRows(database);
  return async () => rowsMissing(before, await countRows(database));
}
