import { narrowing, optional, type Argument, type Narrowing } from '../../arguments/argument.js';
import { blockchainArgument, formerName, momentArgument, networkArgument } from '../../arguments/common.js';
import { readAddresses } from '../../avalanche/input.js';
import type { Network } from '../../avalanche/networks.js';
import { GIVEN_ADDRESS, only } from '../../avalanche/patterns.js';
import { badInput } from '../../errors.js';

const network = networkArgument('Network of the address.');

const address: Argument<string> = {
  type: 'String',
  description: 'The address, bech32, with or without a chain prefix.',
  schema: { type: 'string', pattern: only(GIVEN_ADDRESS) },
  read: (name, value, { network }) => {
    const [address] = readAddresses(name, network as Network | undefined, [String(value)]);
    if (!address) throw badInput(`${name}: is empty; it must be a bech32 address`);
    return address;
  },
};

/** Several addresses: without chain prefix, sorted, each once. Declare it after `network`. */
export function addressesArgument(description: string): Argument<string[] | null> {
  return optional({
    type: ['String'],
    description: `${description} An empty list matches nothing.`,
    note: 'Comma-separated. A value without any address is refused: omit the parameter instead.',
    schema: { type: 'string', pattern: `^[\\s,]*${GIVEN_ADDRESS}(?:\\s*,[\\s,]*${GIVEN_ADDRESS})*[\\s,]*$` },
    example: 'fuji1rh4rsdwnh5t3eqgnyhzyxw9zpvuxfa5lhw07vm',
    read: (name, value, { network }) =>
      readAddresses(name, network as Network | undefined, value as readonly string[]),
  });
}

/** The same where some have to be given. Declare it after `network`. */
export function someAddresses(description: string): Argument<string[]> {
  const addresses = addressesArgument(`${description} At most 64.`);
  return {
    ...addresses,
    optional: false,
    read: (name, value, earlier) => {
      const given = addresses.read(name, value, earlier);
      if (given === null) throw badInput(`${name}: is missing; give at least one address`);
      return given;
    },
  };
}

/** The same of a list of a chain, or of all chains if any are given. Declare it after `blockchainId`. */
export function addressesOfChain(description: string): Argument<string[] | null> {
  const addresses = addressesArgument(description);
  return {
    ...addresses,
    read: (name, value, earlier) => {
      const given = addresses.read(name, value, earlier);
      if (given === null && earlier['blockchainId'] === null)
        throw badInput('blockchainId: is missing; it can be omitted only if addresses is given');
      return given;
    },
  };
}

export const addressArguments = { network, address };

const addressChain = blockchainArgument(
  ['p', 'x', 'c'],
  'p-chain, x-chain or c-chain, or the id of that blockchain on the network.',
  { example: 'p-chain' },
);

const locksAt = momentArgument(
  'Time at which locks are checked, Unix seconds. If omitted, now. It affects only locks: the outputs are always those that are unspent now, so that this is no balance of the past; for that see balanceHistory.',
);

/** Addresses that are asked for together. */
export const addressesArguments = { network, addresses: someAddresses('The addresses.') };

/** Addresses on a chain. */
export const chainAddressesArguments = {
  network,
  blockchainId: addressChain,
  addresses: someAddresses('The addresses; an output that several of them own counts once.'),
};

/** The arguments of what addresses have on a chain. */
export const chainBalancesArguments = { ...chainAddressesArguments, locksAt };

/** The arguments of an address's balances, without the address. */
export const balanceArguments = {
  network,
  ...narrowing({
    blockchainId: optional(
      blockchainArgument(
        ['p', 'x', 'c'],
        'Only outputs in the list of this chain: p-chain, x-chain or c-chain, or a blockchain id. If omitted, those of the whole network, each once.',
        {},
      ),
    ),
  }),
  locksAt,
  at: formerName(locksAt, 'locksAt'),
};

export type BalanceNarrowing = Narrowing<typeof balanceArguments>;
