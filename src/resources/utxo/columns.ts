import { chainName, parseBlockchainId, primaryChains } from '../../avalanche/networks.js';
import type { Network, PrimaryChain } from '../../avalanche/networks.js';
import { columnOf } from '../../fields/column.js';
import { LONGEST_OUTPUT, MOST_OWNERS } from '../../ingest/bounds.js';
import {
  asAddress,
  asBoolean,
  asDigits,
  asList,
  asTextOf,
  asWhole,
  INT64_MAX,
  ifGiven,
  UINT64_MAX,
  wrong,
} from '../../ingest/check.js';

export const asIndex = asWhole(INT64_MAX);
export const asLong = asWhole(UINT64_MAX);
const asBlock = asDigits(UINT64_MAX);

/** A block number; an absent or empty one is unknown. */
export function asBlockNumber(value: unknown, name: string): string | null {
  return value === '' ? null : ifGiven(asBlock, value, name);
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
/** What is said of the consumer is not shown while the output is staked. */
export const spent = (column: string) => ({ shown: `CASE WHEN u.staked THEN NULL ELSE u.${column} END` });
