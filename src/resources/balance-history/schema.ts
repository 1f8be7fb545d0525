import type { Builder } from '../../graphql/builder.js';
import { registerConnection } from '../../graphql/connection-type.js';
import { exposeFields } from '../../graphql/fields.js';
import { addListField } from '../../graphql/list-field.js';
import { sqlOfType } from '../../graphql/sql-source.js';
import { MOST_DAYS } from '../evm-holding/arguments.js';
import { balanceHistoryArguments } from './arguments.js';
import { balanceDayFields, type BalanceDayNode } from './fields.js';
import { balanceDayList } from './list.js';

declare module '../../graphql/builder.js' {
  interface ObjectTypes {
    BalanceDay: BalanceDayNode;
  }
}

export function registerBalanceHistory(builder: Builder): void {
  builder.objectType('BalanceDay', {
    description:
      'What an address received and sent of one asset on one day, and its balance at the end of that day. An output with several owners counts in full for each.',
    extensions: sqlOfType({ keys: {} }),
    fields: (t) => exposeFields(t, balanceDayFields),
  });
  registerConnection(builder, 'BalanceDay', 'days of a balance');
  addListField(builder, 'Address', 'balanceHistory', {
    type: 'BalanceDayConnection',
    description: `The daily history of one asset of the address: what the address received and sent on each day, and its balance at the end of the day. Covers at most ${MOST_DAYS} UTC days, oldest first, and all chains of the network. Computed from the creation and the spending of indexed outputs. An output whose creation time is unknown counts as created on 1970-01-01. An output whose spending time is unknown, or before its creation, counts as spent on the day of its creation. The balance of a day is therefore the sum of the outputs that utxos with asOf lists at the last second of that day. Days before the first indexed change are left out; the list is empty if there is none.`,
    list: balanceDayList,
    arguments: balanceHistoryArguments,
    of: { network: ({ network }) => network, address: ({ address }) => address },
    pages: {
      limits: { max: MOST_DAYS, default: MOST_DAYS },
      first: 'days from the earliest',
      last: 'days from the latest',
    },
  });
}
