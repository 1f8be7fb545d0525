import { optional, type ArgumentValues } from '../../arguments/argument.js';
import { blockchainArgument, momentArgument, networkArgument } from '../../arguments/common.js';
import { addressesArgument } from '../address/arguments.js';
import { txTypeArgument } from '../transaction/arguments.js';

/** What the history of addresses is asked for by. */
export const historyArguments = {
  network: networkArgument('Network of the addresses.'),
  addresses: addressesArgument(
    'Lists transactions that consumed or emitted an output of any of these, each once; with or without a chain prefix, at most 64.',
  ),
  blockchainId: optional(
    blockchainArgument(
      ['p', 'x', 'c'],
      'Only transactions of this chain: p-chain, x-chain or c-chain, or a blockchain id. Not given: of all three.',
      {},
    ),
  ),
  txType: txTypeArgument,
  since: momentArgument('Only transactions of blocks made at this moment or later, Unix seconds.'),
  until: momentArgument('Only transactions of blocks made before this moment, Unix seconds.'),
};

/** The history of addresses. These are without chain prefix, sorted, each once. */
export type HistoryQuery = ArgumentValues<typeof historyArguments>;
