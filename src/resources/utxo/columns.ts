import { parseBlockchainId } from '../../avalanche/identity.js';
import { chainName, primaryChains } from '../../avalanche/networks.js';
import type { Network, PrimaryChain } from '../../avalanche/networks.js';
import { columnOf } from '../../fields/column.js';
import { LONGEST_OUTPUT, MOST_OWNERS } from '../../rows/bounds.js';
import {
  asAddress,
  asBoolean,
  asDigits,
  asId,
  asList,
  asTextOf,
  asWhole,
  ifGiven,
  UINT32_MAX,
  UINT64_MAX,
  wrong,
} from '../../rows/check.js';

/** The chain stores it in 32 bits. */
export const asIndex = asWhole(UINT32_MAX);
/**
 * The id of an output. Whether it is the right one is checked against its transaction and index: see
 * import-proof.ts.
 */
export const asUtxoId = (value: unknown, name: string): string =>
  typeof value === 'string' ? value : asId(value, name);

/** The end of a lock. The chain accepts any number, and has outputs that are locked for ever. */
export const asLocktime = asWhole(UINT64_MAX);
const asBlock = asDigits(UINT64_MAX);

/** A block number; an absent or empty one is unknown. */
export function asBlockNumber(value: unknown, name: string): string | null {
  return value === '' ? null : ifGiven(asBlock, value, name);
}

/**
 * The number of a block as it is stored: null for the "0" that REST prints if it is unknown. Block 0 of the
 * P-chain is its genesis, which has a time; in those of the X-chain and the C-chain no output was created or
 * spent.
 *
 * @param seconds the time of the block, if the row has it
 */
export function knownBlock(
  number: string | null,
  chain: PrimaryChain,
  seconds: string | null,
): string | null {
  if (number !== '0') return number;
  return chain === 'p' && seconds !== '0' ? number : null;
}

export function asChain(value: unknown, name: string, network: Network): PrimaryChain {
  const chain = typeof value === 'string' ? parseBlockchainId(network, value) : null;
  if (chain) return chain;
  throw wrong(name, value, `the id of ${primaryChains.map(chainName).join(', ')} of ${network}`);
}

/** The text of an array, `{a,b}`; addresses need no quotes in it. */
export function asOwners(value: unknown, name: string, network: Network): string {
  return `{${asList(asAddress(network), MOST_OWNERS)(value, name).join(',')}}`;
}

export function asFlag(value: unknown, name: string): 'true' | 'false' {
  return asBoolean(value, name) ? 'true' : 'false';
}

const asOutput = asTextOf(LONGEST_OUTPUT);

export function asBytes(value: unknown, name: string): string {
  const text = asOutput(value, name);
  if (/^0x(?:[0-9a-f]{2})*$/i.test(text)) return `\\x${text.slice(2).toLowerCase()}`;
  throw wrong(name, value, 'bytes in hex with 0x');
}

/** A column of `utxo u` that an import fills. */
export const u = <const Name extends string, T>(
  name: Name,
  type: string,
  read: (value: unknown, name: string, network: Network) => T,
) => columnOf('u', name, type, read);
/** The consumer is not shown while the output is staked. */
export const spent = (column: string) => ({ shown: `CASE WHEN u.staked THEN NULL ELSE u.${column} END` });
