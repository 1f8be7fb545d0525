import type { Builder } from '../../graphql/builder.js';
import { registerConnection } from '../../graphql/connection-type.js';
import type { ConnectionSource } from '../../graphql/connection.js';
import { exposeFields } from '../../graphql/fields.js';
import { listField } from '../../graphql/list-field.js';
import { sqlOfType } from '../../graphql/sql-source.js';
import { parseJson } from '../../json.js';
import { MOST_DAYS } from '../evm-holding/arguments.js';
import { balanceHistoryArguments } from './arguments.js';
import { balanceDayFields, type BalanceDayNode } from './fields.js';
import { balanceDayList } from './list.js';

declare module '../../graphql/builder.js' {
  interface ObjectTypes {
    BalanceDay: BalanceDayNode;
    BalanceDayConnection: ConnectionSource;
  }
}

/** Registers the balance history of an address. */
export function registerBalanceHistory(builder: Builder): void {
  builder.objectType('BalanceDay', {
    description:
      'What an address received, sent and had of an asset on a day. An output with several owners counts in full for each.',
    extensions: sqlOfType({ keys: {} }),
    fields: (t) => exposeFields(t, balanceDayFields),
  });
  registerConnection(builder, 'BalanceDay', 'days of a balance');
  builder.objectField('Address', 'balanceHistory', (t) =>
    listField(t, {
      type: 'BalanceDayConnection',
      description: `What the address received, sent and had of an asset on each day of a range of at most ${MOST_DAYS} UTC days, by rising day, over all chains of its network: from the creation and the spending of outputs that are held. An output of unknown creation counts as created on 1970-01-01; one whose spending has no held time, or one before its creation, as spent on the day of its creation. So the balance of a day is what utxos with asOf lists at its last second. Days before the first change that is held are left out; empty where none is.`,
      list: balanceDayList,
      arguments: balanceHistoryArguments,
      of: { network: ({ network }) => network, address: ({ address }) => address },
      pages: {
        limits: { max: MOST_DAYS, default: MOST_DAYS },
        first: 'days from the earliest',
        last: 'days from the latest',
      },
      toNode: ({ text }) => parseJson(text) as BalanceDayNode,
    }),
  );
}
