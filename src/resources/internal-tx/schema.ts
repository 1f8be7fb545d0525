import { EVM_MAX } from '../../avalanche/evm.js';
import type { Builder } from '../../graphql/builder.js';
import { registerConnection } from '../../graphql/connection-type.js';
import { exposeFields } from '../../graphql/fields.js';
import { rowField } from '../../graphql/row-field.js';
import { loadRow } from '../../graphql/row-loader.js';
import { sqlOfType } from '../../graphql/sql-source.js';
import { chainOfEvmId } from '../chain/loaders.js';
import { registerChainInternalTransactions } from './chain-schema.js';
import { evmAddressOf, registerEvmAddress, type EvmAddressNode } from './evm-address-schema.js';
import {
  MAX_POSITION,
  internalTxDescription,
  internalTxFields,
  internalTxSource,
  internalTxTypes,
  tokenParty,
} from './fields.js';
import type { InternalTxNode, InternalTxType, TokenPartyNode } from './fields.js';
import { findInternalTxs } from './list.js';

declare module '../../graphql/builder.js' {
  interface ObjectTypes {
    InternalTransaction: InternalTxNode;
    TokenParty: TokenPartyNode;
    EvmAddress: EvmAddressNode;
  }
  interface LeafTypes {
    InternalTxType: Leaf<InternalTxType>;
  }
}

export function registerInternalTx(builder: Builder): void {
  builder.enumType('InternalTxType', {
    description: 'What a frame of a transaction did. Frames of other kinds are not stored.',
    values: Object.fromEntries(
      Object.entries(internalTxTypes).map(([name, description]) => [name, { description }]),
    ),
  });
  builder.objectType('TokenParty', {
    description: tokenParty.description,
    fields: (t) => ({
      ...exposeFields(t, tokenParty.fields),
      evmAddress: rowField(t, {
        type: 'EvmAddress',
        description: 'The address as a node; null when its chain is not indexed.',
        find: evmAddressOf,
        of: ({ evmChainId, address }) => ({ evmChainId, address }),
      }),
    }),
  });
  builder.node('InternalTransaction', {
    description: internalTxDescription,
    extensions: sqlOfType(internalTxSource),
    id: {
      description: 'Global id, made of the EVM chain id, the txHash and the position in the transaction.',
      resolve: ({ evmChainId, txHash, position, sortKey }) =>
        `${evmChainId}:${txHash}:${position}:${sortKey}`,
    },
    loadOne: (id: string, context) => {
      const match = /^(\d{1,19}):(0x[0-9a-f]{64}):(\d{1,10}):(\d{1,18})$/.exec(id);
      const [, evmChainId = '', txHash = '', position, sortKey = ''] = match ?? [];
      if (!match || BigInt(evmChainId) > EVM_MAX || Number(position) > MAX_POSITION) return null;
      return loadRow(context, findInternalTxs, { evmChainId, txHash, position: Number(position), sortKey });
    },
    fields: (t) => ({
      ...exposeFields(t, internalTxFields),
      chain: rowField(t, {
        type: 'Chain',
        description: 'Its chain; null when that is not indexed.',
        find: chainOfEvmId,
        of: ({ evmChainId }) => ({ evmChainId }),
      }),
    }),
  });
  registerConnection(builder, 'InternalTransaction', 'internal transactions');
  registerEvmAddress(builder);
  registerChainInternalTransactions(builder);
}
