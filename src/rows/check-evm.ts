import { parseEvmAddress } from '../avalanche/evm.js';
import { asDigits, asText, wrong } from './check.js';

// A checksum costs 30 µs, and addresses repeat.
const MOST_REMEMBERED = 50_000;
const known = new Map<string, string>();

/** An EVM address of any case, as replies print it: with the checksum of EIP-55. */
export function asEvmAddress(value: unknown, name: string): string {
  const text = asText(value, name);
  const found = known.get(text);
  if (found !== undefined) return found;
  const address = parseEvmAddress(text);
  if (!address) throw wrong(name, value, 'an EVM address: 0x and 40 hexadecimal digits');
  if (known.size >= MOST_REMEMBERED) known.clear();
  known.set(text, address);
  return address;
}

/** 32 bytes in hex with 0x, in lower case. */
export function asHash(value: unknown, name: string): string {
  const text = asText(value, name).toLowerCase();
  if (/^0x[0-9a-f]{64}$/.test(text)) return text;
  throw wrong(name, value, '32 bytes in hex with 0x');
}

/** A string of decimal digits, 0 to 2^256-1. */
export const asUint256 = asDigits(2n ** 256n - 1n);
