import { parseEvmAddress } from '../../avalanche/evm.js';
import { identityOf, parseBlockchainId } from '../../avalanche/identity.js';
import type { Network } from '../../avalanche/networks.js';
import type { Builder } from '../../graphql/builder.js';
import type { Context } from '../../graphql/context.js';
import { rowField } from '../../graphql/row-field.js';
import { loadRow } from '../../graphql/row-loader.js';
import { sqlOf } from '../../graphql/sql-source.js';
import { toAddressNode, type AddressNode } from '../address/row.js';
import { findChains } from '../chain/list.js';
import { chainOfBothNames } from '../chain/loaders.js';
import type { ChainNode } from '../chain/fields.js';
import { evmAddressOf } from '../internal-tx/evm-address-schema.js';
import { optionalDetails } from './details.js';
import { findReward, findStaking } from './list.js';

const {
  blockchainInfo: made,
  l1ValidatorDetails: validators,
  subnetOwnershipInfo: ownership,
  rewardAddresses: rewarded,
} = optionalDetails;

export function registerTransactionEdges(builder: Builder): void {
  builder.objectFields('Transaction', (t) => ({
    stakingTransaction: rowField(t, {
      type: 'Transaction',
      description:
        'The staking transaction that this one ends (stakingTxHash); null for other transactions, or when it is not indexed.',
      find: findStaking,
      of: ({ rowId }) => ({ transactionId: rowId }),
      needs: 'stakingTxHash',
    }),
    rewardTransaction: rowField(t, {
      type: 'Transaction',
      description:
        'The RewardValidatorTx that ended this stake (rewardTxHash); null where there is none, or when it is not indexed.',
      find: findReward,
      of: ({ rowId }) => ({ transactionId: rowId }),
      needs: 'rewardTxHash',
    }),
  }));
  builder.objectFields('Transaction', (t) => ({
    sourceEvmChain: t.field({
      type: 'Chain',
      nullable: true,
      description:
        'The EVM chain that is the source of an import or export (sourceChain); null for other transactions, for the P-chain and the X-chain, which are not EVM chains, and when the chain is not indexed.',
      resolve: ({ network, sourceChain }, _args, context) => loadEnd(context, network, sourceChain),
    }),
    destinationEvmChain: t.field({
      type: 'Chain',
      nullable: true,
      description:
        'The EVM chain that is the destination of an import or export (destinationChain); null for other transactions, for the P-chain and the X-chain, which are not EVM chains, and when the chain is not indexed.',
      resolve: ({ network, destinationChain }, _args, context) => loadEnd(context, network, destinationChain),
    }),
  }));
  builder.objectField('Transaction', 'blockchainInfo', (t) =>
    t.field({
      type: 'BlockchainInfo',
      nullable: true,
      description: `${made.description}; null ${made.absent}.`,
      extensions: sqlOf({ value: { member: 'blockchainInfo', of: 't.details' } }),
      resolve: ({ blockchainInfo, txHash, network, subnetId }) =>
        blockchainInfo && { ...blockchainInfo, blockchainId: txHash, network, subnetId },
    }),
  );
  builder.objectFields('BlockchainInfo', (t) => ({
    chain: rowField(t, {
      type: 'Chain',
      description:
        'The blockchain as an EVM chain; its blockchain id is the hash of the transaction. Null if the blockchain is not an EVM chain, or is not indexed.',
      find: findChains,
      of: ({ blockchainId }) => ({ blockchainId }),
    }),
  }));
  builder.objectField('Transaction', 'l1ValidatorDetails', (t) =>
    t.field({
      type: ['L1ValidatorDetails'],
      nullable: true,
      description: `${validators.description}; null ${validators.absent}.`,
      extensions: sqlOf({ value: { member: 'l1ValidatorDetails', of: 't.details' } }),
      resolve: ({ l1ValidatorDetails, network }) =>
        l1ValidatorDetails?.map((validator) => ({ ...validator, network })),
    }),
  );
  registerManager(builder);
  registerOwners(builder);
}

function registerManager(builder: Builder): void {
  builder.objectFields('L1ValidatorManager', (t) => ({
    chain: rowField(t, {
      type: 'Chain',
      description: 'The EVM chain of the contract (blockchainId); null when it is not indexed.',
      find: findChains,
      of: ({ blockchainId }) => ({ blockchainId }),
    }),
    contractEvmAddress: rowField(t, {
      type: 'EvmAddress',
      description:
        'The contract as a node; null when its chain is not indexed, or where contractAddress is not a valid address.',
      find: evmAddressOf,
      of: ({ blockchainId, contractAddress }) => ({
        blockchainId,
        address: parseEvmAddress(contractAddress),
      }),
    }),
  }));
}

function registerOwners(builder: Builder): void {
  builder.objectFields('Transaction', (t) => ({
    subnetOwnershipInfo: t.field({
      type: 'SubnetOwnership',
      nullable: true,
      description: `${ownership.description}; null ${ownership.absent}.`,
      extensions: sqlOf({ value: { member: 'subnetOwnershipInfo', of: 't.details' } }),
      resolve: ({ subnetOwnershipInfo, network }) =>
        subnetOwnershipInfo && { ...subnetOwnershipInfo, network },
    }),
    rewardOwners: t.field({
      type: ['Address'],
      nullable: true,
      description: `Those of rewardAddresses as nodes of their own, in the same order; values that are not addresses are left out. Null ${rewarded.absent}.`,
      resolve: ({ network, rewardAddresses }) => rewardAddresses && nodesOf(network, rewardAddresses),
    }),
  }));
  builder.objectField('SubnetOwnership', 'owners', (t) =>
    t.field({
      type: ['Address'],
      description:
        'The owners as nodes of their own, in the order of `addresses`; values that are not addresses are left out.',
      resolve: ({ network, addresses }) => nodesOf(network, addresses),
    }),
  );
}

/** Addresses as a transaction names them, not checked before. */
const nodesOf = (network: Network, addresses: readonly string[]): AddressNode[] =>
  addresses.flatMap((address) => toAddressNode(network, address) ?? []);

function loadEnd(
  context: Context,
  network: Network,
  blockchainId: string | null | undefined,
): Promise<ChainNode | null> | null {
  if (!blockchainId) return null;
  const chain = parseBlockchainId(network, blockchainId);
  if (chain === 'c') {
    const { blockchainIds, evmChainId } = identityOf(network);
    return chainOfBothNames.load(context, {
      blockchainId: blockchainIds.c,
      evmChainId: evmChainId.toString(),
    });
  }
  return chain ? null : loadRow(context, findChains, { blockchainId });
}
