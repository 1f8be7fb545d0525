import type { RowKind } from '../write/kind.js';
import type { WriteScope } from '../write/scope.js';
import type { ScopeFields } from './scope.js';

/**
 * A kind of file that `moraine import` understands, whose lines are rows of one kind. A resource exports one
 * from its import.ts.
 */
export interface FileKind<Row = unknown, Scope extends WriteScope = WriteScope> {
  /** As `--kind` takes it. */
  readonly name: string;
  /** Matches file names without `.ndjson` and `.gz`; its groups `network` and `chain` are the scope. */
  readonly file: RegExp;
  /** An example of a file name of this kind, for help and errors. */
  readonly example: string;
  /** The name of the list of such rows in replies: a line may be a page as REST prints it. */
  readonly page?: string;
  readonly rows: RowKind<Row, Scope>;
  /** @throws IngestError when the parts name nothing known, or one is missing */
  scope(fields: ScopeFields): Scope;
}
