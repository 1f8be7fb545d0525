import type { Builder } from '../../graphql/builder.js';
import { registerConnection } from '../../graphql/connection-type.js';
import { exposeFields } from '../../graphql/fields.js';
import { addListField } from '../../graphql/list-field.js';
import { sqlOfType } from '../../graphql/sql-source.js';
import { loadRow } from '../../graphql/row-loader.js';
import { dailyBalanceArguments, MOST_DAYS, tokenBalanceArguments } from './arguments.js';
import {
  dailyBalanceFields,
  tokenBalanceFields,
  type DailyBalanceNode,
  type TokenBalanceNode,
} from './fields.js';
import { dailyBalanceList, findCoinBalances, tokenBalanceList } from './list.js';

declare module '../../graphql/builder.js' {
  interface ObjectTypes {
    EvmDailyBalance: DailyBalanceNode;
    EvmTokenBalance: TokenBalanceNode;
  }
}

export function registerEvmHolding(builder: Builder): void {
  builder.objectType('EvmDailyBalance', {
    description: 'The balance of an EVM address on one day.',
    extensions: sqlOfType({ keys: {} }),
    fields: (t) => exposeFields(t, dailyBalanceFields),
  });
  registerConnection(builder, 'EvmDailyBalance', 'daily balances');
  builder.objectType('EvmTokenBalance', {
    description: 'What an EVM address has of an ERC-20 token now.',
    fields: (t) => exposeFields(t, tokenBalanceFields),
  });
  registerConnection(builder, 'EvmTokenBalance', 'balances of tokens');
  addListField(builder, 'EvmAddress', 'tokenBalances', {
    type: 'EvmTokenBalanceConnection',
    description:
      'What the address has of ERC-20 tokens by their newest balances, imported or followed, in the order in which this gateway first indexed the tokens. Balances of 0 are left out.',
    list: tokenBalanceList,
    arguments: tokenBalanceArguments,
    of: { evmChainId: ({ evmChainId }) => evmChainId, address: ({ address }) => address },
  });
  builder.objectField('EvmAddress', 'balance', (t) =>
    t.field({
      type: 'BigNumber',
      nullable: true,
      description:
        "The newest balance of the chain's coin, imported or followed, in its smallest unit (wei); 0 for an address without one, null for a chain of whose coin no balance is known.",
      resolve: ({ evmChainId, address }, _args, context) =>
        loadRow(context, findCoinBalances, { evmChainId, address: address.toLowerCase() }),
    }),
  );
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
