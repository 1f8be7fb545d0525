import type { Builder } from './builder.js';
import { COUNT_LIMIT, OPERATION_ROWS } from './counting.js';
import type { CostExtension } from './limits/cost-extension.js';

/** How many rows a cost of 1 pays for. */
const ROWS_PER_COST = 100;
const price: CostExtension = { cost: COUNT_LIMIT / ROWS_PER_COST, work: 'count' };

/** Registers `totalCount` and `totalCountIsExact` on every connection; both together count once. */
export function registerTotalCount(builder: Builder): void {
  builder.globalConnectionField('totalCount', (t) =>
    t.int({
      extensions: { ...price },
      description: `Number of rows in the whole list, not only on this page, counted up to ${COUNT_LIMIT}. Adds ${price.cost} to the cost of the operation (see maxCost), once for totalCount and totalCountIsExact together.`,
      resolve: async (connection) => (await connection.total()).count,
    }),
  );
  builder.globalConnectionField('totalCountIsExact', (t) =>
    t.boolean({
      extensions: { ...price },
      description: `Whether totalCount is exact. If false, counting stopped early, and the list has at least totalCount rows. Counting stops after ${COUNT_LIMIT} rows read for this list, where a row is read once for each listed address that owns it, or after ${OPERATION_ROWS} rows read for all lists of the operation. Adds ${price.cost} to the cost of the operation (see maxCost), once for totalCount and totalCountIsExact together.`,
      resolve: async (connection) => (await connection.total()).isExact,
    }),
  );
}
