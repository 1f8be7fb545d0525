import type { Builder } from '../../graphql/builder.js';
import { registerConnection } from '../../graphql/connection-type.js';
import { exposeFields } from '../../graphql/fields.js';
import { addListField } from '../../graphql/list-field.js';
import { sqlOfType } from '../../graphql/sql-source.js';
import { dailyBalanceArguments, MOST_DAYS } from './arguments.js';
import { dailyBalanceFields, type DailyBalanceNode } from './fields.js';
import { dailyBalanceList } from './list.js';

declare module '../../graphql/builder.js' {
  interface ObjectTypes {
    EvmDailyBalance: DailyBalanceNode;
  }
}

export function registerEvmHolding(builder: Builder): void {
  builder.objectType('EvmDailyBalance', {
    description: 'The balance of an EVM address on one day.',
    extensions: sqlOfType({ keys: {} }),
    fields: (t) => exposeFields(t, dailyBalanceFields),
  });
  registerConnection(builder, 'EvmDailyBalance', 'daily balances');
  addListField(builder, 'EvmAddress', 'dailyBalances', {
    type: 'EvmDailyBalanceConnection',
    description:
      "The address's balance of the chain's coin, or of an ERC-20 token, on each day of a range, oldest first. A recorded balance applies from its day until the next recorded one, and the newest one to all days after it; compositeQuery counts in the same way. Days before the first recorded balance are left out; the list is empty if there is none.",
    list: dailyBalanceList,
    arguments: dailyBalanceArguments,
    of: { evmChainId: ({ evmChainId }) => evmChainId, address: ({ address }) => address },
    pages: {
      limits: { max: MOST_DAYS, default: MOST_DAYS },
      first: 'days from the earliest',
      last: 'days from the latest',
    },
  });
}
