import type { Batch } from '../storage/session.js';
import type { Network } from '../avalanche/networks.js';
import type { ScopeParts } from './scope.js';

/** What all rows of a file belong to. */
export interface ImportScope {
  /** The network, under whose lock the rows are written; null for files of EVM chains. */
  readonly network: Network | null;
  /**
   * The EVM chain of everything that is written, where a kind writes nothing that chains share: imports of other chains then
   * write at the same time. A decimal id.
   */
  readonly onlyChain?: string;
  /** Whether rows keep the ids that an export gave them, and whatever else is their installation's: page tokens hold ids. */
  readonly keepsInstallation?: boolean;
}

/** What a batch did. */
export interface Written {
  /** Rows that changed the database. */
  written: number;
  /** Rows that the database held already, as they are. */
  unchanged: number;
  /** Tables that were changed, where those of the kind are more; partitions by their own names. */
  changed?: readonly string[];
}

/**
 * A kind of file that `moraine import` understands. A resource exports one from its import.ts.
 *
 * `write` receives rows as `read` returned them, in file order, possibly with repeated keys, inside a database
 * transaction that holds the import lock of the network, or chain: between its statements no other import writes. See copy.ts and
 * upsert.ts for the tools. It must write nothing for rows that the database holds already, so that a file can be
 * imported again and again.
 */
export interface ImportKind<Row = unknown, Scope extends ImportScope = ImportScope> {
  /** As `--kind` takes it. */
  readonly name: string;
  /** Matches file names without `.ndjson` and `.gz`; its groups `network` and `chain` make the scope. */
  readonly file: RegExp;
  /** A file name of this kind as people write it, for help and errors. */
  readonly example: string;
  /** What replies call the list of such rows: a line may be a page as REST prints it. */
  readonly page?: string;
  /** Tables that `write` changes: vacuumed after an import. The first one is empty in an empty database. */
  readonly tables: readonly [string, ...string[]];
  /** Those of them that no import reads by an index which is not unique: into empty ones the indexes are made afterwards. */
  readonly indexedLate?: readonly string[];
  /** @throws IngestError when the parts name nothing known, or one is missing */
  scope(parts: ScopeParts): Scope;
  /** @throws RowError that says what is wrong with the row; RowLeftOut when it is never stored */
  read(value: unknown, scope: Scope): Row;
  write(client: Batch, scope: Scope, rows: readonly Row[]): Promise<Written>;
}
