import type { Builder } from './builder.js';
import { COUNT_LIMIT, OPERATION_ROWS } from './counting.js';
import type { CostExtension } from './limits/cost-extension.js';

/** Rows that a cost of 1 pays for. */
const ROWS_PER_COST = 100;
const price: CostExtension = { cost: COUNT_LIMIT / ROWS_PER_COST, work: 'count' };

/** Registers `totalCount` and `totalCountIsExact` on every connection; both together count once. */
export function registerTotalCount(builder: Builder): void {
  builder.globalConnectionField('totalCount', (t) =>
    t.int({
      extensions: { ...price },
      description: `Rows of the whole list, whatever the page, counted up to ${COUNT_LIMIT}. Counts towards maxCost as ${price.cost}, together with totalCountIsExact.`,
      resolve: async (connection) => (await connection.total()).count,
    }),
  );
  builder.globalConnectionField('totalCountIsExact', (t) =>
    t.boolean({
      extensions: { ...price },
      description: `Whether totalCount is the number of rows. False when counting stopped before the end of the list, which has at least so many: after ${COUNT_LIMIT} rows read for this list, a row once for each listed address that owns it, or ${OPERATION_ROWS} for all that the operation counts. Counts towards maxCost as ${price.cost}, together with totalCount.`,
      resolve: async (connection) => (await connection.total()).isExact,
    }),
  );
}
