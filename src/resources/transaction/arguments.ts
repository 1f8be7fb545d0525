import { optional, type Argument, type ArgumentValues } from '../../arguments/argument.js';
import {
  blockchainArgument,
  choiceArgument,
  idArgument,
  momentArgument,
  networkArgument,
} from '../../arguments/common.js';
import { badInput } from '../../errors.js';
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

const addresses = addressesArgument(
  'Only transactions that consumed or emitted an output of any of these, each once; with or without a chain prefix, at most 64. Not given: all of the chain.',
);

/** What a list of transactions is asked for by. */
export const transactionListArguments = {
  network: chain.network,
  blockchainId: optional(
    blockchainArgument(
      ['p', 'x', 'c'],
      'Only transactions of this chain: p-chain, x-chain or c-chain, or the id of that blockchain on the network. Not given: of all three, which only the transactions of addresses can be.',
      {},
    ),
  ),
  addresses: {
    ...addresses,
    read: (name, value, earlier) => {
      const given = addresses.read(name, value, earlier);
      if (given.length === 0 && earlier['blockchainId'] === null)
        throw badInput('blockchainId: is missing; only the transactions of addresses can be of all chains');
      return given;
    },
  } satisfies Argument<string[]>,
  txType: optional(
    choiceArgument('TxType', Object.keys(txTypes) as TxType[], 'Only this type. Not given: all.'),
  ),
  since: momentArgument('Only transactions of blocks made at this moment or later, Unix seconds.'),
  until: momentArgument('Only transactions of blocks made before this moment, Unix seconds.'),
};

/** A list of transactions. Addresses are without chain prefix, sorted, each once; without any there is a chain. */
export type TransactionQuery = ArgumentValues<typeof transactionListArguments>;
