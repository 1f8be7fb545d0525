import { fieldsText } from '../../fields/field.js';
import { nodeOfJson } from '../../fields/node.js';
import { defineList } from '../../lists/read.js';
import type { MessageDayNarrowing, MessageDayQuery } from './arguments.js';
import { messageDayFields, type MessageDayNode } from './day.js';
import { nameTest } from './query.js';

/** The days on which a chain sent messages or was sent some, newest first. Cursors are day numbers. */
export const messageDayList = defineList<MessageDayQuery, MessageDayNode, MessageDayNarrowing>({
  name: 'message_days',
  values: { evmChainId: 'numeric', startTimestamp: 'int', endTimestamp: 'int' },
  parent: ['evmChainId'],
  // Under more than one id if files gave the chain several.
  from: (value) => `(
    SELECT m.day, sum(m.sent)::bigint AS sent, sum(m.received)::bigint AS received FROM message_day m
    WHERE m.chain_id = ANY (ARRAY(SELECT c.id FROM icm_chain c WHERE ${nameTest(value('evmChainId'))}))
    GROUP BY m.day) d`,
  where: () => 'true',
  filters: {
    startTimestamp: { sql: (value) => `d.day > ${value('startTimestamp')}` },
    endTimestamp: { sql: (value) => `d.day < ${value('endTimestamp')}` },
  },
  order: { name: '', direction: 'desc', columns: ['d.day'] },
  columns: { id: 'd.day::text', text: fieldsText(messageDayFields) },
  toNode: nodeOfJson,
});
