import { optional, type ArgumentValues } from '../../arguments/argument.js';
import {
  blockchainArgument,
  choiceArgument,
  idArgument,
  momentArgument,
  networkArgument,
} from '../../arguments/common.js';
import { addressesArgument } from '../address/arguments.js';
import { txTypes, type TxType } from './tx-types.js';

const chain = {
  network: networkArgument('Network of the chain.'),
  blockchainId: blockchainArgument(
    ['p', 'x', 'c'],
    'p-chain, x-chain or c-chain, or the id of that blockchain on the network.',
    { example: 'p-chain' },
  ),
};

/** What a transaction is asked for by. */
export const transactionArguments = {
  ...chain,
  txHash: idArgument('Hash of the transaction, CB58.', 'pV2UgLcZC9Pc94VdQH2PVSzurLV7FWQ6M9817yyFKMZX9TFYw'),
};

const txType = optional(
  choiceArgument('TxType', Object.keys(txTypes) as TxType[], 'Only this type. Not given: all.'),
);

/** What a list of transactions is asked for by. */
export const transactionListArguments = { ...chain, txType };

export type TransactionQuery = ArgumentValues<typeof transactionListArguments>;

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
  txType,
  since: momentArgument('Only transactions of blocks made at this moment or later, Unix seconds.'),
  until: momentArgument('Only transactions of blocks made before this moment, Unix seconds.'),
};

/** The history of addresses. These are without chain prefix, sorted, each once. */
export type HistoryQuery = ArgumentValues<typeof historyArguments>;
