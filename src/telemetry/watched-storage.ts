import type { Storage } from '../storage/open.js';
import type { RequestRecord } from './request-record.js';

/**
 * The storage as one request sees it: its reads are written into the request's record. Handed down by hand instead of
 * by AsyncLocalStorage, which costs 2 to 8 % of a REST list on Node 20 (docs/decisions/0015-seeing.md).
 */
export function watchStorage(storage: Storage, record: RequestRecord): Storage {
  const view = Object.create(storage) as Storage;
  view.read = <Row extends object>(...[statement, values]: Parameters<Storage['read']>) => {
    const rows = storage.read<Row>(statement, values);
    record.statements += 1;
    const ended = record.trace?.statement(statement.name);
    rows.then(
      (found) => {
        record.rows += found.length;
        ended?.(found.length);
      },
      (error: unknown) => ended?.(0, error),
    );
    return rows;
  };
  return view;
}
