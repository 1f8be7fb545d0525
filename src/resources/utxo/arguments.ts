import { readId } from '../../avalanche/input.js';
import { badInput, quote } from '../../errors.js';
import { ceilDecimal } from '../../numbers.js';
import { optional, type Argument, type ArgumentValues } from '../../arguments/argument.js';
import {
  blockchainArgument,
  booleanArgument,
  choiceArgument,
  idArgument,
  momentArgument,
  networkArgument,
} from '../../arguments/common.js';
import { addressesArgument } from '../address/arguments.js';
import { utxoStates, type UtxoState } from './holding.js';

// Assets other than AVAX exist on the X-chain alone, so elsewhere the filter is ignored, right or wrong.
const assetId: Argument<string | null> = optional({
  type: 'String',
  description: 'Only outputs of this asset. Heeded on the X-chain alone.',
  schema: { type: 'string' },
  read: (name, value, { blockchainId }) => (blockchainId === 'x' ? readId(name, String(value)) : null),
});

const minUtxoAmount: Argument<bigint> = {
  type: 'Decimal',
  description: "Only outputs of at least this amount in the asset's smallest unit.",
  note: 'May be a fraction.',
  schema: { type: 'number', minimum: 0, default: 0 },
  default: '0',
  read: (name, value) => {
    const least = ceilDecimal(String(value));
    if (least === null) throw badInput(`${name}: ${quote(String(value))} is not a number of 0 or more`);
    return least;
  },
};

/** What a UTXO is asked for by. */
export const utxoArguments = {
  network: networkArgument('Network of the UTXO.'),
  utxoId: idArgument('Id of the output within its network, CB58.'),
};

const network = networkArgument('Network of the chain.');

/** Beside the chain. */
const filtersAndOrder = {
  addresses: addressesArgument(
    'Lists outputs that any of these owns, each once; with or without a chain prefix, at most 64. Not given: every output of the chain.',
  ),
  assetId,
  minUtxoAmount,
  includeSpent: booleanArgument('Whether spent outputs are listed too.', false),
  sortBy: choiceArgument(
    'UtxoSort',
    ['timestamp', 'amount'],
    'What the list is sorted by; ties by utxoId.',
    'timestamp',
  ),
  sortOrder: choiceArgument('SortOrder', ['asc', 'desc'], 'Direction of the sort.', 'desc'),
};

/** What a list of UTXOs is asked for by. */
export const utxoListArguments = {
  network,
  blockchainId: blockchainArgument(
    ['p', 'x', 'c'],
    'p-chain, x-chain or c-chain, or the id of that blockchain on the network.',
    { example: 'p-chain' },
  ),
  ...filtersAndOrder,
};

const stateChoice = choiceArgument(
  'UtxoState',
  utxoStates,
  'Only unspent outputs of which this can be done, includeSpent or not; only together with addresses. Not given: all.',
);
const state: Argument<UtxoState | null> = optional({
  ...stateChoice,
  read: (name, value, earlier) => {
    const { addresses } = earlier;
    if (Array.isArray(addresses) && addresses.length === 0)
      throw badInput(`${name}: is told of the outputs of addresses, and addresses are missing`);
    return stateChoice.read(name, value, earlier);
  },
});

/** An argument that only a state gives a meaning; undefined stands for a state that is wrong itself. */
function besideState<T>(argument: Argument<T | null>): Argument<T | null> {
  return optional({
    ...argument,
    read: (name, value, earlier) => {
      if (earlier['state'] === null) throw badInput(`${name}: means nothing without a state`);
      return argument.read(name, value, earlier);
    },
  });
}

/** What a list of UTXOs is asked for by in GraphQL. */
export const utxoStateArguments = {
  ...utxoListArguments,
  state,
  at: besideState(
    momentArgument(
      'The moment that decides which locks have passed, Unix seconds; only together with state. Not given: the present. Nothing else is of that moment.',
    ),
  ),
  multiSignature: besideState<boolean>(
    optional({
      type: 'Boolean',
      description:
        'Only outputs that need several signatures, or if false those for which one is enough; only together with state. Not given: both.',
      schema: { type: 'boolean' },
      read: (_name, value) => value === true,
    }),
  ),
};

/** What the outputs of an asset are asked for by. */
export const assetUtxoArguments = { network, ...filtersAndOrder };

/** A list of UTXOs. Addresses are without chain prefix, sorted, each once; none list the whole chain. */
export type UtxoQuery = ArgumentValues<typeof utxoListArguments>;
/** The same, where a state may be asked for. */
export type UtxoStateQuery = ArgumentValues<typeof utxoStateArguments>;
/** The outputs of an asset on the X-chain. */
export type AssetUtxoQuery = ArgumentValues<typeof assetUtxoArguments>;
