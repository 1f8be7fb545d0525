import type { Builder, Leaf } from '../../graphql/builder.js';
import { checkBoth } from '../../errors.js';
import { splitNetworkKey } from '../../graphql/global-id.js';
import { registerConnection } from '../../graphql/connection-type.js';
import { readConnection, type ConnectionSource } from '../../graphql/connection.js';
import { countList } from '../../graphql/counting.js';
import { connectionLimits, parsePageArguments } from '../../paging/page-request.js';
import { digestQuery } from '../../paging/token.js';
import { consumingTransactionLoader, creatingTransactionLoader } from '../transaction/loaders.js';
import { utxoLoader } from './loaders.js';
import { registerUtxoOwners } from './owner-schema.js';
import { resolveUtxoQuery, utxoQueryIdentity } from './query.js';
import { toUtxoNode, type UtxoNode } from './row.js';
import { countUtxos, listUtxos, utxoExists, type UtxoQuery } from './store.js';

export interface UtxoObjects {
  Utxo: UtxoNode;
  UtxoConnection: ConnectionSource;
}

export type UtxoEnums = {
  UtxoType: Leaf<UtxoNode['utxoType']>;
  RewardType: Leaf<NonNullable<UtxoNode['rewardType']>>;
  UtxoSort: Leaf<UtxoQuery['sortBy']>;
};

/** Registers the type Utxo and the query field utxos. */
export function registerUtxo(builder: Builder): void {
  registerEnums(builder);
  registerType(builder);
  registerConnection(builder, 'Utxo', 'UTXOs');
  registerQuery(builder);
  registerUtxoOwners(builder);
}

function registerEnums(builder: Builder): void {
  builder.enumType('UtxoType', {
    description: 'What an output is for.',
    values: {
      STAKE: { description: 'Locked for staking, or lockable until its stakeable locktime.' },
      TRANSFER: { description: 'A plain transfer.' },
    },
  });
  builder.enumType('RewardType', {
    description: 'What a reward output pays for.',
    values: {
      VALIDATOR: { description: 'Validating.' },
      DELEGATOR: { description: 'Delegating.' },
      VALIDATOR_FEE: { description: "The validator's share of its delegators' rewards." },
    },
  });
  builder.enumType('UtxoSort', {
    description: 'What a list of UTXOs is sorted by; ties are sorted by utxoId in the same direction.',
    values: {
      timestamp: { description: 'Timestamp of the block that created the output; unknown ones count as 0.' },
      amount: { description: "Amount in the asset's smallest unit." },
    },
  });
}

