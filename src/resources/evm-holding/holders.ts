import { LAST_DAY } from './day.js';
import { holdingKey, type Holding } from './holding.js';

/** A question whose answer is a set of addresses: who had at least so much of something, and when. */
export interface HolderQuery {
  /** Everything that decides the answer except the data's version, in one normal form. */
  key: string;
  holding: Holding;
  /** The answer depends only on rows of this and earlier days. */
  throughDay: number;
  /** The SQL that answers it, of one row: see readHolders. */
  statement: (holdingId: number) => { text: string; values: unknown[] };
}

/** Days of a range, both inclusive. */
export interface DayRange {
  first: number;
  last: number;
}

/** Largest balance that is stored, 78 digits. */
const MAX_BALANCE = 10n ** 78n - 1n;
const ROWS = 'FROM evm_balance WHERE holding_id = $1::int';
const ids = (rows: string) => `(SELECT string_agg(int4send(address_id), '') FROM (${rows}) found)`;
const LATEST = `SELECT address_id ${ROWS} AND until_day = ${LAST_DAY} AND balance >= $2::numeric`;
// One row of an address is valid on any day. Usually it is the newest one, which the index finds by its
// balance, so it is a separate case.
const ON_FIRST_DAY = `
  ${LATEST} AND day <= $3::int
  UNION ALL
  SELECT address_id ${ROWS} AND until_day >= $3::int AND until_day < ${LAST_DAY}
    AND day <= $3::int AND balance >= $2::numeric`;
const AFTERWARDS = `SELECT address_id ${ROWS} AND day > $3::int AND day <= $4::int`;
// Whoever had enough on the first day but not on every day once fell below. The comparisons with the balance
// before follow from the others, and let the planner use the indexes that contain only such rows.
const FELL_BELOW = `${AFTERWARDS} AND balance < previous AND balance < $2::numeric AND previous >= $2::numeric`;
const ROSE_TO = `${AFTERWARDS} AND balance > previous AND balance >= $2::numeric AND previous < $2::numeric`;

/** Who had at least `minimum` on every day of the range. */
export function heldEveryDay(holding: Holding, range: DayRange, minimum: bigint): HolderQuery {
  return ranged('every', holding, range, minimum, ids(ON_FIRST_DAY), ids(FELL_BELOW));
}

/** Who had at least `minimum` on some day of the range. */
export function heldSomeDay(holding: Holding, range: DayRange, minimum: bigint): HolderQuery {
  const either = `${ON_FIRST_DAY} UNION ALL ${ROSE_TO}`;
  return ranged('some', holding, range, minimum, ids(either), 'NULL::bytea');
}

/** Who has at least `minimum` by the newest known balance. */
export function heldLatest(holding: Holding, minimum: bigint): HolderQuery {
  const least = minimum > MAX_BALANCE ? MAX_BALANCE : minimum;
  return {
    key: `${holdingKey(holding)}:latest:${least}`,
    holding,
    throughDay: LAST_DAY,
    statement: (holdingId) => ({
      text: `SELECT ${ids(LATEST)} AS included, NULL::bytea AS excluded`,
      values: [holdingId, least.toString()],
    }),
  };
}

function ranged(
  name: string,
  holding: Holding,
  { first, last }: DayRange,
  minimum: bigint,
  included: string,
  excluded: string,
): HolderQuery {
  // Before its first row a balance is 0, so that every address with a row had at least that.
  if (minimum === 0n) return heldLatest(holding, 0n);
  const least = minimum > MAX_BALANCE ? MAX_BALANCE : minimum;
  return {
    key: `${holdingKey(holding)}:${name}:${first}:${last}:${least}`,
    holding,
    throughDay: last,
    statement: (holdingId) => ({
      text: `SELECT ${included} AS included, ${excluded} AS excluded`,
      values: [holdingId, least.toString(), first, last],
    }),
  };
}
