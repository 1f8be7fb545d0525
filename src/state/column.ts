import type { Column } from './table.js';

const same = <T>(value: T): T => value;

/** A column whose value is PostgreSQL's text. */
export const column = (type: string): Column<string> => ({ type, nullable: false, read: same, write: same });

export const text = column('text');
export const network = column('network');
export const bytes = column('bytea');
/** When something happened here. */
export const moment = column('timestamp(3) with time zone');

/** A number that JavaScript has exactly. */
const number = <T extends number = number>(type: string): Column<T> => ({
  type,
  nullable: false,
  read: (digits) => Number(digits) as T,
  write: same,
});

export const small = <T extends number>() => number<T>('smallint');
export const int = number('integer');
/** Unix seconds. */
export const seconds = number('bigint');

const large = (type: string): Column<bigint> => ({ type, nullable: false, read: BigInt, write: same });

export const long = large('bigint');
/** Of 64 bits without a sign, as the chain has it: an amount in the smallest unit of its asset, a weight. */
export const amount = large('numeric(20,0)');
/** A sum of these, and what fits in 256 bits. */
export const sum = large('numeric(78,0)');

export const boolean: Column<boolean> = {
  type: 'boolean',
  nullable: false,
  read: (value) => value === 'true',
  write: same,
};

/** JSON of something else, because its numbers do not have all bits of an amount. */
export const jsonAs = <T, Stored>(read: (stored: Stored) => T, write: (value: T) => Stored): Column<T> => ({
  type: 'jsonb',
  nullable: false,
  read: (value) => read(JSON.parse(value) as Stored),
  write: (value) => JSON.stringify(write(value)),
});

export const json = <T = unknown>() => jsonAs<T, T>(same, same);

export const orNull = <T>(of: Column<T>): Column<T | null> => ({
  ...of,
  nullable: true,
  write: (value) => (value === null ? null : of.write(value)),
});

/** One that is written by itself. */
export const apart = <T>(of: Column<T>): Column<T> & { readonly isApart: true } => ({ ...of, isApart: true });