function registerType(builder: Builder): void {
  builder.node('Utxo', {
    description:
      'An unspent transaction output (UTXO) of a primary network chain, and what became of it when it has been spent since.',
    id: {
      description: 'Global id, made of the network and the utxoId.',
      resolve: (utxo) => `${utxo.network}:${utxo.utxoId}`,
    },
    loadOne: (id: string, context) => {
      const parts = splitNetworkKey(id);
      return parts && utxoLoader(context).load({ network: parts.network, utxoId: parts.key });
    },
    fields: (t) => ({
      utxoId: t.exposeString('utxoId', {
        description:
          'Id of the output within its network: CB58 of SHA-256 of output index and transaction id.',
      }),
      txHash: t.exposeString('txHash', {
        description: 'Hash of the transaction that the output belongs to, CB58.',
      }),
      outputIndex: t.expose('outputIndex', {
        type: 'Long',
        description: 'Place among the outputs of its transaction, from 0.',
      }),
      addresses: t.exposeStringList('addresses', {
        description: 'Owners, bech32 without chain prefix. Spending takes `threshold` of their signatures.',
      }),
      threshold: t.expose('threshold', {
        type: 'Long',
        nullable: true,
        description: 'Number of owners that must sign to spend the output; null where unknown.',
      }),
      assetId: t.exposeString('assetId', { description: 'Id of the asset that the output holds, CB58.' }),
      amount: t.expose('amount', {
        type: 'BigNumber',
        description: "Amount in the asset's smallest unit: nAVAX for AVAX.",
      }),
      asset: t.field({
        type: 'AssetAmount',
        description: 'The asset and the amount of it.',
        resolve: (utxo) => utxo.asset,
      }),
      utxoType: t.field({
        type: 'UtxoType',
        description: 'What the output is for.',
        resolve: (utxo) => utxo.utxoType,
      }),
      staked: t.exposeBoolean('staked', {
        nullable: true,
        description: 'Whether the output is locked in an active stake; null where unknown.',
      }),
      createdOnChainId: t.exposeString('createdOnChainId', {
        description: 'Blockchain id of the chain that created the output.',
      }),
      consumedOnChainId: t.exposeString('consumedOnChainId', {
        description:
          'Blockchain id of the chain on which the output is or can be consumed; another one for an exported output.',
      }),
      blockNumber: t.expose('blockNumber', {
        type: 'BigNumber',
        nullable: true,
        description: 'Number of the block that created the output; null where unknown.',
      }),
      blockTimestamp: t.expose('blockTimestamp', {
        type: 'Long',
        nullable: true,
        description: 'When that block was made, Unix seconds; null where unknown.',
      }),
      consumingTxHash: t.exposeString('consumingTxHash', {
        nullable: true,
        description: 'Hash of the transaction that spent the output; null while it is unspent or staked.',
      }),
      consumingBlockNumber: t.expose('consumingBlockNumber', {
        type: 'BigNumber',
        nullable: true,
        description:
          'Number of the block that spent the output; null while it is unspent or staked, or where unknown.',
      }),
      consumingBlockTimestamp: t.expose('consumingBlockTimestamp', {
        type: 'Long',
        nullable: true,
        description:
          'When the output was spent, Unix seconds; null while it is unspent or staked, or where unknown.',
      }),
      platformLocktime: t.expose('platformLocktime', {
        type: 'Long',
        nullable: true,
        description:
          'Unix seconds until which the output cannot be spent at all; 0 for no lock, null where unknown.',
      }),
      stakeableLocktime: t.expose('stakeableLocktime', {
        type: 'Long',
        nullable: true,
        description: 'Unix seconds until which the output can only be staked; null without such a lock.',
      }),
      rewardType: t.field({
        type: 'RewardType',
        nullable: true,
        description: 'What the output rewards; null when it is no reward.',
        resolve: (utxo) => utxo.rewardType,
      }),
      utxoStartTimestamp: t.expose('utxoStartTimestamp', {
        type: 'Long',
        nullable: true,
        description: 'Start of the staking period, Unix seconds; null for an output that is not of a stake.',
      }),
      utxoEndTimestamp: t.expose('utxoEndTimestamp', {
        type: 'Long',
        nullable: true,
        description: 'End of the staking period, Unix seconds; null for an output that is not of a stake.',
      }),
      utxoBytes: t.exposeString('utxoBytes', {
        nullable: true,
        description: 'The encoded output, hex with 0x and a 4-byte checksum at the end; null where unknown.',
      }),
      creatingTransaction: t.field({
        type: 'Transaction',
        nullable: true,
        description:
          'The transaction that emitted the output, else the one that its txHash names; null when that is not held.',
        resolve: (utxo, _args, context) => creatingTransactionLoader(context).load(utxo.rowId),
      }),
      consumingTransaction: t.field({
        type: 'Transaction',
        nullable: true,
        description:
          'The transaction that spent the output; null while it is unspent or staked, or when it is not held.',
        resolve: (utxo, _args, context) =>
          utxo.consumingTxHash ? consumingTransactionLoader(context).load(utxo.rowId) : null,
      }),
    }),
  });
}

function registerQuery(builder: Builder): void {
  builder.queryField('utxos', (t) =>
    t.field({
      type: 'UtxoConnection',
      description:
        'UTXOs that were created on a chain or can be consumed there. Unspent ones unless includeSpent is true; an output in an active stake counts as unspent.',
      args: {
        network: t.arg({ type: 'Network', required: true, description: 'Network of the chain.' }),
        blockchainId: t.arg.string({
          required: true,
          description: 'p-chain, x-chain or c-chain, or the id of that blockchain on the network.',
        }),
        addresses: t.arg.stringList({
          description:
            'Lists outputs that any of these owns, each once; with or without a chain prefix, at most 64. Not given: every output of the chain.',
        }),
        assetId: t.arg.string({ description: 'Only outputs of this asset. Heeded on the X-chain alone.' }),
        minUtxoAmount: t.arg({
          type: 'Decimal',
          description: "Only outputs of at least this amount in the asset's smallest unit. Default 0.",
        }),
        includeSpent: t.arg.boolean({ description: 'Whether spent outputs are listed too. Default false.' }),
        sortBy: t.arg({ type: 'UtxoSort', description: 'Default timestamp.' }),
        sortOrder: t.arg({ type: 'SortOrder', description: 'Default desc.' }),
        ...t.arg.connectionArgs(),
      },
      resolve: (_root, args, context) => {
        const { storage, tokens } = context;
        const [query, request] = checkBoth(
          () => resolveUtxoQuery(args),
          () => parsePageArguments(args, connectionLimits),
        );
        return readConnection({
          tokens,
          query: digestQuery('utxos', utxoQueryIdentity(query)),
          request,
          read: (request) => listUtxos(storage, query, request),
          exists: (id) => utxoExists(storage, id),
          count: () => countList(context, (most) => countUtxos(storage, query, most)),
          toNode: toUtxoNode,
        });
      },
    }),
  );
}
