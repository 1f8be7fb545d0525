import { narrowing, optional } from '../../arguments/argument.js';
import type { Argument, ArgumentValues, Narrowing } from '../../arguments/argument.js';
import { evmAddressArgument } from '../../arguments/evm.js';
import { digitsUpTo, only } from '../../avalanche/patterns.js';
import { badInput, quote } from '../../errors.js';
import { chainArguments } from '../chain/arguments.js';

const LARGEST_TOKEN_ID = 2n ** 256n - 1n;

const tokenId: Argument<bigint> = {
  type: 'BigNumber',
  description: 'Id within the collection.',
  note: 'Decimal digits, 0 to 2^256-1.',
  schema: { type: 'string', pattern: only(digitsUpTo(LARGEST_TOKEN_ID)) },
  example: '1',
  read: (name, value) => {
    const text = String(value);
    if (/^\d{1,78}$/.test(text) && BigInt(text) <= LARGEST_TOKEN_ID) return BigInt(text);
    throw badInput(`${name}: ${quote(text)} is not a token id; it must be decimal digits, 0 to 2^256-1`);
  },
};

export const collectionArguments = {
  ...chainArguments,
  address: evmAddressArgument("Address of the collection's contract.", {
    note: '0x and 40 hexadecimal digits.',
    example: '0x1C17F1568D8d5159e8A8662284203FCf2f19F8c6',
  }),
};

export type CollectionValues = ArgumentValues<typeof collectionArguments>;

export const nftTokenArguments = { ...collectionArguments, tokenId };

/** The arguments of the tokens of an address, without the address. */
export const ownedTokenArguments = narrowing({
  collection: optional(
    evmAddressArgument(
      'Only tokens of this collection: the address of its contract, hex with 0x in any case.',
    ),
  ),
});

export type OwnedTokenNarrowing = Narrowing<typeof ownedTokenArguments>;

/** The tokens of an address on a chain. */
export interface OwnedTokenQuery extends ArgumentValues<typeof ownedTokenArguments> {
  evmChainId: string;
  /** Hex with 0x. */
  owner: string;
}
