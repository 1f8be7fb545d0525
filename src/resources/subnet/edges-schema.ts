import type { Builder } from '../../graphql/builder.js';
import type { Context } from '../../graphql/context.js';
import type { Network } from '../../avalanche/networks.js';
import { sqlOf } from '../../graphql/sql-source.js';
import { findTransactions } from '../transaction/list.js';
import { transactionLoader } from '../transaction/loaders.js';
import type { SubnetNode, subnetSource } from './fields.js';
import { findOwning, findSubnetsOfTransactions } from './list.js';
import { owningTransactionLoader, subnetLoader } from './loaders.js';

type Keys = typeof subnetSource.keys;

const rowKey = ({ rowId }: Pick<SubnetNode, 'rowId'>) => ({ rowId });

/** Registers the fields between a subnet and other objects. */
export function registerSubnetEdges(builder: Builder): void {
  registerOrigin(builder);
  registerReferences(builder);
}

function registerOrigin(builder: Builder): void {
  builder.objectFields('Subnet', (t) => ({
    creatingTransaction: t.field({
      type: 'Transaction',
      nullable: true,
      description:
        'The P-chain transaction that created the subnet; its hash is the subnetId. Null for the primary network, which no transaction created, and when it is not indexed.',
      extensions: sqlOf({
        row: {
          find: findTransactions,
          of: ({ network, subnetId }: Keys) => ({ network, chain: `'p'`, txHash: subnetId }),
        },
      }),
      resolve: ({ network, subnetId }, _args, context) =>
        transactionLoader(context).load({ network, chain: 'p', txHash: subnetId }),
    }),
    owningTransaction: t.field({
      type: 'Transaction',
      nullable: true,
      description:
        'The newest transaction that set the owners of the subnet: a CreateSubnetTx or TransferSubnetOwnershipTx, ties by txHash; null when none is indexed.',
      extensions: sqlOf({ row: { find: findOwning, of: rowKey } }),
      resolve: (subnet, _args, context) => owningTransactionLoader(context).load(rowKey(subnet)),
    }),
    owner: t.field({
      type: 'SubnetOwnership',
      nullable: true,
      description: 'The owners of the subnet, from owningTransaction; null where that is not indexed.',
      resolve: async (subnet, _args, context) => {
        const owning = await owningTransactionLoader(context).load(rowKey(subnet));
        return owning?.subnetOwnershipInfo && { ...owning.subnetOwnershipInfo, network: owning.network };
      },
    }),
  }));
}

function registerReferences(builder: Builder): void {
  builder.objectField('Transaction', 'subnet', (t) =>
    t.field({
      type: 'Subnet',
      nullable: true,
      description: 'The subnet that the transaction names (subnetId); null for transactions without one.',
      extensions: sqlOf({
        row: {
          find: findSubnetsOfTransactions,
          of: ({ rowId }: { rowId: string }) => ({ transactionId: rowId }),
        },
      }),
      resolve: ({ network, subnetId }, _args, context) => loadSubnet(context, network, subnetId),
    }),
  );
  builder.objectField('L1ValidatorDetails', 'subnet', (t) =>
    t.field({
      type: 'Subnet',
      nullable: true,
      description: 'The subnet that became the L1 (subnetId); null where that is not a valid id.',
      resolve: ({ network, subnetId }, _args, context) => loadSubnet(context, network, subnetId),
    }),
  );
  builder.objectField('BlockchainInfo', 'subnet', (t) =>
    t.field({
      type: 'Subnet',
      nullable: true,
      description:
        'The subnet whose validators run the blockchain; null where the transaction does not name it.',
      resolve: ({ network, subnetId }, _args, context) => loadSubnet(context, network, subnetId),
    }),
  );
  builder.objectField('Chain', 'subnet', (t) =>
    t.field({
      type: 'Subnet',
      nullable: true,
      description: 'The subnet whose validators run the chain (subnetId); null where unknown.',
      resolve: ({ isTestnet, subnetId }, _args, context) =>
        loadSubnet(context, isTestnet ? 'fuji' : 'mainnet', subnetId),
    }),
  );
}

function loadSubnet(
  context: Context,
  network: Network,
  subnetId: string | null | undefined,
): Promise<SubnetNode | null> | null {
  return subnetId ? subnetLoader(context).load({ network, subnetId }) : null;
}
