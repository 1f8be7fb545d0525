import { bloomBits } from '../../avalanche/codec/bloom.js';
import type { EvmLog } from '../../avalanche/codec/evm-receipt.js';

/** The precompile of subnet-evm that makes coins for an account (precompile/contracts/nativeminter): no frame shows this. */
const NATIVE_MINTER = '0x0200000000000000000000000000000000000001';
/** `mintNativeCoin(address,uint256)`. */
const MINT = '0x4f5aaaba';
/** `NativeCoinMinted(address,address,uint256)`, by whom and for whom; logged since Durango. */
const MINTED = '0x400cd392f3d56fd10bb1dbd5839fdda8298208ddaa97b368faa053e1850930ee';

/** Digits of a word of the ABI. */
const WORD = 64;

/** What a block's header must have for a log of the minter, by groups. */
export const mintedBits = [[bloomBits(MINTED)], [bloomBits(NATIVE_MINTER)]];

/** For whom a call makes coins, if it does not fail: none for another call. @param input 0x and digits, of any case */
export function mintedFor(to: string, input: unknown): string[] {
  if (to !== NATIVE_MINTER || typeof input !== 'string') return [];
  const call = input.toLowerCase();
  const end = MINT.length + WORD;
  return call.startsWith(MINT) && call.length >= end ? [`0x${call.slice(end - 40, end)}`] : [];
}

/** For whom a log says that coins were made. */
export const mintedIn = ({ address, topics: [event, , recipient] }: EvmLog): string[] =>
  address === NATIVE_MINTER && event === MINTED && recipient !== undefined
    ? [`0x${recipient.slice(-40)}`]
    : [];
