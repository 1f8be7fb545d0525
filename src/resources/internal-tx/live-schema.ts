import { badInput, quote } from '../../errors.js';
import type { Builder } from '../../graphql/builder.js';
import { addLiveField } from '../../graphql/live-field.js';
import { loadRow } from '../../graphql/row-loader.js';
import { findChains } from '../chain/list.js';
import { liveArguments } from './arguments.js';
import { liveFrames } from './live.js';

/** Registers the stream of internal transactions. */
export const registerLiveFrames = (builder: Builder): void =>
  addLiveField(builder, 'internalTransactions', {
    type: 'InternalTransaction',
    description:
      'Internal transactions of a chain, or of addresses on it, when they are first stored. The filters are those of Query.internalTransactions, and several addresses.',
    event: 'An internal transaction was stored.',
    arguments: liveArguments,
    list: liveFrames,
    async toQuery({ chainId, ...values }, context) {
      if ('evmChainId' in chainId) return { ...values, evmChainId: chainId.evmChainId };
      const chain = await loadRow(context, findChains, chainId);
      if (chain) return { ...values, evmChainId: chain.chainId };
      throw badInput(
        `chainId: no indexed chain has the blockchain id ${quote(chainId.blockchainId)}; give its EVM chain id`,
      );
    },
  });
