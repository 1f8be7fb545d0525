import { readId } from '../../avalanche/input.js';
import { ID, only } from '../../avalanche/patterns.js';
import { checkSeconds, LAST_SECOND } from '../../avalanche/seconds.js';
import { badInput, quote } from '../../errors.js';
import { wholeDecimal } from '../../numbers.js';
import { narrowing, optional } from '../../arguments/argument.js';
import type { Argument, ArgumentValues, Narrowing } from '../../arguments/argument.js';
import {
  blockchainArgument,
  booleanArgument,
  choiceArgument,
  formerName,
  idArgument,
  minimumArgument,
  momentArgument,
  networkArgument,
} from '../../arguments/common.js';
import { addressesOfChain } from '../address/arguments.js';
import { utxoStates, type UtxoState } from './holding.js';

// Assets other than AVAX exist only on the X-chain, so that on other chains the filter is ignored, right or
// wrong; not an empty one, because no filter may be empty.
const assetId: Argument<string | null> = optional({
  type: 'String',
  description:
    'Only outputs of this asset. Ignored on the P-chain and the C-chain alone, even if it is malformed.',
  schema: { type: 'string', pattern: only(ID) },
  read: (name, value, { blockchainId }) =>
    blockchainId === 'x' || blockchainId === null || value === '' ? readId(name, String(value)) : null,
});

const minUtxoAmount: Argument<bigint> = {
  ...minimumArgument("Only outputs of at least this amount in the asset's smallest unit."),
  note: 'May be a fraction.',
  schema: { type: 'number', format: 'double', minimum: 0, default: 0 },
  default: '0',
};

export const utxoArguments = {
  network: networkArgument('Network of the UTXO.'),
  utxoId: idArgument('Id of the output within its network, CB58.'),
};

const network = networkArgument('Network of the chain.');

/** The arguments that narrow every list of UTXOs. */
const filters = narrowing({
  addresses: addressesOfChain(
    'Only outputs that any of these addresses owns, each once. At most 64 addresses, with or without a chain prefix. If omitted, every output of the chain.',
  ),
  assetId,
  minUtxoAmount,
  includeSpent: booleanArgument('Whether spent outputs are listed too.', false),
});

/** What narrows and sorts a list of a chain's UTXOs. */
const filtersAndOrder = {
  ...filters,
  sortBy: choiceArgument(
    'UtxoSort',
    ['timestamp', 'amount'],
    'What the list is sorted by; ties by utxoId.',
    'timestamp',
  ),
  sortOrder: choiceArgument('SortOrder', ['asc', 'desc'], 'Direction of the sort.', 'desc'),
};

/** A time of the past, as decimal digits: after the blocks up to a time, or up to a block of the chain. */
export type AsOf = { time: string } | { block: string };

/** The fields of the input type AsOf. */
export const asOfFields = {
  time: {
    type: 'Long',
    description: `The state after all blocks made up to this time, Unix seconds, 0 to ${LAST_SECOND}.`,
  },
  block: {
    type: 'Decimal',
    description:
      'The state after the block with this number, 0 or more, on the chain of the list. Events on other chains are compared by time: the time of the newest block up to this number that has an indexed transaction.',
  },
} as const;

// Declare it after `includeSpent`.
const asOf: Argument<AsOf | null> = optional({
  type: 'AsOf',
  description:
    'Lists the outputs that were unspent at a past time instead, computed from the indexed creation and spending of outputs. An output whose creation time is unknown counts as created at the beginning. An output whose spending time is unknown counts as spent as soon as it was created. Requires blockchainId. Cannot be combined with includeSpent. A page examines at most 1,000 rows; lists nested under the rows of another list examine that many together. A page may therefore have fewer rows than requested, even none, although more follow. hasNextPage is then true, and endCursor belongs to the last examined row; with `last` the same holds for hasPreviousPage and startCursor. The list has no totalCount: selecting it is refused with BAD_USER_INPUT.',
  schema: { type: 'object' },
  read: (name, value, { includeSpent, blockchainId }) => {
    if (includeSpent === true) throw badInput(`${name}: cannot be given together with includeSpent`);
    if (blockchainId === null) throw badInput(`${name}: requires blockchainId`);
    // GraphQL has made sure that one of them is given (@oneOf).
    const [member, given] = Object.entries(value as object)[0] as ['time' | 'block', unknown];
    const number = wholeDecimal(String(given));
    if (number === null)
      throw badInput(`${name}.${member}: ${quote(String(given))} is not a whole number of 0 or more`);
    if (member === 'time') checkSeconds(`${name}.${member}`, number);
    return { [member]: number.toString() } as AsOf;
  },
});

