import { refuseNearSpellings } from '../../arguments/near-spelling.js';
import { MORE_ADDRESSES, readAddresses } from '../../avalanche/input.js';
import type { Network } from '../../avalanche/networks.js';
import { badInput, Problems, shown } from '../../errors.js';
import { openObject, ref, text } from '../../fields/json-schema.js';
import type { RouteBody } from '../../rest/body.js';
import { addressesArguments } from './arguments.js';

const { example } = addressesArguments.addresses;

/** A body that has the addresses, more than an address of a request has room for. */
export const addressesBody: RouteBody<{ addresses: string[] }> = {
  description: `The addresses, at most ${MORE_ADDRESSES}.`,
  schema: ref('AddressesRequest'),
  components: {
    AddressesRequest: openObject('Addresses.', {
      addresses: text(
        `Addresses with or without a chain prefix, separated by commas; at most ${MORE_ADDRESSES}.`,
        // Of a member, a comma or a backslash would be cut off in generated Go.
        { pattern: '^[ -z]+$' },
      ),
    }),
  },
  example: { addresses: example },
  read(given, { network }) {
    const problems = new Problems();
    problems.check(() => refuseNearSpellings(Object.keys(given), ['addresses']));
    const addresses = problems.check(() => readItems(given['addresses'], network as Network | undefined));
    problems.throwIfAny();
    return { addresses: addresses as string[] };
  },
};

function readItems(value: unknown, network: Network | undefined): string[] {
  if (value === undefined) throw badInput('addresses: is missing; give at least one address');
  if (typeof value !== 'string')
    throw badInput(`addresses: ${shown(value)} is not a text: addresses, separated by commas`);
  const addresses = readAddresses('addresses', network, value.split(','), MORE_ADDRESSES);
  if (addresses.length === 0) throw badInput('addresses: is empty; give at least one address');
  return addresses;
}
