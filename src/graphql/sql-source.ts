import type { Arguments } from '../arguments/argument.js';
import type { JsonField } from '../storage/json-text.js';
import type { DeclaredFind } from '../lists/find.js';
import type { ValueOf } from '../lists/list.js';
import type { List } from '../lists/read.js';
import type { PageArguments, PageLimits } from '../paging/page-request.js';
import type { QueryDigest } from '../paging/token.js';
import type { ConnectionSource } from './connection.js';
import type { Context } from './context.js';

/*
 * What fields and types of the schema declare in their extensions, so that one statement can answer
 * operations over them (docs/decisions/0018-one-statement.md). The plain executor resolves a field that
 * declares nothing, and with it the whole operation.
 */

/** A value of the row itself. */
export type ValueSource =
  /**
   * SQL over the tables of the type's rows; NULL is null. For an object that is never null, `members` may say
   * how to read each member, so that the object need not be made for one of them.
   */
  | (Pick<JsonField, 'form' | 'sql'> & { members?: readonly JsonField[] })
  /** A member of a jsonb: of the one whose SQL is given, or else of the object that contains the field. */
  | { member: string; of?: string };

/** A field that is a declared list: see listField. */
export interface ListSource {
  list: List<never, unknown>;
  /** Reads a page: what resolves the field. */
  read: (parent: never, args: PageArguments, context: Context) => Promise<ConnectionSource>;
  arguments: Arguments;
  of: Readonly<Record<string, (parent: never) => unknown>>;
  key: ((parent: never) => object) | undefined;
  digest: (query: object) => QueryDigest;
  /** Of its pages, if they are not the usual ones. */
  limits?: PageLimits;
  /** Whether its query is made of more than its values. */
  isMade: boolean;
  /** The argument that defaults to the present. */
  present?: string;
}

/** How a row is found by key. */
export type FindSource = Pick<DeclaredFind<never, unknown>, 'source' | 'key' | 'isFirst'>;

/** A row that is made from its key: a table of one row, or of none. */
export interface GivenSource {
  /** What the table is called. */
  as: string;
  /** SQL types of the parts. */
  types: Readonly<Record<string, string>>;
  /** The SELECT of the row. Not given: it consists of the key, stored or not. */
  select?: (value: ValueOf) => string;
}

/** One whose row a SELECT reads. */
export type SelectSource = Required<GivenSource>;

/** Marks a part of a key that is not the parent's, but the same for all. */
export type Constant = <Value extends string>(value: Value) => Value;

/** A field that is a row found by key, or null: see rowField. */
export interface RowSourceOf {
  find: FindSource | GivenSource;
  arguments?: Arguments | undefined;
  /** Makes the key from the arguments. @throws when another find answers it, for the plain executor */
  keyOf?: ((values: never) => object) | undefined;
  /** The key, of the parent's keys. */
  of?: ((parent: never, constant: Constant) => object) | undefined;
  /** A member of the parent without which there is no row; SQL that finds none anyway needs no such key. */
  needs?: string | undefined;
}

/** What a field declares under `sql` in its extensions. */
export interface FieldSource {
  value?: ValueSource;
  list?: ListSource;
  row?: RowSourceOf;
}

/**
 * What an object type declares under `sql` in its extensions, over the tables of its rows: that its fields
 * are exactly what their SQL says, without changes in JavaScript.
 */
export interface TypeSource {
  /** SQL of the keys that the type's lists, rows and page tokens need, by their names in its nodes. */
  keys: Readonly<Record<string, string>>;
  /** SQL of the key in the global id. */
  id?: string;
}

/** The extensions of a field. */
export const sqlOf = (source: FieldSource) => ({ sql: source });
/** The extensions of a type. */
export const sqlOfType = (source: TypeSource) => ({ sql: source });
