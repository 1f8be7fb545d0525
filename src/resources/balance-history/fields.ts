import { DAY_SECONDS } from '../../avalanche/seconds.js';
import { digits, is, whole, type Fields, type NodeOf } from '../../fields/field.js';
import { IN_UNITS } from '../asset/fields.js';

/** The fields of a day of an address, over days `d`. */
export const balanceDayFields = {
  timestamp: {
    sql: `d.day::bigint * ${DAY_SECONDS}`,
    ...is(whole, 'The day, as Unix seconds of its beginning (00:00 UTC)'),
  },
  received: {
    sql: 'd.received',
    ...is(
      digits,
      `Sum of the outputs of the address that were created on that day, change and stakes included, ${IN_UNITS}`,
    ),
  },
  sent: {
    sql: 'd.sent',
    ...is(digits, `Sum of the outputs of the address that were spent on that day, ${IN_UNITS}`),
  },
  balance: {
    sql: 'd.balance',
    ...is(
      digits,
      `Sum of the outputs of the address that were unspent at the end of that day, staked ones included, ${IN_UNITS}`,
    ),
  },
} satisfies Fields;

export type BalanceDayNode = NodeOf<typeof balanceDayFields>;
