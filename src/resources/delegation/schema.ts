import type { Builder } from '../../graphql/builder.js';
import { registerConnection } from '../../graphql/connection-type.js';
import type { ConnectionSource } from '../../graphql/connection.js';
import { exposeFields } from '../../graphql/fields.js';
import { addListField } from '../../graphql/list-field.js';
import { sqlOfType } from '../../graphql/sql-source.js';
import { addStakerRows } from '../reference/staker-schema.js';
import { delegationFields, delegationKeys, type DelegationNode } from './fields.js';
import { currentDelegationList } from './list.js';

declare module '../../graphql/builder.js' {
  interface ObjectTypes {
    Delegation: DelegationNode;
    DelegationConnection: ConnectionSource;
  }
}

/** Registers delegations of now, and the list that a validator of a subnet has of them. */
export function registerDelegation(builder: Builder): void {
  builder.objectType('Delegation', {
    description: 'A delegation to a validator that stakes, or waits for its start.',
    extensions: sqlOfType({ keys: delegationKeys }),
    fields: (t) => exposeFields(t, delegationFields),
  });
  addStakerRows(builder, 'Delegation', {
    validator: 'The node to which it delegates; null when no indexed P-chain transaction names it.',
    transaction:
      'The transaction that delegated (txHash): who is paid its reward, among others; null when it is not indexed.',
  });
  registerConnection(builder, 'Delegation', 'delegations');
  addListField(builder, 'SubnetValidator', 'delegations', {
    type: 'DelegationConnection',
    description:
      'The delegations to it in the subnet that stake, or wait for their start; the largest first, ties by txHash, descending.',
    list: currentDelegationList,
    of: {
      network: ({ network }) => network,
      subnetId: ({ subnetId }) => subnetId,
      nodeId: ({ nodeId }) => nodeId,
    },
  });
}
