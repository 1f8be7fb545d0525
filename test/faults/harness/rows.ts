import { heldRowsQuery, type DataFolder } from '../../harness/data-folder.js';

/** Rows of each table that an import writes first. */
export type RowCounts = Record<string, number>;

interface Queryable {
  query: <Row extends object>(sql: string) => Promise<Row[]>;
}

export async function countRows(database: Queryable): Promise<RowCounts> {
  const [counts] = await database.query<RowCounts>(heldRowsQuery);
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

/** How many rows of those that were held are no longer, table by table: what was added elsewhere makes up for none. */
export function rowsMissing(before: RowCounts, after: RowCounts): number {
  return Object.entries(before).reduce(
    (sum, [table, count]) => sum + Math.max(0, count - (after[table] ?? 0)),
    0,
  );
}

/** Counts the rows that a database holds; the function that it gives tells how many of them are lost by then. */
export async function watchRows(database: Queryable): Promise<() => Promise<number>> {
  const before = await countRows(database);
  return async () => rowsMissing(before, await countRows(database));
}
