import { CHAIN, FIRST, HIGH, LAST, SPIKE } from './data.js';

const rows = `FROM evm_balance WHERE holding_id = (SELECT id FROM evm_holding WHERE evm_chain_id = ${CHAIN})`;
const overlapping = `${rows} AND day <= ${LAST} AND until_day >= ${FIRST}`;

/** The two sub-queries as one would write them, and as set operations in the manner of the gateway's own. */
const subQueries = {
  'grouped by address': {
    everyDay: `SELECT address_id ${overlapping}
      GROUP BY address_id HAVING min(balance) >= ${HIGH} AND min(day) <= ${FIRST}`,
    someDay: `SELECT DISTINCT address_id ${overlapping} AND balance >= ${SPIKE}`,
  },
  'by set operations': {
    everyDay: `SELECT address_id ${rows} AND day <= ${FIRST} AND until_day >= ${FIRST} AND balance >= ${HIGH}
      EXCEPT SELECT address_id ${rows} AND day > ${FIRST} AND day <= ${LAST} AND balance < ${HIGH}`,
    someDay: `SELECT DISTINCT address_id ${overlapping} AND balance >= ${SPIKE}`,
  },
};

/** The first page of 1,000 and all counts, each as one statement. */
export function sqlFormulations(operator: 'INTERSECT' | 'UNION'): Record<string, string> {
  return Object.fromEntries(
    Object.entries(subQueries).map(([name, { everyDay, someDay }]) => [
      name,
      `WITH every_day AS MATERIALIZED (${everyDay}), some_day AS MATERIALIZED (${someDay}),
       combined AS MATERIALIZED (SELECT * FROM every_day ${operator} SELECT * FROM some_day)
       SELECT (SELECT count(*) FROM every_day), (SELECT count(*) FROM some_day), (SELECT count(*) FROM combined),
         (SELECT json_agg(address) FROM (
           SELECT checksummed AS address FROM combined JOIN evm_address ON id = address_id ORDER BY id LIMIT 1000) page)`,
    ]),
  );
}
