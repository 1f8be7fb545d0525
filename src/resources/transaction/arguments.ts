import { optional, type ArgumentValues } from '../../arguments/argument.js';
import { blockchainArgument, choiceArgument, idArgument, networkArgument } from '../../arguments/common.js';
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

/** The type that a list of transactions is of. */
export const txTypeArgument = optional(
  choiceArgument('TxType', Object.keys(txTypes) as TxType[], 'Only this type. Not given: all.'),
);

/** What a list of transactions is asked for by. */
export const transactionListArguments = { ...chain, txType: txTypeArgument };

export type TransactionQuery = ArgumentValues<typeof transactionListArguments>;
