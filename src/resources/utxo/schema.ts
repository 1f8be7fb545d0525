import { parseBlockchainId } from '../../avalanche/identity.js';
import type { PrimaryChain } from '../../avalanche/networks.js';
import type { Builder } from '../../graphql/builder.js';
import { registerNode } from '../../graphql/node.js';
import { AppError } from '../../errors.js';
import { rowField } from '../../graphql/row-field.js';
import { addListField } from '../../graphql/list-field.js';
import { chainFields } from '../primary-chain/schema.js';
import { findConsuming, findCreating } from '../transaction/list.js';
import { asOfFields, assetUtxoArguments, utxoArguments, utxoStateArguments } from './arguments.js';
import type { UtxoQuery } from './arguments.js';
import { utxoFields, utxoKeys, type UtxoNode } from './fields.js';
import { assetUtxoList } from './asset-list.js';
import { findUtxos } from './list.js';
import { anyUtxoList } from './state-list.js';
import { registerUtxoState } from './state-schema.js';

declare module '../../graphql/builder.js' {
  interface ObjectTypes {
    Utxo: UtxoNode;
  }
  interface LeafTypes {
    UtxoType: Leaf<UtxoNode['utxoType']>;
    RewardType: Leaf<NonNullable<UtxoNode['rewardType']>>;
    UtxoSort: Leaf<UtxoQuery['sortBy']>;
  }
}

export function registerUtxo(builder: Builder): void {
  builder.enumType('UtxoType', {
    description: 'What an output is for.',
    values: {
      STAKE: {
        description:
          'It has a stakeableLocktime, passed or not, until which it can only be staked. The field `staked` says whether it is staked.',
      },
      TRANSFER: {
        description: 'It has no stakeableLocktime. It may still be staked: see `staked`.',
      },
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
  registerUtxoState(builder);
  registerNode(builder, {
    type: 'Utxo',
    description:
      'A transaction output (UTXO) of a primary network chain, spent or unspent. If it was spent, the fields that begin with consuming describe the spending.',
    plural: 'UTXOs',
    id: 'utxoId',
    keys: utxoKeys,
    fields: utxoFields,
    find: findUtxos,
    query: {
      name: 'utxo',
      description: 'One UTXO by its id, spent or not; null when it is not indexed.',
      arguments: utxoArguments,
    },
    moreFields: (t) => ({
      ...chainFields(t, {
        description: 'the chain that created the output, where its txHash is found',
        chainOf: createdOn,
        sql: { network: 'u.network', chain: 'u.created_on' },
      }),
      owners: t.field({
        type: ['Address'],
        description: 'Its owners as nodes of their own, in the order of `addresses`.',
        resolve: ({ network, addresses }: UtxoNode) => addresses.map((address) => ({ network, address })),
      }),
      creatingTransaction: rowField(t, {
        type: 'Transaction',
        description:
          'The transaction that emitted the output, otherwise the one that txHash names; null when that is not indexed.',
        find: findCreating,
        of: ({ rowId }) => ({ utxoRowId: rowId }),
      }),
      consumingTransaction: rowField(t, {
        type: 'Transaction',
        description:
          'The transaction that spent the output; null while it is unspent or staked, or when it is not indexed.',
        find: findConsuming,
        of: ({ rowId }) => ({ utxoRowId: rowId }),
        needs: 'consumingTxHash',
      }),
    }),
  });
  registerLists(builder);
}

const RETRY_SECONDS = 3;

// The id is what the field's SQL makes of a column that has no other values.
function createdOn({ network, createdOnChainId }: UtxoNode): PrimaryChain {
  const chain = parseBlockchainId(network, createdOnChainId);
  if (chain) return chain;
  // The SQL knows a network that began to be followed some seconds before this process does.
  throw new AppError('SERVICE_UNAVAILABLE', `The chains of ${network} are not known yet`, {
    retryAfterSeconds: RETRY_SECONDS,
  });
}

function registerLists(builder: Builder): void {
  builder.inputType('AsOf', {
    description: 'A time in the past. Give exactly one of the fields.',
    isOneOf: true,
    fields: (t) => ({ time: t.field(asOfFields.time), block: t.field(asOfFields.block) }),
  });
  addListField(builder, 'Query', 'utxos', {
    type: 'UtxoConnection',
    description:
      'UTXOs that were created on a chain or can be consumed there; of addresses also those of all chains. Only unspent ones unless includeSpent is true; an output in an active stake counts as unspent.',
    list: anyUtxoList,
    arguments: utxoStateArguments,
    present: 'at',
  });

  addListField(builder, 'Asset', 'utxos', {
    type: 'UtxoConnection',
    description:
      'Outputs of the asset that were created on the X-chain or can be consumed there, as Query.utxos lists them for that chain and this assetId. Assets other than AVAX exist only on the X-chain. Outputs of the P-chain and the C-chain cannot be listed by asset.',
    list: assetUtxoList,
    arguments: assetUtxoArguments,
    of: { network: ({ network }) => network, assetId: ({ assetId }) => assetId },
  });

  addListField(builder, 'Address', 'utxos', {
    type: 'UtxoConnection',
    description:
      'Outputs of the address: those that were created on a chain or can be consumed there, or without blockchainId those of all chains, each once. The same list, with the same cursors, as Query.utxos for this address.',
    list: anyUtxoList,
    arguments: utxoStateArguments,
    present: 'at',
    of: { network: ({ network }) => network, addresses: ({ address }) => [address] },
  });
}
