import {
  ADDRESS,
  blockHashForm,
  BYTES,
  digitsForm,
  EVM_ADDRESS,
  EVM_HASH,
  idForm,
  nodeIdForm,
  only,
} from '../avalanche/patterns.js';
import { jsonText, type JsonField } from '../storage/json-text.js';
import type { Column } from './column.js';
import { int32, int64, ref, type JsonSchema } from './json-schema.js';

/** A kind of value: how PostgreSQL writes it, and its type in GraphQL and REST. */
export interface Kind<T> {
  form: JsonField['form'];
  /** Type in GraphQL; a list of one for a list. */
  type: string | readonly [string];
  schema: JsonSchema;
  /** Only a type: what resolvers receive. */
  value?: T;
}

/** A 64-bit number as parseJson reads it. */
export type LongValue = number | bigint;

/** Text that needs no escaping. @param more what JSON Schema says of it */
export const textOf = (more: JsonSchema = {}): Kind<string> => ({
  form: 'plain',
  type: 'String',
  schema: { type: 'string', ...more },
});

/** Text that needs no escaping. */
export const plain = textOf();
/** Any text. */
export const text: Kind<string> = { ...plain, form: 'text' };
/** Bytes in hex with 0x. */
export const hex = textOf({ pattern: only(BYTES) });
export const evmAddress = textOf({ pattern: only(EVM_ADDRESS) });
export const evmHash = textOf({ pattern: only(EVM_HASH) });
/** 32 bytes in CB58: an id or a hash. */
export const id = textOf(idForm);
/** The hash of a block: on the C-chain that of its EVM block. */
export const blockHash = textOf(blockHashForm);
export const nodeId = textOf(nodeIdForm);
export const uri: Kind<string> = { ...textOf({ format: 'uri' }), form: 'text' };
/** A whole number of any size as decimal digits. */
export const digits: Kind<string> = { ...textOf(digitsForm), type: 'BigNumber' };
/** A whole number of 64 bits, not negative. */
export const whole: Kind<LongValue> = {
  form: 'number',
  type: 'Long',
  schema: { ...int64, minimum: 0 },
};
/** A whole number of 31 bits, not negative. */
export const small: Kind<number> = { form: 'number', type: 'Int', schema: { ...int32, minimum: 0 } };
/** A whole number of 64 bits. */
export const integer: Kind<LongValue> = { form: 'number', type: 'Long', schema: int64 };
/** A number with a fraction, not negative. */
export const double: Kind<number> = {
  form: 'number',
  type: 'Float',
  schema: { type: 'number', format: 'double', minimum: 0 },
};
export const boolean: Kind<boolean> = { form: 'number', type: 'Boolean', schema: { type: 'boolean' } };
const listOf = ({ schema }: Kind<string>): Kind<string[]> => ({
  form: 'json',
  type: ['String'],
  schema: { type: 'array', items: schema },
});
export const texts = listOf(plain);
export const ids = listOf(id);
/** Addresses in bech32 without chain prefix. */
export const addresses = listOf(textOf({ pattern: only(ADDRESS) }));

/** One of a closed set of texts. @param type the enum in GraphQL */
export function choice<const T extends string>(type: string, values: readonly T[]): Kind<T> {
  return { form: 'plain', type, schema: { type: 'string', enum: values } };
}

/** An object. @param type in GraphQL; the schema has the name of the one that is given */
export function object<T>(type: string, schema: JsonSchema = ref(type)): Kind<T> {
  return { form: 'json', type, schema };
}

/** A list of objects. @param items as for an object */
export function list<T>(type: string, items: JsonSchema = ref(type)): Kind<T[]> {
  return { form: 'json', type: [type], schema: { type: 'array', items } };
}

/** A member of an object in both GraphQL and REST: its type and its description, declared once. */
export interface Detail<T = unknown> {
  kind: Kind<T>;
  /** Its description, without a full stop at the end. */
  description: string;
  /**
   * When it has no value, such as "where unknown": GraphQL then returns null, and REST leaves the member out.
   * Empty where the object's own description says so.
   */
  absent?: string;
  /** What REST prints if there is no value. */
  unknown?: number | '';
  /** Its name in GraphQL, if that is different; false if GraphQL does not have it. */
  graphql?: string | false;
}

/** A field of a row, with its SQL and its import. */
export interface Field<T = unknown> extends Detail<T> {
  /** SQL of what is stored. */
  sql: string;
  /** SQL of what replies show, if that is something else. */
  shown?: string;
  /** Of an object the SQL of its members: see `ofMembers`. */
  members?: readonly JsonField[];
  /** The column that an import fills. */
  column?: Column;
}

export type Details = Readonly<Record<string, Detail>>;
export type Fields = Readonly<Record<string, Field>>;

type Described<T> = Pick<Detail<T>, 'kind' | 'description'>;

/** The half of a field that GraphQL and REST share. @param absent see Detail */
export function is<T>(kind: Kind<T>, description: string): Described<T>;
export function is<T>(kind: Kind<T>, description: string, absent: string): Described<T> & { absent: string };
export function is<T>(kind: Kind<T>, description: string, absent?: string): Detail<T> {
  return { kind, description, ...(absent !== undefined && { absent }) };
}

type Value<F> = F extends { kind: Kind<infer T> } ? T : never;
/** A row's JSON as resolvers see it: a member without a value is null or left out. */
export type NodeOf<F extends Details> = {
  [Name in keyof F as F[Name] extends { absent: string } ? never : Name]: Value<F[Name]>;
} & { [Name in keyof F as F[Name] extends { absent: string } ? Name : never]?: Value<F[Name]> | null };

/** The SQL of a field that is an object, never null. @param members SQL of them over the row's own tables */
export const ofMembers = (members: readonly JsonField[]): Pick<Field, 'sql' | 'members'> => ({
  sql: jsonText(members),
  members,
});

/** The fields of a row's JSON as replies show them. */
export function shownFields(fields: Fields): JsonField[] {
  return Object.entries(fields).map(([name, { kind, sql, shown = sql, absent, unknown }]) => {
    if (unknown === undefined) return { name, form: kind.form, sql: shown, optional: absent !== undefined };
    return { name, form: kind.form, sql: `coalesce(${shown}, ${unknown === '' ? "''" : unknown})` };
  });
}

/** The fields of a row's JSON as they are stored: for an export. */
export function storedFields(fields: Fields): JsonField[] {
  return Object.entries(fields).map(([name, { kind, sql, absent }]) => ({
    name,
    form: kind.form,
    sql,
    optional: absent !== undefined,
  }));
}

/** SQL of a row's JSON text. @param members see jsonText */
export function fieldsText(fields: Fields, members?: string): string {
  return jsonText(shownFields(fields), members);
}

/** SQL of a number whose bits say for which fields REST invents a value; see `restoreUnknown`. */
export function unknownBits(fields: Fields): string {
  const bits = inventedFields(fields).map(
    ([, { sql }], bit) => `CASE WHEN ${sql} IS NULL THEN ${1 << bit} ELSE 0 END`,
  );
  return `(${bits.join(' + ')})`;
}

/** A function that sets those values to null that the bits of a row say were invented. */
export function unknownRestorer(fields: Fields): (node: object, bits: number) => void {
  const names = inventedFields(fields).map(([name]) => name);
  return (node, bits) => {
    if (bits === 0) return;
    names.forEach((name, bit) => {
      if (bits & (1 << bit)) (node as Record<string, unknown>)[name] = null;
    });
  };
}

function inventedFields(fields: Fields) {
  return Object.entries(fields).filter(([, { unknown }]) => unknown !== undefined);
}
