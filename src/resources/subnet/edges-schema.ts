import { networkOf } from '../../avalanche/networks.js';
import type { Builder } from '../../graphql/builder.js';
import { addRowField, rowField } from '../../graphql/row-field.js';
import { loadRow } from '../../graphql/row-loader.js';
import { findTransactions } from '../transaction/list.js';
import { findOwning, findSubnets, findSubnetsOfTransactions } from './list.js';

export function registerSubnetEdges(builder: Builder): void {
  builder.objectFields('Subnet', (t) => ({
    creatingTransaction: rowField(t, {
      type: 'Transaction',
      description:
        'The P-chain transaction that created the subnet; its hash is the subnetId. Null for the primary network, which no transaction created, and when it is not indexed.',
      find: findTransactions,
      of: ({ network, subnetId }, constant) => ({ network, chain: constant('p'), txHash: subnetId }),
    }),
    owningTransaction: rowField(t, {
      type: 'Transaction',
      description:
        'The newest transaction that set the owners of the subnet: a CreateSubnetTx or TransferSubnetOwnershipTx; null when none is indexed.',
      find: findOwning,
      of: ({ rowId }) => ({ rowId }),
    }),
    owner: t.field({
      type: 'SubnetOwnership',
      nullable: true,
      description: 'The owners of the subnet, from owningTransaction; null where that is not indexed.',
      resolve: async ({ rowId }, _args, context) => {
        const owning = await loadRow(context, findOwning, { rowId });
        return owning?.subnetOwnershipInfo && { ...owning.subnetOwnershipInfo, network: owning.network };
      },
    }),
  }));
  addRowField(builder, 'Transaction', 'subnet', {
    type: 'Subnet',
    description: 'The subnet that the transaction names (subnetId); null for transactions without one.',
    find: findSubnetsOfTransactions,
    of: ({ rowId }) => ({ transactionId: rowId }),
    needs: 'subnetId',
  });
  addRowField(builder, 'L1ValidatorDetails', 'subnet', {
    type: 'Subnet',
    description: 'The subnet that became the L1 (subnetId); null where that is not a valid id.',
    find: findSubnets,
    of: ({ network, subnetId }) => ({ network, subnetId }),
  });
  addRowField(builder, 'BlockchainInfo', 'subnet', {
    type: 'Subnet',
    description:
      'The subnet whose validators run the blockchain; null where the transaction does not name it.',
    find: findSubnets,
    of: ({ network, subnetId }) => ({ network, subnetId }),
  });
  addRowField(builder, 'Chain', 'subnet', {
    type: 'Subnet',
    description: 'The subnet whose validators run the chain (subnetId); null where unknown.',
    find: findSubnets,
    of: ({ isTestnet, subnetId }) => ({ network: networkOf(isTestnet), subnetId }),
  });
}
