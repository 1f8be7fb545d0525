import { optional, type Argument } from '../../arguments/argument.js';
import { blockchainArgument, networkArgument } from '../../arguments/common.js';
import { readAddresses } from '../../avalanche/input.js';
import type { Network } from '../../avalanche/networks.js';
import { badInput } from '../../errors.js';

const network = networkArgument('Network of the address.');

const address: Argument<string> = {
  type: 'String',
  description: 'The address, bech32, with or without a chain prefix.',
  schema: { type: 'string' },
  read: (name, value, { network }) => {
    const [address] = readAddresses(name, network as Network, [String(value)]);
    if (!address) throw badInput(`${name}: is empty; it is a bech32 address`);
    return address;
  },
};

/** What an address is asked for by. */
export const addressArguments = { network, address };

/** What the balances of an address are asked for by, beside the address. */
export const balanceArguments = {
  network,
  blockchainId: optional(
    blockchainArgument(
      ['p', 'x', 'c'],
      'Only outputs that the list of this chain shows: p-chain, x-chain or c-chain, or a blockchain id. Not given: those of the whole network, each once.',
      {},
    ),
  ),
};
