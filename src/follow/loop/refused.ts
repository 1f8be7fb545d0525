import { messageOf, shorten } from '../../errors.js';
import { printJson } from '../../json.js';
import { RowError, RowLeftOut } from '../../rows/errors.js';
import { codeOf } from '../../storage/errors.js';
import type { Session } from '../../storage/session.js';
import { inWriteTransaction, type RowSet } from '../../write/transaction.js';
import type { KindRows } from '../pipeline.js';

/*
 * The last resort. Strangers write much of what is stored, and a row that is refused would stop its chain for
 * good. What they may write is made fit for storing where rows are made; a row that is still refused is
 * stored without the free text, or left out; the log and a counter report it. A fault of ours loses no row:
 * any other error, and one that all rows have, is thrown, and the stream stops.
 */

/** The rows of a set, and for each what it was read from. */
export interface OwnRows extends RowSet {
  readonly given: readonly unknown[];
}

/** Rows as far as they are accepted, and what was refused of them, for people. */
export interface Sifted {
  readonly sets: readonly OwnRows[];
  readonly refused: readonly string[];
}

/** Longest part of a row that a message shows, characters. */
const SHOWN_ROW = 2000;

/** If all rows of a set are refused, and they are more than this, it is a fault of ours. */
const MOST_OF_ALL = 20;

/**
 * The rows as their kinds read them, which depends on each row alone. A sort that is never stored is left
 * out, as from files.
 *
 * @throws what is no RowError; the first one where every row of many is refused
 */
export function readAccepted(all: readonly KindRows[]): Sifted {
  const refused: string[] = [];
  const sets = all.map(({ kind, scope, rows }): OwnRows => {
    const read: unknown[] = [];
    const given: unknown[] = [];
    const take = (row: unknown) => {
      read.push(kind.read(row, scope));
      given.push(row);
    };
    const errors: unknown[] = [];
    for (const row of rows)
      try {
        take(row);
      } catch (error) {
        if (!(error instanceof RowError)) throw error;
        if (error instanceof RowLeftOut) continue;
        errors.push(error);
        refused.push(refusalText(kind, row, error));
        const least = leastOf({ kind, scope }, row);
        if (least !== undefined) take(least);
      }
    checkNotAll(errors, rows.length);
    return { kind, scope, rows: read, given };
  });
  return { sets: sets.filter(({ rows }) => rows.length > 0), refused };
}

/** @throws the first error where every row of many was refused */
function checkNotAll(errors: readonly unknown[], rows: number): void {
  if (errors.length === rows && rows > MOST_OF_ALL) throw errors[0];
}

/**
 * Whether a statement was refused for what it was given: a value that the type cannot hold, a constraint, a
 * limit of PostgreSQL (SQLSTATE 22, 23 and 54). Not for our own fault: a sequence that has no more ids, a key
 * that is taken or missing.
 */
export const isRefusal = (error: unknown): boolean => /^(?:22(?!00H)|23(?!505|503)|54)/.test(codeOf(error));

/**
 * Finds the rows that the database refuses by trying parts of their sets.
 *
 * @throws what the database throws; the first refusal where every row of many is refused
 */
export async function siftRefused(session: Session, sets: readonly OwnRows[]): Promise<Sifted> {
  const sifted: OwnRows[] = [];
  const refused: string[] = [];
  for (const set of sets) {
    const found = new Map<number, unknown>();
    await findRefused(session, set, { from: 0, to: set.rows.length, found });
    checkNotAll([...found.values()], set.rows.length);
    const read: unknown[] = [];
    const given: unknown[] = [];
    for (const [at, row] of set.given.entries()) {
      let kept = { given: row, read: set.rows[at] };
      if (found.has(at)) {
        refused.push(refusalText(set.kind, row, found.get(at)));
        const least = leastOf(set, row);
        if (least === undefined) continue;
        kept = { given: least, read: set.kind.read(least, set.scope) };
        if ((await refusalOf(session, { ...set, rows: [kept.read] })) !== null) continue;
      }
      given.push(kept.given);
      read.push(kept.read);
    }
    sifted.push({ ...set, rows: read, given });
  }
  return { sets: sifted.filter(({ rows }) => rows.length > 0), refused };
}

interface Part {
  readonly from: number;
  readonly to: number;
  /** Errors by the index of their row. */
  readonly found: Map<number, unknown>;
}

async function findRefused(session: Session, set: RowSet, { from, to, found }: Part): Promise<void> {
  const error = await refusalOf(session, { ...set, rows: set.rows.slice(from, to) });
  if (error === null) return;
  if (to - from === 1) {
    found.set(from, error);
    return;
  }
  const middle = Math.floor((from + to) / 2);
  await findRefused(session, set, { from, to: middle, found });
  await findRefused(session, set, { from: middle, to, found });
}

/** Ends a trial. */
class Tried extends Error {}

/** Why the database refuses rows, or null. Nothing is written. */
async function refusalOf(session: Session, { kind, scope, rows }: RowSet): Promise<unknown> {
  try {
    await inWriteTransaction(session, [kind.lock(scope)], async (batch) => {
      await kind.write(batch, scope, rows);
      throw new Tried();
    });
  } catch (error) {
    if (error instanceof Tried) return null;
    if (isRefusal(error)) return error;
    throw error;
  }
  return null;
}

/** What is left of a row, if its kind accepts that; undefined: nothing. */
function leastOf({ kind, scope }: Pick<RowSet, 'kind' | 'scope'>, row: unknown): unknown {
  try {
    const least = kind.least?.(row);
    if (least !== undefined) kind.read(least, scope);
    return least;
  } catch {
    return undefined;
  }
}

const refusalText = ({ tables }: RowSet['kind'], row: unknown, error: unknown): string =>
  `a row for ${tables[0]} is refused (${messageOf(error)}), and stored in part or not at all: ${textOf(row)}`;

function textOf(row: unknown): string {
  try {
    return shorten(printJson(row), SHOWN_ROW);
  } catch {
    // It is nested deeper than it can be printed.
    return 'it cannot be shown';
  }
}
