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

// EXCEPT gives its rows in the order of their hashes. Put into the hash table of a UNION in that order they
// collide so much that two million take over ten minutes; in any other order, seconds.
const firstOf = {
  INTERSECT: 'SELECT * FROM every_day',
  UNION: 'SELECT * FROM every_day ORDER BY address_id',
};

/**
 * The first page of 1,000 and all counts, each as one statement. The page is cut before its addresses are
 * looked up: otherwise PostgreSQL, which cannot tell how many rows are combined, may read all of them for
 * each address.
 */
export function sqlFormulations(operator: 'INTERSECT' | 'UNION'): Record<string, string> {
  return Object.fromEntries(
    Object.entries(subQueries).map(([name, { everyDay, someDay }]) => [
      name,
      `WITH every_day AS MATERIALIZED (${everyDay}), some_day AS MATERIALIZED (${someDay}),
       combined AS MATERIALIZED (SELECT * FROM (${firstOf[operator]}) first ${operator} SELECT * FROM some_day)
       SELECT (SELECT count(*) FROM every_day), (SELECT count(*) FROM some_day), (SELECT count(*) FROM combined),
         (SELECT json_agg(checksummed ORDER BY id) FROM evm_address JOIN (
           SELECT address_id FROM combined ORDER BY address_id LIMIT 1000) page ON id = address_id)`,
    ]),
  );
}
