import { narrowing, optional } from '../../arguments/argument.js';
import type { Argument, ArgumentValues, Narrowing } from '../../arguments/argument.js';
import {
  blockchainArgument,
  blockNumberSchema,
  choiceArgument,
  idArgument,
  momentArgument,
  networkArgument,
  readBlockNumber,
} from '../../arguments/common.js';
import { readId, readNodeId } from '../../avalanche/input.js';
import { ID, NODE_ID, only } from '../../avalanche/patterns.js';
import { badInput } from '../../errors.js';
import { addressesOfChain } from '../address/arguments.js';
import { allTypes, type TxType } from './tx-types.js';

/** The order of transactions, in descriptions of lists: see sortKeyAt. */
export const NEWEST_FIRST =
  'newest first by block timestamp, then by block number and position in the block; where the position is unknown, by txHash';

const chain = {
  network: networkArgument('Network of the chain.'),
  blockchainId: blockchainArgument(
    ['p', 'x', 'c'],
    'p-chain, x-chain or c-chain, or the id of that blockchain on the network.',
    { example: 'p-chain' },
  ),
};

export const transactionArguments = {
  ...chain,
  txHash: idArgument('Hash of the transaction, CB58.', 'pV2UgLcZC9Pc94VdQH2PVSzurLV7FWQ6M9817yyFKMZX9TFYw'),
};

const txType = choiceArgument(
  'TxType',
  allTypes,
  'Only this type: the same as txTypes with one. If omitted, all.',
);

const txTypes: Argument<TxType[] | null> = optional({
  type: ['TxType'],
  description:
    'Only transactions of any of these types; cannot be combined with txType. If omitted, of all types. An empty list matches nothing.',
  schema: { type: 'array', items: { type: 'string', enum: allTypes } },
  read: (name, value, earlier) => {
    const given = new Set((value as unknown[]).map((each) => txType.read(name, each, earlier)));
    if (given.size > 0 && earlier['txType']) throw badInput('txType and txTypes cannot be given together');
    return [...given].sort();
  },
});

/** The arguments that select transactions by type. */
export const typeArguments = narrowing({
  txType: { ...optional(txType), deprecated: 'Use txTypes, which takes one type as well as several.' },
  txTypes,
});

/** An id that a transaction names; the transactions of addresses cannot be filtered by it. */
function namedArgument(
  description: string,
  form: string,
  read: (name: string, text: string) => string,
): Argument<string | null> {
  return optional({
    type: 'String',
    description: `${description} Cannot be combined with addresses.`,
    schema: { type: 'string', pattern: only(form) },
    read: (name, value, { addresses }) => {
      if ((addresses as string[] | undefined)?.length)
        throw badInput(
          `${name}: cannot be given together with addresses; filters that can are txType, txTypes, since, until, startBlock and endBlock`,
        );
      return read(name, String(value));
    },
  });
}

/** Declare it after `nodeId` and `subnetId`. */
const validationArgument: Argument<string | null> = (() => {
  const named = namedArgument(
    'Only transactions of the P-chain that changed the L1 validator with this validation id, CB58. Cannot be combined with nodeId and subnetId.',
    ID,
    readId,
  );
  return {
    ...named,
    read: (name, value, earlier) => {
      const id = named.read(name, value, earlier);
      if (id !== null && (earlier['nodeId'] || earlier['subnetId']))
        throw badInput(`${name}: cannot be given together with nodeId or subnetId`);
      return id;
    },
  };
})();

/** A bound of a range of blocks, as decimal digits. Declare it after `blockchainId`. */
function blockArgument(description: string): Argument<string | null> {
  return optional({
    type: 'Decimal',
    description: `${description} Block numbers belong to one chain, so blockchainId is required.`,
    schema: blockNumberSchema,
    read: (name, value, { blockchainId }) => {
      if (blockchainId === null)
        throw badInput(`${name}: requires blockchainId, because block numbers belong to one chain`);
      return readBlockNumber(name, value).toString();
    },
  });
}

export const transactionListArguments = {
  network: chain.network,
  ...narrowing({
    blockchainId: optional(
      blockchainArgument(
        ['p', 'x', 'c'],
        'Only transactions of this chain: p-chain, x-chain or c-chain, or the id of that blockchain on the network. If omitted, transactions of all three chains, which only a list by address can show.',
        {},
      ),
    ),
    addresses: addressesOfChain(
      'Only transactions that consumed or emitted an output of any of these addresses, each once. At most 64 addresses, with or without a chain prefix. If omitted, all transactions of the chain.',
    ),
  }),
  ...typeArguments,
  ...narrowing({
    nodeId: namedArgument('Only transactions with this nodeId, NodeID-….', NODE_ID, readNodeId),
    subnetId: namedArgument('Only transactions with this subnetId, CB58.', ID, readId),
    since: momentArgument('Only transactions of blocks made at this time or later, Unix seconds.'),
    until: momentArgument('Only transactions of blocks made before this time, Unix seconds.'),
    startBlock: blockArgument(
      'Only transactions of blocks from this number on; transactions whose blockNumber is unknown match no range.',
    ),
    endBlock: blockArgument('Only transactions of blocks before this number.'),
    l1ValidationId: validationArgument,
  }),
  sortOrder: choiceArgument(
    'SortOrder',
    ['asc', 'desc'],
    'Direction of the sort by time: desc lists the newest first.',
    'desc',
  ),
};

export type TransactionNarrowing = Narrowing<typeof transactionListArguments>;

/**
 * A list of transactions. Addresses are without chain prefix, sorted, each once; without them the query has a
 * chain.
 */
export type TransactionQuery = ArgumentValues<typeof transactionListArguments>;
