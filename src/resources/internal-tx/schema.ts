import { EVM_MAX } from '../../avalanche/evm.js';
import type { Builder, Leaf } from '../../graphql/builder.js';
import { registerConnection } from '../../graphql/connection-type.js';
import type { ConnectionSource } from '../../graphql/connection.js';
import { chainLoader } from '../chain/loaders.js';
import { loadEvmAddress, registerEvmAddress, type EvmAddressNode } from './evm-address-schema.js';
import { internalTxLoader } from './loaders.js';
import type { InternalTxNode, InternalTxType, TokenPartyNode } from './row.js';

export interface InternalTxObjects {
  InternalTransaction: InternalTxNode;
  InternalTransactionConnection: ConnectionSource;
  TokenParty: TokenPartyNode;
  EvmAddress: EvmAddressNode;
}

export type InternalTxEnums = {
  InternalTxType: Leaf<InternalTxType>;
};

/** Registers the types InternalTransaction and EvmAddress, and the query field evmAddress. */
export function registerInternalTx(builder: Builder): void {
  registerParts(builder);
  registerType(builder);
  registerConnection(builder, 'InternalTransaction', 'internal transactions');
  registerEvmAddress(builder);
}

function registerParts(builder: Builder): void {
  builder.enumType('InternalTxType', {
    description: 'What a frame of a transaction did; only these are kept.',
    values: {
      CALL: { description: 'Called an address with a value.' },
      CALLCODE: { description: "Ran another contract's code in its own storage, with a value." },
      CREATE: { description: "Created a contract at an address made of the creator's nonce." },
      CREATE2: { description: 'Created a contract at an address made of its code and a salt.' },
      CREATE3: { description: 'Created a contract at an address made of a salt alone.' },
    },
  });
  builder.objectType('TokenParty', {
    description: 'A side of an internal transaction; a token where more than the address is given.',
    fields: (t) => ({
      address: t.exposeString('address', { description: 'Address, hex with the mixed case of EIP-55.' }),
      name: t.exposeString('name', {
        nullable: true,
        description: "The token's full name; null where unknown.",
      }),
      symbol: t.exposeString('symbol', {
        nullable: true,
        description: "The token's short name; null where unknown.",
      }),
      decimals: t.exposeInt('decimals', {
        nullable: true,
        description: 'How many decimal digits the smallest unit is below one token; null where unknown.',
      }),
      logoUri: t.exposeString('logoUri', {
        nullable: true,
        description: "The token's picture; null where unknown.",
      }),
      evmAddress: t.field({
        type: 'EvmAddress',
        nullable: true,
        description: 'The address as a node of its own; null when its chain is not held.',
        resolve: ({ evmChainId, address }, _args, context) =>
          loadEvmAddress(context, { evmChainId }, address),
      }),
    }),
  });
}

function registerType(builder: Builder): void {
  builder.node('InternalTransaction', {
    description: 'A frame of an EVM transaction that moved value or created a contract.',
    id: {
      description: 'Global id, made of the EVM chain id, the txHash and the place in the transaction.',
      resolve: ({ evmChainId, txHash, position, tie }) => `${evmChainId}:${txHash}:${position}:${tie}`,
    },
    loadOne: (id: string, context) => {
      const match = /^(\d{1,19}):(0x[0-9a-f]{64}):(\d{1,9}):(\d{1,18})$/.exec(id);
      const [, evmChainId = '', txHash = '', position, tie = ''] = match ?? [];
      if (!match || BigInt(evmChainId) > EVM_MAX) return null;
      return internalTxLoader(context).load({ evmChainId, txHash, position: Number(position), tie });
    },
    fields: (t) => ({
      blockNumber: t.expose('blockNumber', { type: 'BigNumber', description: 'Number of its block.' }),
      blockTimestamp: t.expose('blockTimestamp', {
        type: 'Long',
        description: 'When its block was made, Unix seconds.',
      }),
      blockHash: t.exposeString('blockHash', { description: 'Hash of its block, hex.' }),
      txHash: t.exposeString('txHash', { description: 'Hash of its transaction, hex.' }),
      from: t.field({
        type: 'TokenParty',
        description: 'Who called or created.',
        resolve: ({ from }) => from,
      }),
      to: t.field({
        type: 'TokenParty',
        description: 'Who was called, or the created contract.',
        resolve: ({ to }) => to,
      }),
      internalTxType: t.field({
        type: 'InternalTxType',
        description: 'What it did.',
        resolve: ({ internalTxType }) => internalTxType,
      }),
      value: t.expose('value', {
        type: 'BigNumber',
        description: "Amount in the native token's smallest unit.",
      }),
      isReverted: t.exposeBoolean('isReverted', { description: 'Whether its effects were undone.' }),
      gasUsed: t.expose('gasUsed', { type: 'BigNumber', description: 'Gas that it used.' }),
      gasLimit: t.expose('gasLimit', { type: 'BigNumber', description: 'Gas that it was allowed.' }),
      chain: t.field({
        type: 'Chain',
        nullable: true,
        description: 'Its chain; null when that is not held.',
        resolve: ({ evmChainId }, _args, context) => chainLoader(context).load({ evmChainId }),
      }),
    }),
  });
}
