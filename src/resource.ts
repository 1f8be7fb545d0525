import type { ExportKind } from './export/kind.js';
import type { HeldRows, LedgerRows } from './http/pages/holdings.js';
import type { FileKind } from './ingest/kind.js';
import type { Tag } from './rest/openapi/document.js';
import type { Route } from './rest/route.js';

/**
 * What a resource gives to the rooms that know no resource, beside its GraphQL types: those stand in schema.ts, from
 * which the documents of its routes are generated.
 */
export interface Resource {
  rest?: {
    /** The group that the routes stand in. */
    tag: Tag;
    routes: readonly Route[];
  };
  files?: readonly FileKind[];
  exports?: readonly ExportKind[];
  /** Table whose row ids page tokens hold: an export with secrets keeps them. */
  pagedTable?: string;
  /** Tables that outgrow a machine: `moraine distribute` moves them to a worker of Citus, together, the parents of others first. */
  onWorker?: readonly [string, ...string[]];
  /** What the first screen counts of it as a whole. */
  held?: HeldRows;
  /** What the first screen tells of it for each chain of the primary network. */
  heldByLedger?: LedgerRows;
  /** A document that GraphiQL opens with; it returns data on the generated sample, whose names it uses. */
  example?: string;
}
