import { callsAround } from '../storage/around.js';
import type { Storage } from '../storage/open.js';
import type { Database } from '../storage/prisma.js';
import type { RequestRecord } from './request-record.js';

/**
 * The storage as one request sees it: its reads and the calls of its models are written into the request's record.
 * Handed down by hand instead of by AsyncLocalStorage, which costs 2 to 8 % of a REST list on Node 20
 * (docs/decisions/0015-seeing.md).
 */
export function watchStorage(storage: Storage, record: RequestRecord): Storage {
  const view = Object.create(storage) as Storage;
  const note = <T>(name: string, asked: Promise<T>) => noteStatement(record, name, asked);
  view.read = <Row extends object>(...[statement, values]: Parameters<Storage['read']>) =>
    note(statement.name, storage.read<Row>(statement, values));
  let prisma: Database | undefined;
  Object.defineProperty(view, 'prisma', {
    get: () => (prisma ??= callsAround(storage.prisma, (name, work) => note(name, work(storage.prisma)))),
  });
  return view;
}

/** Writes a statement that was asked into a request's record. */
export function noteStatement<T>(record: RequestRecord, name: string, asked: Promise<T>): Promise<T> {
  record.statements += 1;
  const ended = record.trace?.statement(name);
  asked.then(
    (found) => {
      const rows = rowsOf(found);
      record.rows += rows;
      ended?.(rows);
    },
    (error: unknown) => ended?.(0, error),
  );
  return asked;
}

const rowsOf = (found: unknown) => (Array.isArray(found) ? found.length : Number(found !== null));
