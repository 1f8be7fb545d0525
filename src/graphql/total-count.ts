import type { Builder } from './builder.js';
import { COUNT_LIMIT } from './connection.js';

/** Registers `totalCount` and `totalCountIsExact` on every connection; both together count once. */
export function registerTotalCount(builder: Builder): void {
  builder.globalConnectionField('totalCount', (t) =>
    t.int({
      description: `Rows of the whole list, whatever the page, counted up to ${COUNT_LIMIT}.`,
      resolve: async (connection) => (await connection.total()).count,
    }),
  );
  builder.globalConnectionField('totalCountIsExact', (t) =>
    t.boolean({
      description: `Whether totalCount is the number of rows; false when the list has more than ${COUNT_LIMIT}.`,
      resolve: async (connection) => (await connection.total()).isExact,
    }),
  );
}
