import type { Builder } from '../../graphql/builder.js';
import { registerConnection } from '../../graphql/connection-type.js';
import type { ConnectionSource } from '../../graphql/connection.js';
import { exposeFields } from '../../graphql/fields.js';
import { addListField } from '../../graphql/list-field.js';
import { addRowField } from '../../graphql/row-field.js';
import { sqlOfType } from '../../graphql/sql-source.js';
import { findSubnets } from '../subnet/list.js';
import { notFollowed } from '../reference/present.js';
import { addStakerRows } from '../reference/staker-schema.js';
import { currentValidatorArguments, type CurrentValidatorQuery } from './arguments.js';
import { subnetTotalsFields, subnetValidatorFields, subnetValidatorKeys } from './fields.js';
import type { SubnetTotalsNode, SubnetValidatorNode } from './fields.js';
import { currentValidatorList, findSubnetTotals, subnetValidatorList } from './list.js';

declare module '../../graphql/builder.js' {
  interface ObjectTypes {
    SubnetValidator: SubnetValidatorNode;
    SubnetValidatorConnection: ConnectionSource;
    SubnetTotals: SubnetTotalsNode;
  }
  interface LeafTypes {
    ValidatorSort: Leaf<CurrentValidatorQuery['sortBy']>;
  }
}

/** Registers nodes as validators of a subnet, their lists, and the sums over them. */
export function registerSubnetValidator(builder: Builder): void {
  builder.enumType('ValidatorSort', {
    description:
      'What a list of present validators is sorted by; ties are sorted by nodeId in the same direction.',
    values: {
      weight: { description: 'Weight, with that of the delegators.' },
      endTimestamp: { description: 'End of the period.' },
      delegationFee: {
        description: "Share of its delegators' rewards that a validator keeps; 0 in permissioned subnets.",
      },
    },
  });
  builder.objectType('SubnetValidator', {
    description:
      'A node as a validator of one subnet, or of the primary network: its state there after the newest stored block. Validators of an L1 are L1Validator.',
    extensions: sqlOfType({ keys: subnetValidatorKeys }),
    fields: (t) => exposeFields(t, subnetValidatorFields),
  });
  registerConnection(builder, 'SubnetValidator', 'validators of a subnet');
  builder.objectType('SubnetTotals', {
    description:
      'Sums over the validators that a subnet, or the primary network, has after the newest stored block.',
    extensions: sqlOfType({ keys: {} }),
    fields: (t) => exposeFields(t, subnetTotalsFields),
  });
  registerRows(builder);
  registerLists(builder);
}

function registerRows(builder: Builder): void {
  addRowField(builder, 'Subnet', 'totals', {
    type: 'SubnetTotals',
    description: `Sums over its present validators; null ${notFollowed}.`,
    find: findSubnetTotals,
    of: ({ rowId }) => ({ rowId }),
    // Sums over thousands of entries of an index, of the primary network.
    times: 20,
  });
  addStakerRows(builder, 'SubnetValidator', {
    validator: 'The node in all subnets; null when no indexed P-chain transaction names it.',
    transaction:
      'The transaction that began its stake (txHash): who is paid its reward, among others; null without txHash, and when it is not indexed.',
  });
  addRowField(builder, 'SubnetValidator', 'subnet', {
    type: 'Subnet',
    description: 'The subnet; null when it is not indexed.',
    find: findSubnets,
    of: ({ network, subnetId }) => ({ network, subnetId }),
  });
}

const listed =
  'The state is that of this subnet after the newest stored block. Empty where the P-chain is not followed from genesis on, or its computed state is not that of a node: activeValidators of the subnet is then null.';

function registerLists(builder: Builder): void {
  addListField(builder, 'Subnet', 'validators', {
    type: 'SubnetValidatorConnection',
    description:
      'The nodes that validate or validated the subnet, by nodeId, each once, with their state in this subnet: those that an indexed transaction added to it as a validator, or delegated to in it. For those of now alone, sorted and filtered, see currentValidators; for the validators of the L1 that it became, see l1Validators.',
    list: subnetValidatorList,
    of: { rowId: ({ rowId }) => rowId },
    key: ({ network, subnetId }) => ({ network, subnetId }),
  });
  addListField(builder, 'Subnet', 'currentValidators', {
    type: 'SubnetValidatorConnection',
    description: `The nodes that validate the subnet, or wait for their start. ${listed} For the validators of the L1 that it became, see l1Validators.`,
    list: currentValidatorList,
    arguments: currentValidatorArguments,
    of: { network: ({ network }) => network, subnetId: ({ subnetId }) => subnetId },
  });
  addListField(builder, 'Query', 'currentValidators', {
    type: 'SubnetValidatorConnection',
    description: `The nodes that validate the primary network, or a subnet, or wait for their start. ${listed}`,
    list: currentValidatorList,
    arguments: currentValidatorArguments,
  });
}
