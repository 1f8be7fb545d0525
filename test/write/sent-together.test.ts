import { setTimeout as passing } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Batch, Session } from '../../src/storage/session.js';
import { createImportPlace, type ImportPlace } from '../harness/ingest.js';
import { countStatements } from '../harness/statements.js';

let place: ImportPlace;

beforeAll(async () => {
  place = await createImportPlace();
  await place.storage.session((session) =>
    session.query('CREATE TABLE step (nth int PRIMARY KEY, note text, tags text[])'),
  );
});

beforeEach(() => place.storage.session((session) => session.query('TRUNCATE step')));

afterAll(() => place.close());

const transaction = <T>(work: (batch: Batch) => Promise<T>) =>
  place.storage.session((session: Session) => session.transaction(work));

const stored = async () => {
  const { rows } = await place.storage.session((session) =>
    session.query<{ nth: number; note: string }>('SELECT nth, note FROM step ORDER BY nth'),
  );
  return rows;
};

/** What a transaction does: rows to add, which is a COPY if they are many; a change of all rows; a count of them. */
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
      await place.storage.session((session) => session.query('TRUNCATE step'));
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
        const failed = place.storage.session(async (session) => {
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
        await expect(other).rejects.toThrow(/the transaction has ended|current transaction is aborted/);
        expect(await stored()).toEqual([]);
      },
    ),
    { numRuns: 20 },
  );
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
