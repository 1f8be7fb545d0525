import type { Builder } from '../../graphql/builder.js';
import { registerConnection } from '../../graphql/connection-type.js';
import { exposeFields } from '../../graphql/fields.js';
import { addListField } from '../../graphql/list-field.js';
import { sqlOfType } from '../../graphql/sql-source.js';
import { dayLimits, networkStatsArguments } from './arguments.js';
import {
  chainDayFields,
  networkDayFields,
  typeDayFields,
  type ChainDayNode,
  type NetworkDayNode,
  type TypeDayNode,
} from './fields.js';
import { networkDayList } from './list.js';

declare module '../../graphql/builder.js' {
  interface ObjectTypes {
    NetworkDay: NetworkDayNode;
    NetworkChainDay: ChainDayNode;
    NetworkTypeDay: TypeDayNode;
  }
}

/** Registers the numbers of a network by day, Query.networkStats. */
export function registerNetworkStats(builder: Builder): void {
  builder.objectType('NetworkTypeDay', {
    description: 'The transactions of one type on one chain and day.',
    fields: (t) => exposeFields(t, typeDayFields),
  });
  builder.objectType('NetworkChainDay', {
    description: 'The numbers of one chain on one day.',
    fields: (t) => exposeFields(t, chainDayFields),
  });
  builder.objectType('NetworkDay', {
    description: 'The numbers of a network, its P-, X- and C-chain together, on one UTC day.',
    extensions: sqlOfType({ keys: {} }),
    fields: (t) => exposeFields(t, networkDayFields),
  });
  registerConnection(builder, 'NetworkDay', 'days of a network');
  addListField(builder, 'Query', 'networkStats', {
    type: 'NetworkDayConnection',
    description:
      'Numbers of the primary network by UTC day, newest first: transactions, what they burned and moved, addresses, stakes and interchain messages. Counted from what is indexed; each import and block keeps them exact. Every day is listed from the first with an indexed transaction to the last one or, where chains are followed, to that of the newest block: days without any have 0. No later day than today. Empty for a network without indexed transactions.',
    list: networkDayList,
    arguments: networkStatsArguments,
    pages: { limits: dayLimits, first: 'days from the newest', last: 'days from the oldest' },
  });
}
