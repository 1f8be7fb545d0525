import type { Network, PrimaryChain } from './avalanche/networks.js';
import type { ExportKind } from './export/kind.js';
import type { FileKind } from './ingest/kind.js';
import type { Tag } from './rest/openapi/document.js';
import type { Route } from './rest/route.js';
import type { Derivation } from './write/derived/table.js';

/**
 * What a resource declares for the folders that know no resource, in addition to its GraphQL types. These are
 * in schema.ts; the documents of its routes are generated from them.
 */
export interface Resource {
  rest?: {
    /** The group of the routes. */
    tag: Tag;
    routes: readonly Route[];
  };
  files?: readonly FileKind[];
  exports?: readonly ExportKind[];
  /** Tables that imports compute from the rows of another: `moraine rebuild` computes them again. */
  derivation?: Derivation<unknown>;
  /** Table whose row ids page tokens contain: an export with secrets keeps them. */
  pagedTable?: string;
  /**
   * Tables that outgrow a machine: `moraine distribute` moves them together to a worker of Citus, parents
   * before the tables that refer to them.
   */
  onWorker?: readonly [string, ...string[]];
  /** The rows that the first screen counts as a whole. */
  counted?: CountedRows;
  /** The rows that the first screen counts for each chain of the primary network. */
  countedByLedger?: LedgerRows;
}

/** A chain of the primary network, on one network. */
export interface Ledger {
  network: Network;
  chain: PrimaryChain;
}

/** The rows of a statement without parameters; throws what pg throws. */
export type Query = <Row extends object>(sql: string) => Promise<Row[]>;

/** A kind of rows that is counted as a whole. */
export interface CountedRows {
  table: string;
  label: string;
}

/** A kind of rows that belong to chains of the primary network. */
export interface LedgerRows {
  label: string;
  /** Makes the FROM item of the rows of a chain. */
  source: (query: Query) => Promise<(ledger: Ledger) => string>;
  /** The newest row of each chain that has one. */
  newest?: (query: Query) => Promise<NewestRow[]>;
  /** A first request that returns data if there are rows. */
  request: (ledger: Ledger) => TrialRequest;
}

/** A request to try: a path of the REST API or a GraphQL document. */
export type TrialRequest = { title: string } & ({ path: string } | { query: string });

/** The newest row of a chain. */
export interface NewestRow extends Ledger {
  /** Number of its block; null if unknown. */
  block: string | null;
  /** Unix seconds. */
  time: string;
}
