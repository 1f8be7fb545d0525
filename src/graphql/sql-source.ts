import type { Arguments } from '../arguments/argument.js';
import type { JsonField } from '../storage/json-text.js';
import type { DeclaredFind } from '../lists/find.js';
import type { ValueOf } from '../lists/list.js';
import type { List } from '../lists/read.js';
import type { PageLimits } from '../paging/page-request.js';
import type { QueryDigest } from '../paging/token.js';

/*
 * What fields and types of the schema declare, in their extensions, so that operations over them can be answered by one
 * statement (docs/decisions/0018-one-statement.md). A field that declares nothing is resolved by the plain executor, and
 * with it the whole operation.
 */

/** A value of the row's own. */
export type ValueSource =
  /** SQL over the tables that rows of the type are read from; NULL is null. Of an object that is never null `members` may
   * say how each is read alone, so that the object need not be made for one of them. */
  | (Pick<JsonField, 'form' | 'sql'> & { members?: readonly JsonField[] })
  /** A member of a jsonb: the one whose SQL is given, or else that of the object around the field. */
  | { member: string; of?: string };

/** A field that is a declared list: see listField. */
export interface ListSource {
  list: List<never, unknown>;
  arguments: Arguments;
  of: Readonly<Record<string, (parent: never) => unknown>>;
  key: ((parent: never) => object) | undefined;
  digest: (query: object) => QueryDigest;
  /** Of its pages, where they are not the usual ones. */
  limits?: PageLimits;
  /** Whether its query is made of more than its values. */
  isMade: boolean;
  /** The argument for which the present stands where it is left out. */
  present?: string;
}

/** How a row is found by key. */
export type FindSource = Pick<DeclaredFind<never, unknown>, 'source' | 'key' | 'isFirst'>;

/** A row that is made of its key: a table of one row, or of none. */
export interface GivenSource {
  /** What the table is called. */
  as: string;
  /** SQL types of the parts. */
  types: Readonly<Record<string, string>>;
  /** The SELECT of the row. Not given: it is the key and nothing else, held or not, its columns the parts of the key. */
  select?: (value: ValueOf) => string;
}

/** One whose row a SELECT reads. */
export type SelectSource = Required<GivenSource>;

/** A field that is a row found by key, or null. */
export interface RowSourceOf {
  find: FindSource | GivenSource;
  arguments?: Arguments;
  /** The key, of what the arguments mean. @throws when another find answers it, for the plain executor */
  asked?: (values: never) => object;
  /** The key, of the parent's keys. */
  of?: (parent: never) => object;
  /** A key of the parent without which there is no row. */
  needs?: string;
}

/** What a field declares under `sql` in its extensions. */
export interface FieldSource {
  value?: ValueSource;
  list?: ListSource;
  row?: RowSourceOf;
}

/**
 * What an object type declares under `sql` in its extensions, over the tables that its rows are read from: that its
 * fields are what their SQL says, whatever becomes of a row in JavaScript.
 */
export interface TypeSource {
  /** SQL of what the type's lists, rows and page tokens go by, under the names that its nodes have for them. */
  keys: Readonly<Record<string, string>>;
  /** SQL of the key in the global id. */
  id?: string;
}

/** The extensions of a field. */
export const sqlOf = (source: FieldSource) => ({ sql: source });
/** The extensions of a type. */
export const sqlOfType = (source: TypeSource) => ({ sql: source });
