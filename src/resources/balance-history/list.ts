import { DAY_SECONDS } from '../../avalanche/seconds.js';
import { fieldsText } from '../../fields/field.js';
import { nodeOfJson } from '../../fields/node.js';
import type { ValueOf } from '../../lists/list.js';
import { defineList } from '../../lists/read.js';
import { MOST_DAYS } from '../evm-holding/arguments.js';
import { nativeAssetIdSql } from '../primary-chain/fields.js';
import type { BalanceHistoryNarrowing, BalanceHistoryQuery } from './arguments.js';
import { balanceDayFields, type BalanceDayNode } from './fields.js';

const today = `floor(extract(epoch FROM now()) / ${DAY_SECONDS})::int`;

const assetIdOf = (value: ValueOf) => `coalesce(${value('assetId')}, ${nativeAssetIdSql(value('network'))})`;

/** The last day of the range, and the first one. */
const rangeOf = (value: ValueOf) => {
  const last = `coalesce(${value('lastDate')}, least(${value('firstDate')} + ${MOST_DAYS - 1}, ${today}))`;
  return `SELECT coalesce(${value('firstDate')}, ${last} - ${MOST_DAYS - 1}) AS first, ${last} AS last`;
};

/**
 * What an address received, sent and had of an asset on each day of a range, by rising day; no rows for days
 * before the first stored one. What it had before the range is summed up, from a row for each day on which it
 * changed. Cursors are day numbers.
 */
export const balanceDayList = defineList<BalanceHistoryQuery, BalanceDayNode, BalanceHistoryNarrowing>({
  name: 'balance_days',
  values: { network: 'network', address: 'text', assetId: 'text', firstDate: 'int', lastDate: 'int' },
  parent: ['network', 'address'],
  from: (value) => `(
    SELECT each.day, each.received, each.sent,
      earlier.balance + sum(each.received - each.sent) OVER (ORDER BY each.day) AS balance
    FROM address owner
    JOIN asset a ON a.network = owner.network AND a.asset_id = ${assetIdOf(value)}
    CROSS JOIN (${rangeOf(value)}) range
    CROSS JOIN LATERAL (
      SELECT min(h.day) AS day FROM address_day h WHERE h.address_id = owner.id AND h.asset_row_id = a.id) earliest
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(h.received - h.sent), 0) AS balance FROM address_day h
      WHERE h.address_id = owner.id AND h.asset_row_id = a.id AND h.day < range.first) earlier
    CROSS JOIN LATERAL (
      SELECT day, sum(received) AS received, sum(sent) AS sent
      FROM (
        SELECT h.day, h.received, h.sent FROM address_day h
        WHERE h.address_id = owner.id AND h.asset_row_id = a.id AND h.day BETWEEN range.first AND range.last
        UNION ALL SELECT day, 0, 0 FROM generate_series(greatest(earliest.day, range.first), range.last) AS day) change
      GROUP BY day) each
    WHERE owner.network = ${value('network')} AND owner.address = ${value('address')} AND earliest.day IS NOT NULL) d`,
  where: () => 'true',
  filters: { firstDate: { as: 'firstDate' }, lastDate: { as: 'lastDate' } },
  order: { name: '', direction: 'asc', columns: ['d.day'] },
  columns: { id: 'd.day::text', text: fieldsText(balanceDayFields) },
  toNode: nodeOfJson,
});
