import { optional, type Argument } from '../../arguments/argument.js';
import { networkArgument } from '../../arguments/common.js';
import { evmAddressArgument } from '../../arguments/evm.js';
import { SHORTEST } from '../../avalanche/text/beginning.js';
import { cleanings } from '../../avalanche/text/cleanings.js';
import { badInput } from '../../errors.js';

/** Longest text that is searched, characters (UTF-16 code units): a row as JSON may have some thousand. */
const LONGEST = 8192;

const text: Argument<string> = {
  type: 'String',
  description: `What a person has, at most ${LONGEST} characters (UTF-16 code units): an address, hash, id or block number of any chain, its first ${SHORTEST} or more characters, perhaps with … and its last ones, or the beginning of a name. Control characters and invisible ones are ignored, and so are spaces, quotes and commas around it. Also taken: ${cleanings.map(({ what }) => what).join('; ')}.`,
  schema: { type: 'string', maxLength: LONGEST },
  read: (name, value) => {
    const given = String(value);
    if (given.length > LONGEST)
      throw badInput(`${name}: ${given.length} characters are too many; at most ${LONGEST}`);
    return given;
  },
};

/** An EVM address on whatever chains. */
export const addressChainsArguments = {
  address: evmAddressArgument('An EVM address, hex with 0x in any case.', {
    example: '0x46744D1FeD52681e9e0Eecd3135836e202528Aa2',
  }),
};

export const searchArguments = {
  text,
  network: optional(
    networkArgument('Only what is on this network, or on EVM chains of it. If omitted, on all networks.'),
  ),
};
