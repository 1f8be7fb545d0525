import { DAY_SECONDS } from '../../avalanche/seconds.js';
import { fieldsText } from '../../fields/field.js';
import { nodeOfJson } from '../../fields/node.js';
import type { ValueOf } from '../../lists/list.js';
import { defineList } from '../../lists/read.js';
import { pipelineTable } from '../../state/following.js';
import type { NetworkStatsNarrowing, NetworkStatsQuery } from './arguments.js';
import { networkDayFields, type NetworkDayNode } from './fields.js';

const pipeline = pipelineTable.as('f');
const dayOf = (time: string) => `floor(${time} / ${DAY_SECONDS})::int`;

/**
 * SQL of the first and the last day: from the first that has a transaction to the last one, or to where the
 * chains are followed. No later than today, whatever rows say, so that they are not too many.
 */
const rangeOf = (value: ValueOf) => `
  SELECT n.network, greatest(least(coalesce(${value('startTimestamp')}, 0), 2147483646) + 1, (
      SELECT min(t.day) FROM transaction_day t WHERE t.network = n.network AND t.day > 0)) AS first,
    least(${value('endTimestamp')} - 1, ${dayOf('extract(epoch FROM now())')}, greatest(
      (SELECT max(t.day) FROM transaction_day t WHERE t.network = n.network),
      (SELECT max(${dayOf(pipeline.lastTime)}) FROM ${pipeline.from}
        WHERE ${pipeline.network} = n.network AND ${pipeline.name} IN ('p', 'x', 'c-atomic')))) AS last
  FROM (SELECT ${value('network')} AS network) n
  WHERE EXISTS (SELECT FROM transaction_day t WHERE t.network = n.network AND t.day > 0)`;

/** What is staked at the end of a day, by what began and ended up to it. */
const staked = ['validators', 'validator_weight', 'delegators', 'delegator_weight'];
const change = (name: string) => `s.${name}_started - s.${name}_ended`;

/** The days of a network, newest first. Cursors are day numbers. */
export const networkDayList = defineList<NetworkStatsQuery, NetworkDayNode, NetworkStatsNarrowing>({
  name: 'network_days',
  values: { network: 'network', startTimestamp: 'int', endTimestamp: 'int' },
  from: (value) => `(
    SELECT range.network, each.day,
      ${staked.map((name) => `earlier.${name} + coalesce(sum(${change(name)}) OVER (ORDER BY each.day), 0) AS ${name}`).join(',\n      ')}
    FROM (${rangeOf(value)}) range
    CROSS JOIN LATERAL (
      SELECT ${staked.map((name) => `coalesce(sum(${change(name)}), 0) AS ${name}`).join(', ')}
      FROM stake_day s WHERE s.network = range.network AND s.day < range.first) earlier
    CROSS JOIN LATERAL generate_series(range.first, range.last) AS each(day)
    LEFT JOIN stake_day s ON s.network = range.network AND s.day = each.day) d`,
  where: () => 'true',
  filters: { startTimestamp: { as: 'startTimestamp' }, endTimestamp: { as: 'endTimestamp' } },
  order: { name: '', direction: 'desc', columns: ['d.day'] },
  columns: { id: 'd.day::text', text: fieldsText(networkDayFields) },
  toNode: nodeOfJson,
});
