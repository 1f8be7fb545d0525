import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js';
import { decodeCb58 } from './cb58.js';
import { keccak256 } from './keccak.js';

/** What a messenger contract identifies a message by. */
export interface IcmMessageName {
  /** Address of the messenger contract, hex with 0x. */
  contract: string;
  /** Blockchain ids, CB58. */
  source: string;
  destination: string;
  /** Decimal digits. */
  nonce: string;
}

/**
 * The id of an interchain message, hex without 0x: keccak256 of the ABI encoding of contract, source,
 * destination and nonce, four words of 32 bytes.
 */
export function icmMessageId({ contract, source, destination, nonce }: IcmMessageName): string {
  const word = (digits: string) => hexToBytes(digits.padStart(64, '0'));
  const chain = (id: string) => decodeCb58(id) ?? new Uint8Array(32);
  const words = [
    word(contract.slice(2)),
    chain(source),
    chain(destination),
    word(BigInt(nonce).toString(16)),
  ];
  return bytesToHex(keccak256(concatBytes(...words)));
}
