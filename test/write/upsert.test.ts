import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { arrayText } from '../../src/storage/copy.js';
import { DriverSession } from '../../src/storage/driver-session.js';
import { upsertRows } from '../../src/write/upsert.js';
import { createImportDatabase, type ImportDatabase } from '../harness/ingest.js';
import { holdConnection } from '../harness/connections.js';

let database: ImportDatabase;
let client: DriverSession;
let release: () => void;

const table = {
  name: 'thing',
  columns: { shelf: 'text', position: 'bigint', title: 'text', tags: 'text[]', weight: 'numeric' },
  key: ['shelf', 'position'],
} as const;
const columns = Object.keys(table.columns);

beforeAll(async () => {
  database = await createImportDatabase();
  const lent = await holdConnection(database.storage);
  client = new DriverSession(lent);
  release = () => lent.release();
  await client.query(
    `CREATE TABLE thing (id bigserial, shelf text NOT NULL, position bigint NOT NULL, title text, tags text[], weight numeric);
     CREATE UNIQUE INDEX ON thing (shelf, position)`,
  );
});

beforeEach(() => client.query('TRUNCATE thing RESTART IDENTITY'));

afterAll(async () => {
  release();
  await database.close();
});

type Row = [string, number, string | null, string[] | null, string | null];
// Every character but the two that PostgreSQL's text cannot hold.
const text = fc.string({ unit: 'grapheme', maxLength: 8 }).map((value) => value.replaceAll('\0', ''));
const awkward = fc.oneof(
  text,
  fc.constantFrom('', '\\N', 'a\tb', 'a\nb\r', '\\', '"', '{}', "'", 'NULL', '\\.'),
);
const row: fc.Arbitrary<Row> = fc.tuple(
  fc.constantFrom('a', 'b', 'a"'),
  fc.nat(3),
  fc.option(awkward),
  fc.option(fc.array(awkward, { maxLength: 3 })),
  fc.option(fc.bigInt(0n, 2n ** 256n).map(String)),
);

async function read(): Promise<Row[]> {
  const { rows } = await client.query<Row>({
    text: `SELECT shelf, position::int, title, tags, weight FROM thing ORDER BY shelf COLLATE "C", position`,
    rowMode: 'array',
  });
  return rows;
}

test('property: COPY keeps every value', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(row, { selector: ([a, b]) => `${a} ${b}` }), async (rows) => {
      await client.query('TRUNCATE thing');
      await client.copy('thing', columns, rows);
      const sorted = [...rows].sort((a, b) => (a[0] === b[0] ? a[1] - b[1] : a[0] < b[0] ? -1 : 1));
      expect(await read()).toEqual(sorted);
    }),
    { numRuns: 50 },
  );
  expect(arrayText(['a', 'b"\\'])).toBe('{"a","b\\"\\\\"}');
});

test('property: upserts leave what the last row of each key said, counted as a model counts', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(row, { maxLength: 6 }), { maxLength: 4 }), async (batches) => {
      await client.query('TRUNCATE thing');
      const model = new Map<string, Row>();
      for (const batch of batches) {
        const last = new Map(batch.map((each) => [`${each[0]} ${each[1]}`, each]));
        const expected = { inserted: 0, updated: 0 };
        for (const [key, each] of last) {
          const before = model.get(key);
          if (!before) expected.inserted += 1;
          else if (JSON.stringify(before) !== JSON.stringify(each)) expected.updated += 1;
          model.set(key, each);
        }
        const upserted = client.transaction((each) => upsertRows(each, table, batch));
        expect(await upserted).toEqual(expected);
      }
      const sorted = [...model.values()].sort((a, b) => (a[0] === b[0] ? a[1] - b[1] : a[0] < b[0] ? -1 : 1));
      expect(await read()).toEqual(sorted);
    }),
    { numRuns: 40 },
  );
});

test('an upsert of known rows writes nothing and burns no ids', async () => {
  const rows: Row[] = [
    ['a', 1, 'x', ['t'], '1'],
    ['a', 2, null, null, null],
  ];
  await upsertRows(client, table, rows);
  const versions = () =>
    client.query('SELECT ctid, xmin, id FROM thing ORDER BY position').then((each) => each.rows as unknown[]);
  const before = await versions();
  expect(await upsertRows(client, table, rows)).toEqual({ inserted: 0, updated: 0 });
  expect(await versions()).toEqual(before);
  await upsertRows(client, table, [['a', 3, null, null, null]]);
  const { rows: added } = await client.query('SELECT id FROM thing WHERE position = 3');
  expect(added).toEqual([{ id: '3' }]);
});
