import { DAY_SECONDS } from '../../avalanche/seconds.js';
import { boolean, is, whole } from '../../fields/field.js';
import type { Fields, Kind, LongValue, NodeOf } from '../../fields/field.js';

/** Exact, and a number in JSON, even beyond 64 bits. */
const value: Kind<LongValue> = {
  form: 'number',
  type: 'BigNumber',
  schema: { type: 'number', format: 'double' },
};
const timestamp = whole as Kind<number>;

/** The fields of a point in the order of its JSON, over days and their values. */
export const pointFields = {
  value: { sql: 'value', ...is(value, 'The value, exact; fees in nAVAX') },
  timestamp: {
    sql: `day::bigint * ${DAY_SECONDS}`,
    ...is(timestamp, 'The day, as Unix seconds of its beginning (00:00 UTC)'),
  },
} satisfies Fields;

/** What only the graph has of a point. */
export const pointStateFields = {
  isRunning: {
    sql: 'running',
    ...is(
      boolean,
      'Whether the day is not over for the followed P-chain, so that its value can grow; false where none is followed',
    ),
  },
} satisfies Fields;

export type PointNode = NodeOf<typeof pointFields & typeof pointStateFields>;
