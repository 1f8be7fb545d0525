import type { ExportKind } from './export/kind.js';
import type { CountedRows, LedgerRows } from './http/pages/holdings.js';
import type { FileKind } from './ingest/kind.js';
import type { Tag } from './rest/openapi/document.js';
import type { Route } from './rest/route.js';
import type { Derivation } from './write/derived/table.js';

/**
 * What a resource declares for the folders that know no resource, in addition to its GraphQL types: those are in
 * schema.ts, from which the documents of its routes are generated.
 */
export interface Resource {
  rest?: {
    /** The group of the routes. */
    tag: Tag;
    routes: readonly Route[];
  };
  files?: readonly FileKind[];
  exports?: readonly ExportKind[];
  /** Tables that imports compute from the rows of another: `moraine rebuild` computes them anew. */
  derivation?: Derivation<unknown>;
  /** Table whose row ids page tokens contain: an export with secrets keeps them. */
  pagedTable?: string;
  /**
   * Tables that outgrow a machine: `moraine distribute` moves them together to a worker of Citus, parents before the
   * tables that refer to them.
   */
  onWorker?: readonly [string, ...string[]];
  /** The rows that the first screen counts as a whole. */
  counted?: CountedRows;
  /** The rows that the first screen counts for each chain of the primary network. */
  countedByLedger?: LedgerRows;
}
