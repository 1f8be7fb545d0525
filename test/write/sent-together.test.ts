import { setTimeout as passing } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { verdictOn } from '../../src/follow/loop/verdict.js';
import type { Batch, Session } from '../../src/storage/session.js';
import { createImportDatabase, type ImportDatabase } from '../harness/ingest.js';
import { countStatements } from '../harness/statements.js';

let database: ImportDatabase;

beforeAll(async () => {
  database = await createImportDatabase();
  await database.storage.session((session) =>
    session.query('CREATE TABLE step (nth int PRIMARY KEY, note text, tags text[])'),
  );
});

beforeEach(() => database.storage.session((session) => session.query('TRUNCATE step')));

afterAll(() => database.close());

const transaction = <T>(work: (batch: Batch) => Promise<T>) =>
  database.storage.session((session: Session) => session.transaction(work));

const stored = async () => {
  const { rows } = await database.storage.session((session) =>
    session.query<{ nth: number; note: string }>('SELECT nth, note FROM step ORDER BY nth'),
  );
  return rows;
};

/**
 * What a transaction does: rows to add, which is a COPY if they are many; a change of all rows; a count of
 * them.
 */
type Step = { add: number } | 'change' | 'count';
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ add: fc.constantFrom(0, 1, 2, 16, 17, 40) }),
  fc.constantFrom<Step>('change', 'count'),
);

/** The rows after these steps, and the answers to the counts, if each step runs after the one before. */
function expected(steps: readonly Step[]): { rows: { nth: number; note: string }[]; counts: number[] } {
  const rows: { nth: number; note: string }[] = [];
  const counts: number[] = [];
  for (const each of steps) {
    if (each === 'count') counts.push(rows.length);
    else if (each === 'change') for (const row of rows) row.note += '+';
    else for (let added = 0; added < each.add; added += 1) rows.push({ nth: rows.length, note: 'a\t"b"\\N' });
  }
  return { rows, counts };
}

/** Sends all steps at once. @returns answers to the counts */
function sendAll(batch: Batch, steps: readonly Step[]): Promise<(number | null)[]> {
  let next = 0;
  return Promise.all(
    steps.map(async (each) => {
      if (each === 'count') {
        const { rows } = await batch.query<{ count: number }>('SELECT count(*)::int FROM step WHERE $1', [
          true,
        ]);
        return rows[0]?.count ?? null;
      }
      if (each === 'change') await batch.query('UPDATE step SET note = note || $1', ['+']);
      else {
        const rows = Array.from({ length: each.add }, () => [next++, 'a\t"b"\\N', ['x,"y"', '{}']]);
        await batch.copy('step', ['nth', 'note', 'tags'], rows);
      }
      return null;
    }),
  );
}

test('statements of a transaction that are sent together run in the order in which they were sent', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      await database.storage.session((session) => session.query('TRUNCATE step'));
      const counts = await transaction((batch) => sendAll(batch, steps));
      const model = expected(steps);
      expect(counts.filter((count) => count !== null)).toEqual(model.counts);
      expect(await stored()).toEqual(model.rows);
    }),
    { numRuns: 40 },
  );
});

test('if one of them fails, nothing is stored, and what still works can send nothing behind the end', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 6 }),
      fc.nat(5),
      fc.boolean(),
      async (steps, late, inSql) => {
        let other: Promise<unknown> | undefined;
        const failed = database.storage.session(async (session) => {
          const work = session.transaction((batch) => {
            other = (async () => {
              for (let round = 0; round < 20; round += 1) {
                await batch.query('INSERT INTO step (nth) VALUES ($1)', [1000 + round]);
                await passing(late);
              }
            })();
            const failing = inSql
              ? batch.query('SELECT 1 / $1::int', [0])
              : Promise.reject(new Error('ours'));
            return Promise.all([other, sendAll(batch, steps), failing]);
          });
          const error = await work.catch((reason: unknown) => reason);
          await other?.catch(() => undefined);
          // The connection is as before.
          expect((await session.query('SELECT txid_current_if_assigned() AS id')).rows).toEqual([
            { id: null },
          ]);
          throw error;
        });
        await expect(failed).rejects.toThrow(inSql ? 'division by zero' : 'ours');
        await expect(other).rejects.toThrow(
          /the transaction has ended|current transaction is aborted|division by zero/,
        );
        expect(await stored()).toEqual([]);
      },
    ),
    { numRuns: 20 },
  );
});

/** The same through some functions, so that its error comes out later than one that is thrown further up. */
const deep = (answer: Promise<unknown>, depth = 5): Promise<unknown> =>
  depth === 0 ? answer : (async () => await deep(answer, depth - 1))();

test('the error is that of the statement that failed, not of those that were refused after it', async () => {
  const failed = transaction(async (batch) => {
    await batch.query('SELECT 1');
    const all = Promise.all([
      deep(batch.query('SELECT 1 / $1::int', [0])),
      batch.query('SELECT $1::int', [1]),
      batch.query('SELECT $1::int', [2]),
    ]);
    // Every answer has arrived before the first one is looked at.
    for (const end = performance.now() + 100; performance.now() < end;);
    return all;
  });
  await expect(failed).rejects.toThrow('division by zero');
});

test('if the transaction does not begin, nothing is stored outside of it', async () => {
  const failed = database.storage.session((session) =>
    session.transaction(
      (batch) =>
        Promise.all([
          batch.query('SELECT count(*) FROM step'),
          batch.query('INSERT INTO step (nth) VALUES ($1)', [1]),
          batch.query('SELECT count(*) FROM step'),
          batch.copy('step', ['nth'], [[2]]),
          batch.copy(
            'step',
            ['nth'],
            Array.from({ length: 50 }, (_, nth) => [nth + 10]),
          ),
        ]),
      ['this is no SQL'],
    ),
  );
  await expect(failed).rejects.toThrow('syntax error');
  expect(await stored()).toEqual([]);
});

test('a table that a migration changes under a prepared statement is one for which a follower takes a new session', async () => {
  const error = await database.storage.session(async (session) => {
    const read = () =>
      session.transaction((batch) => batch.query('SELECT note FROM step WHERE nth = $1', [1]));
    await read();
    await database.storage.session((other) => other.query('ALTER TABLE step ALTER note TYPE varchar(100)'));
    return read().catch((reason: unknown) => reason);
  });
  await database.storage.session((other) => other.query('ALTER TABLE step ALTER note TYPE text'));
  const verdict = verdictOn(error, { name: 'p', setAside: () => false });
  expect(verdict).toEqual({ then: 'renew', note: 'a table was changed by a migration' });
});

test('a small write is prepared once, and one with many values is not', async () => {
  const { names } = await countStatements(() =>
    transaction(async (batch) => {
      const note = (notes: string[]) => batch.query('UPDATE step SET note = ($1::text[])[1]', [notes]);
      await note(['a']);
      await note(['b']);
      await note(Array.from({ length: 1000 }, () => 'c'));
    }),
  );
  expect(names).toHaveLength(2);
  expect(new Set(names).size).toBe(1);
});