/** The arguments of a list of UTXOs in both GraphQL and REST. */
export const utxoRouteArguments = {
  network,
  blockchainId: blockchainArgument(
    ['p', 'x', 'c'],
    'p-chain, x-chain or c-chain, or the id of that blockchain on the network.',
    { example: 'p-chain' },
  ),
  ...filtersAndOrder,
};

export const utxoListArguments = {
  network,
  ...narrowing({
    blockchainId: optional(
      blockchainArgument(
        ['p', 'x', 'c'],
        'Only outputs of this chain: p-chain, x-chain or c-chain, or the id of that blockchain on the network. If omitted, those of all three chains, each once, which only a list by address can show.',
        {},
      ),
    ),
  }),
  ...filtersAndOrder,
  asOf,
};

const stateChoice = choiceArgument(
  'UtxoState',
  utxoStates,
  'Only unspent outputs in this state, whatever includeSpent says. Requires addresses. Cannot be combined with asOf. If omitted, all.',
);
const state: Argument<UtxoState | null> = optional({
  ...stateChoice,
  read: (name, value, earlier) => {
    if (earlier['addresses'] === null) throw badInput(`${name}: requires addresses`);
    if (earlier['asOf']) throw badInput(`${name}: cannot be given together with asOf`);
    return stateChoice.read(name, value, earlier);
  },
});

/** An argument that requires a state; undefined means that the state itself is wrong. */
function withState<T>(argument: Argument<T | null>): Argument<T | null> {
  return optional({
    ...argument,
    read: (name, value, earlier) => {
      if (earlier['state'] === null) throw badInput(`${name}: requires state`);
      return argument.read(name, value, earlier);
    },
  });
}

const locksAt = withState(
  momentArgument(
    'Time at which locks are checked, Unix seconds. Requires state. If omitted, now. It affects only locks: the outputs are always those that are unspent now.',
  ),
);

const multiSignature = withState<boolean>(
  optional({
    type: 'Boolean',
    description:
      'Only outputs that need several signatures to be spent (true), or only those that need one (false). Requires state. If omitted, both.',
    schema: { type: 'boolean' },
    read: (_name, value) => value === true,
  }),
);

/** The arguments of a list of UTXOs in GraphQL. */
export const utxoStateArguments = {
  ...utxoListArguments,
  ...narrowing({ state }),
  locksAt,
  at: formerName(locksAt, 'locksAt'),
  ...narrowing({ multiSignature }),
};

export const assetUtxoArguments = { network, ...filtersAndOrder };

/** The arguments that narrow a list of UTXOs, a list by state, and the outputs of an asset. */
export type UtxoNarrowing = Narrowing<typeof utxoListArguments>;
export type UtxoStateNarrowing = Narrowing<typeof utxoStateArguments>;
export type AssetUtxoNarrowing = Narrowing<typeof assetUtxoArguments>;

/** A list of UTXOs. Addresses are without chain prefix, sorted, each once; null lists the whole chain. */
export type UtxoQuery = ArgumentValues<typeof utxoListArguments>;
/** The same, with a state if one is given. */
export type UtxoStateQuery = ArgumentValues<typeof utxoStateArguments>;
/** The outputs of an asset on the X-chain. */
export type AssetUtxoQuery = ArgumentValues<typeof assetUtxoArguments>;
