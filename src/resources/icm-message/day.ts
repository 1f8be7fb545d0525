import { DAY_SECONDS } from '../../avalanche/seconds.js';
import { boolean, is, whole } from '../../fields/field.js';
import type { Fields, NodeOf } from '../../fields/field.js';

/** The fields of a day of a chain's messages, over days `d`. */
export const messageDayFields = {
  timestamp: {
    sql: `d.day::bigint * ${DAY_SECONDS}`,
    ...is(whole, 'The day, as Unix seconds of its beginning (00:00 UTC)'),
  },
  isRunning: {
    sql: `(d.day >= floor(extract(epoch FROM now()) / ${DAY_SECONDS}))`,
    ...is(boolean, 'Whether the day is not over, so that its numbers can grow'),
  },
  sentCount: {
    sql: 'd.sent',
    ...is(whole, 'Number of the indexed messages that the chain sent; 0 for none'),
  },
  receivedCount: {
    sql: 'd.received',
    ...is(whole, 'Number of the indexed messages that were sent to the chain, delivered or not; 0 for none'),
  },
} satisfies Fields;

export type MessageDayNode = NodeOf<typeof messageDayFields>;
