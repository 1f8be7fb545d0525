import type { Column } from './table.js';

const columnOf = <T>(
  type: string,
  read: (text: string) => T,
  write: Column<T>['write'] = (value) => value,
): Column<T> => ({ type, nullable: false, read, write });

/** A column whose value is PostgreSQL's text. */
export const plain = (type: string) => columnOf(type, (value) => value);

export const text = plain('text');
export const network = plain('network');
/** When something happened here. */
export const moment = plain('timestamp(3) with time zone');

export const small = <T extends number>() => columnOf('smallint', (digits) => Number(digits) as T);
export const int = columnOf('integer', Number);
/** Unix seconds. */
export const seconds = columnOf('bigint', Number);
export const long = columnOf('bigint', BigInt);
/** Of 64 bits without a sign, as the chain has it: an amount in the smallest unit of its asset, a weight. */
export const amount = columnOf('numeric(20,0)', BigInt);
/** A sum of these, and what fits in 256 bits. */
export const sum = columnOf('numeric(78,0)', BigInt);

export const boolean = columnOf('boolean', (value) => value === 'true');

/** @param large members that are digits in JSON, whose numbers do not have all bits of an amount */
export const json = <T>(...large: readonly (keyof T)[]): Column<T> =>
  columnOf(
    'jsonb',
    (value) => {
      const object = JSON.parse(value) as Record<keyof T, unknown>;
      for (const name of large) object[name] = BigInt(object[name] as string);
      return object as T;
    },
    (value) =>
      JSON.stringify(value, (_name, part: unknown) => (typeof part === 'bigint' ? String(part) : part)),
  );

export const orNull = <T>(of: Column<T>): Column<T | null> => ({ ...of, nullable: true });

/** One that is written by itself. */
export const apart = <T>(of: Column<T>): Column<T> & { readonly isApart: true } => ({ ...of, isApart: true });
