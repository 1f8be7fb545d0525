import { WORD } from '../../avalanche/abi.js';
import { bloomBits } from '../../avalanche/codec/bloom.js';
import type { EvmLog } from '../../avalanche/codec/evm-receipt.js';
import { mintedTopic } from '../../avalanche/evm-events.js';

/**
 * The precompile of subnet-evm that makes coins for an account (precompile/contracts/nativeminter): no frame
 * shows this.
 */
const NATIVE_MINTER = '0x0200000000000000000000000000000000000001';
/** `mintNativeCoin(address,uint256)`. */
const MINT = '0x4f5aaaba';

/** What a block's header must have for a log of the minter, by groups. */
export const mintedBits = [[bloomBits(mintedTopic)], [bloomBits(NATIVE_MINTER)]];

/**
 * The recipient of the coins that a call mints, unless it fails; none for another call. @param input 0x and
 * digits, of any case
 */
export function mintedFor(to: string, input: unknown): string[] {
  if (to !== NATIVE_MINTER || typeof input !== 'string') return [];
  const call = input.toLowerCase();
  const end = MINT.length + WORD;
  return call.startsWith(MINT) && call.length >= end ? [`0x${call.slice(end - 40, end)}`] : [];
}

/** The recipient of minted coins in a log. */
export const mintedIn = ({ address, topics: [event, , recipient] }: EvmLog): string[] =>
  address === NATIVE_MINTER && event === mintedTopic && recipient !== undefined
    ? [`0x${recipient.slice(-40)}`]
    : [];
