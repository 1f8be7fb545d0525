import type { ComputedTable } from '../../write/derived/computed.js';

/** SQL of the day of a time, which is never after the year 9999. */
export const dayOf = (time: string) => `trunc(${time} / 86400)::int`;

/** SQL of the scopes of a row's chain, with the chains of each. */
export const scopes = (chain: string) => `(VALUES
  (${chain}::text::activity_scope, ARRAY[${chain}]), ('network', enum_range(NULL::primary_chain))) s(scope, chains)`;

/** See the model ActiveAddressDay. */
export const activeAddresses: ComputedTable = {
  name: 'active_address_day',
  key: { network: 'network', day: 'integer', scope: 'activity_scope' },
  values: { active: 'bigint', newcomers: 'bigint' },
  source: 'address_transaction',
  rows: `
    SELECT network, day, scope, count(*) AS active, count(*) FILTER (WHERE day = first) AS newcomers
    FROM (
      SELECT a.network, h.day, s.scope, min(h.day) OVER (PARTITION BY h.address_id, s.scope) AS first
      FROM (SELECT DISTINCT address_id, chain, ${dayOf('time')} AS day FROM address_transaction) h
      JOIN address a ON a.id = h.address_id
      CROSS JOIN LATERAL ${scopes('h.chain')}
      GROUP BY a.network, h.address_id, s.scope, h.day) each
    GROUP BY network, day, scope`,
};
