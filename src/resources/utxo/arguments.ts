import { readId } from '../../avalanche/input.js';
import { badInput, quote } from '../../errors.js';
import { ceilDecimal } from '../../numbers.js';
import { optional, type Argument, type ArgumentValues } from '../../arguments/argument.js';
import {
  blockchainArgument,
  booleanArgument,
  choiceArgument,
  idArgument,
  networkArgument,
} from '../../arguments/common.js';
import { addressesArgument } from '../address/arguments.js';

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

/** What the outputs of an asset are asked for by. */
export const assetUtxoArguments = { network, ...filtersAndOrder };

/** A list of UTXOs. Addresses are without chain prefix, sorted, each once; none list the whole chain. */
export type UtxoQuery = ArgumentValues<typeof utxoListArguments>;
/** The outputs of an asset on the X-chain. */
export type AssetUtxoQuery = ArgumentValues<typeof assetUtxoArguments>;
