import type { Hex } from 'viem';
import { isId } from '../cb58.js';
import { parseEvmAddress } from '../evm.js';
import { right, wrong, type Read } from './read.js';

export function readToken(text: string): Read | null {
  const [, contract = '', tokenId] = /^(0x[0-9a-f]{40}) ?: ?(\d+)$/i.exec(text) ?? [];
  const address = parseEvmAddress(lowPrefix(contract));
  if (!address || tokenId === undefined) return null;
  if (tokenId.length > 78 || BigInt(tokenId) >= 2n ** 256n)
    return wrong('The id of a token is at most 2^256-1, and this one is larger.');
  const token = { is: 'token', address, tokenId: String(BigInt(tokenId)) } as const;
  return { form: token, problem: capitalsOf(contract, address) };
}

/** Hexadecimal digits: with 0x of any number, without it as many as an address or a hash has. */
export function readHex(text: string): Read | null {
  const [, prefix, digits = ''] = /^(0x)?([^]*)$/i.exec(text) ?? [];
  const isHex = /^[0-9a-f]*$/i.test(digits);
  if (prefix === undefined && !(isHex && (digits.length === 64 || (digits.length === 40 && !isId(digits)))))
    return null;
  if (!isHex) return wrong('This begins with 0x, but has characters that are no hexadecimal digits.');
  if (digits.length === 64) return right({ is: 'evmHash', hash: `0x${digits.toLowerCase()}` });
  const address = parseEvmAddress(`0x${digits}`);
  if (address) return { form: { is: 'evmAddress', address }, problem: capitalsOf(digits, address) };
  return wrong(
    `This has ${digits.length} hexadecimal digits; an EVM address has 40, and a hash or the id of a message 64.`,
  );
}

const lowPrefix = (hex: string) => hex.replace(/^0X/, '0x');

/** What capitals of an EVM address say: both kinds of letters are a checksum (EIP-55). */
function capitalsOf(given: string, address: Hex): string | null {
  const digits = given.replace(/^0x/i, '');
  const isMixed = /[a-f]/.test(digits) && /[A-F]/.test(digits);
  if (!isMixed || address.endsWith(digits)) return null;
  return 'The capitals of this EVM address are not those of its checksum (EIP-55): a digit may be wrong.';
}
