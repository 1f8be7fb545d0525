import type { Builder } from '../../graphql/builder.js';
import { addListField } from '../../graphql/list-field.js';
import { metricsLimits } from '../../paging/page-request.js';
import { subnetMetricArguments } from '../subnet-metric/arguments.js';
import { pointList } from '../subnet-metric/list.js';
import { referenceArguments } from '../reference/arguments.js';
import { NEWEST_FIRST } from '../transaction/arguments.js';
import type { SubnetNode } from './fields.js';
import { chainCreationList, conversionList, subnetChainList, subnetTransactionList } from './list.js';

const rowId = { rowId: ({ rowId }: SubnetNode) => rowId };
const keyOf = ({ network, subnetId }: SubnetNode) => ({ network, subnetId });
const key = {
  network: ({ network }: SubnetNode) => network,
  subnetId: ({ subnetId }: SubnetNode) => subnetId,
};

export function registerSubnetLists(builder: Builder): void {
  addListField(builder, 'Subnet', 'transactions', {
    type: 'TransactionConnection',
    description: `The P-chain transactions that name the subnet, as subnetId or in l1ValidatorDetails, and the one that created it; ${NEWEST_FIRST}.`,
    list: subnetTransactionList,
    arguments: referenceArguments,
    of: rowId,
    key: keyOf,
  });
  addListField(builder, 'Subnet', 'conversions', {
    type: 'TransactionConnection',
    description:
      'The transactions that converted the subnet to an L1 (ConvertSubnetToL1Tx), with its first validators and their manager; newest first. Empty if the subnet is not an L1, or its conversion is not indexed.',
    list: conversionList,
    of: rowId,
    key: keyOf,
  });
  addListField(builder, 'Subnet', 'chainCreations', {
    type: 'TransactionConnection',
    description:
      'The transactions that created the blockchains of the subnet (CreateChainTx), newest first. The hash of each is the blockchain id; blockchainInfo has the rest.',
    list: chainCreationList,
    of: rowId,
    key: keyOf,
  });
  addListField(builder, 'Subnet', 'evmChains', {
    type: 'ChainConnection',
    description: 'The indexed EVM chains of the subnet, by ascending EVM chain id.',
    list: subnetChainList,
    of: key,
  });
  addListField(builder, 'Subnet', 'metric', {
    type: 'SubnetMetricPointConnection',
    description: 'The daily values of a metric of the subnet, newest first; empty for a subnet without data.',
    list: pointList,
    arguments: subnetMetricArguments,
    of: key,
    pages: { limits: metricsLimits, first: 'points from the newest', last: 'points from the oldest' },
  });
}
