import { identityOf } from '../identity.js';
import { networks, type Network } from '../networks.js';

/** Fewest characters of the beginning of an id, `NodeID-`, `0x` and the like among them. */
export const SHORTEST = 8;
/** Longest id, characters: a hash in hex. */
const LONGEST_ID = 66;

/**
 * A text as the beginning of ids, and their end where the middle is left out as explorers do: the characters
 * that an id begins and ends with, as replies write it.
 */
export type Beginning = { start: string; end: string } & (
  | { of: 'id' | 'node' | 'hex' }
  /** In bech32: the beginning says of which network. */
  | { of: 'address'; network: Network }
);

/** What ids a text may be the beginning of; none if it is too short. */
export function beginningsOf(text: string): Beginning[] {
  if (text.length > LONGEST_ID + '...'.length) return [];
  const [, given = '', end = ''] = /^([^.…]*)(?:…|\.{2,3})?([^.…]*)$/.exec(text.replaceAll(' ', '')) ?? [];
  if (given.length < SHORTEST) return [];
  return readers.flatMap((read) => read(given, end) ?? []);
}

const base58 = /^[1-9A-HJ-NP-Za-km-z]*$/;
const hexDigits = /^[0-9a-f]*$/i;

const readers: readonly ((start: string, end: string) => Beginning | Beginning[] | null)[] = [
  (start, end) => {
    const [, digits = start] = /^0x(.*)$/i.exec(start) ?? [];
    if (!hexDigits.test(digits) || !hexDigits.test(end)) return null;
    return { of: 'hex', start: digits.toLowerCase(), end: end.toLowerCase() };
  },
  (start, end) => {
    const [, id] = /^nodeid-(.*)$/i.exec(start) ?? [];
    if (!base58.test(id ?? start) || !base58.test(end)) return null;
    const node = { of: 'node', start: `NodeID-${id ?? start}`, end } as const;
    return id === undefined ? [{ of: 'id', start, end }, node] : node;
  },
  (start, end) => {
    const [, bare = ''] = /^(?:[pxc]-)?([a-z]{1,20}1[02-9ac-hj-np-z]*)$/i.exec(start) ?? [];
    const small = bare.toLowerCase();
    const network = networks.find((each) => small.startsWith(`${identityOf(each).hrp}1`));
    if (!network || !/^[02-9ac-hj-np-z]*$/i.test(end)) return null;
    return { of: 'address', network, start: small, end: end.toLowerCase() };
  },
];
