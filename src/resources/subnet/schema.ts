import type { Builder } from '../../graphql/builder.js';
import { registerNode } from '../../graphql/node.js';
import { subnetArguments, subnetListArguments } from './arguments.js';
import { registerSubnetEdges } from './edges-schema.js';
import { subnetFields, subnetKeys, type SubnetNode } from './fields.js';
import { findSubnets, subnetList } from './list.js';
import { registerSubnetLists } from './lists-schema.js';

declare module '../../graphql/builder.js' {
  interface ObjectTypes {
    Subnet: SubnetNode;
  }
}

export function registerSubnet(builder: Builder): void {
  registerNode(builder, {
    type: 'Subnet',
    description: 'A subnet, or the L1 that it became.',
    plural: 'subnets',
    id: 'subnetId',
    keys: subnetKeys,
    fields: subnetFields,
    find: findSubnets,
    query: {
      name: 'subnet',
      description:
        'One subnet by its id; null when no indexed P-chain transaction, metric or EVM chain names it.',
      arguments: subnetArguments,
    },
    list: {
      name: 'subnets',
      description:
        'The subnets of a network, by subnetId: those that a P-chain transaction, a metric or an EVM chain names.',
      arguments: subnetListArguments,
      list: subnetList,
    },
  });
  registerSubnetLists(builder);
  registerSubnetEdges(builder);
}
