import type { Builder } from '../../graphql/builder.js';
import { registerConnection } from '../../graphql/connection-type.js';
import type { ConnectionSource } from '../../graphql/connection.js';
import { exposeFields } from '../../graphql/fields.js';
import { splitNetworkKey } from '../../graphql/global-id.js';
import { rowField } from '../../graphql/row-field.js';
import { loadRow } from '../../graphql/row-loader.js';
import { listField } from '../../graphql/list-field.js';
import { sqlOf, sqlOfType } from '../../graphql/sql-source.js';
import { subnetArguments, subnetListArguments } from './arguments.js';
import { registerSubnetEdges } from './edges-schema.js';
import { subnetFields, subnetSource, type SubnetNode } from './fields.js';
import { findSubnets, subnetList } from './list.js';
import { registerSubnetLists } from './lists-schema.js';

declare module '../../graphql/builder.js' {
  interface ObjectTypes {
    Subnet: SubnetNode;
    SubnetConnection: ConnectionSource;
  }
}

/** Registers the type Subnet, the fields that lead to it, and the query fields subnet and subnets. */
export function registerSubnet(builder: Builder): void {
  registerType(builder);
  registerConnection(builder, 'Subnet', 'subnets');
  registerSubnetLists(builder);
  registerSubnetEdges(builder);
  registerQueries(builder);
}

function registerType(builder: Builder): void {
  builder.node('Subnet', {
    description: 'A subnet, or the L1 that it became.',
    extensions: sqlOfType(subnetSource),
    id: {
      description: 'Global id, made of the network and the subnetId.',
      resolve: ({ network, subnetId }) => `${network}:${subnetId}`,
    },
    loadOne: (id: string, context) => {
      const parts = splitNetworkKey(id);
      return parts && loadRow(context, findSubnets, { network: parts.network, subnetId: parts.key });
    },
    fields: (t) => ({
      network: t.expose('network', {
        type: 'Network',
        description: 'Its network.',
        extensions: sqlOf({ value: { form: 'plain', sql: subnetSource.keys.network } }),
      }),
      ...exposeFields(t, subnetFields),
    }),
  });
}

function registerQueries(builder: Builder): void {
  builder.queryField('subnet', (t) =>
    rowField(t, {
      type: 'Subnet',
      description:
        'One subnet by its id; null when no indexed P-chain transaction, metric or EVM chain names it.',
      find: findSubnets,
      arguments: subnetArguments,
    }),
  );

  builder.queryField('subnets', (t) =>
    listField(t, {
      type: 'SubnetConnection',
      description:
        'The subnets of a network, by subnetId: those that a P-chain transaction, a metric or an EVM chain names.',
      list: subnetList,
      arguments: subnetListArguments,
    }),
  );
}
