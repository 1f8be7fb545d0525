import type { Network } from '../../avalanche/networks.js';
import { eitherList } from '../../lists/either.js';
import { defineFind } from '../../lists/find.js';
import type { ListDeclaration } from '../../lists/list.js';
import { defineList } from '../../lists/read.js';
import { inTimes } from '../transaction/query.js';
import type { IcmMessageNarrowing, IcmMessageQuery } from './arguments.js';
import { icmMessageRows, type IcmMessageNode } from './fields.js';
import { bounds, newestFirst } from './newest-list.js';
import { addressList } from './party-list.js';
import { boundFilters, chainTests, ends, filteredValues, filters, rangesWith, type End } from './query.js';

const filtered = {
  values: filteredValues,
  bind: boundFilters,
  ...newestFirst,
  filters: { ...filters, txHash: 'never' as const, address: 'never' as const },
  ranges: rangesWith((end) => `m.${end}_id`),
};

/**
 * Messages, newest first. With any filters, the page's keys come from one range of one index for each network
 * and chain that the filters name, merged; then the rows.
 */
const filteredList = defineList<IcmMessageQuery, IcmMessageNode, IcmMessageNarrowing>({
  name: 'icm',
  ...filtered,
  where: bounds,
});

/** The sort expression that only the indexes with a status have: see the list that uses it. */
const statusTime = 'm.timestamp + 0';

/**
 * Messages of a status, in the same way. The time is written so that only the indexes with a status have it:
 * if almost all messages have the requested status, the planner takes the other indexes for as good, but for
 * a chain without any such message they are not.
 */
const ofStatus = {
  ...filtered,
  order: { ...newestFirst.order, columns: [statusTime, 'm.tie', 'm.message_id', 'm.id'] },
  where: (...list: Parameters<ListDeclaration<never>['where']>) =>
    ['m.network = n.network', ...inTimes(statusTime, ...list)].join(' AND '),
};
const statusList = defineList<IcmMessageQuery, IcmMessageNode, IcmMessageNarrowing>({
  name: 'icm_of_status',
  ...ofStatus,
  filters: { ...ofStatus.filters, from: 'never', to: 'never' },
});

/**
 * Messages of a status from or to an address. The ends too are written so that only the indexes with a status
 * and an address have them: most addresses have few messages, and the planner thinks any index that leads to
 * an address's messages as good. For an address with many messages it is not.
 */
const statusAndAddressList = defineList<IcmMessageQuery, IcmMessageNode, IcmMessageNarrowing>({
  name: 'icm_of_status_and_address',
  ...ofStatus,
  ranges: rangesWith((end) => `m.${end}_id + 0`),
  filters: {
    ...ofStatus.filters,
    from: { sql: (value) => `m.from_address || '' = ${value('from')}` },
    to: { sql: (value) => `m.to_address || '' = ${value('to')}` },
  },
});

/**
 * The messages of a transaction, in the same way: as many as fit into it, found by its hash and then filtered
 * and sorted. The fences (OFFSET 0) keep the planner from reading all messages by time to find these few.
 */
const transactionList = defineList<IcmMessageQuery, IcmMessageNode, IcmMessageNarrowing>({
  name: 'icm_of_transaction',
  values: { ...filteredValues, txHash: 'text' },
  bind: ({ txHash, ...query }) => ({ ...boundFilters(query), txHash }),
  ...newestFirst,
  from: (value) => {
    const is = (side: string) => `x.details #>> '{${side}Transaction,txHash}'`;
    const read = (tests: string) => `(
      SELECT x.id, x.network, x.message_id, x.timestamp, x.tie, x.source_id, x.destination_id, x.from_address, x.to_address, x.details
      FROM icm_message x WHERE ${tests} OFFSET 0)`;
    return `(${read(`${is('source')} = ${value('txHash')}`)} UNION ALL ${read(
      `${is('destination')} = ${value('txHash')} AND ${is('source')} IS DISTINCT FROM ${value('txHash')}`,
    )}) m`;
  },
  where: (value, filters, request) => {
    const isAny = (end: End, tests: readonly string[]) =>
      `m.${end}_id IN (SELECT c.id FROM icm_chain c WHERE ${['c.network = m.network', ...tests].join(' AND ')})`;
    const either = filters.includes('either') ? [`c.blockchain_id = ${value('either')}`] : [];
    return [
      `m.network = ANY (${value('networks')})`,
      ...ends.map((end) => isAny(end, chainTests(end, value, filters))),
      `(${ends.map((end) => isAny(end, either)).join(' OR ')})`,
      ...inTimes('m.timestamp', value, filters, request),
    ].join(' AND ');
  },
  filters: { ...filters, txHash: { as: 'txHash' }, address: 'never' },
});

export const icmMessageList = eitherList<IcmMessageQuery, IcmMessageNode>(
  'icm_messages',
  icmMessageRows,
  ({ txHash, status, from, to, address }) => {
    if (address !== null) return addressList;
    if (txHash !== null) return transactionList;
    if (status === null) return filteredList;
    return from === null && to === null ? statusList : statusAndAddressList;
  },
);

export interface IcmMessageKey {
  network: Network;
  /** 64 hexadecimal digits in lower case. */
  messageId: string;
}

export const findIcmMessages = defineFind<IcmMessageKey, IcmMessageNode>('icm_by_key', icmMessageRows, {
  network: ['network', 'm.network'],
  messageId: ['bytea', 'm.message_id', (digits) => `\\x${digits}`],
});
