import { keccak_256 } from '@noble/hashes/sha3.js';
import { toHex } from '../hex.js';
import { numberBytes, rlpBytes, rlpList } from './rlp.js';
import { concat } from './writer.js';

/** A value of the tree, and what is left of its key: digits of four bits. */
interface Entry {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

const EMPTY = rlpBytes(new Uint8Array(0));
/** A node of fewer bytes stands in the node above it, instead of its hash. */
const HASH_BYTES = 32;

/**
 * The root of Ethereum's tree of a list, as headers have it of transactions and receipts: the key of an item
 * is the RLP of its * index (Ethereum yellow paper, appendix D).
 *
 * @param values the encoded items
 * @returns 0x and 64 digits in lower case
 */
export function listRoot(values: readonly Uint8Array[]): string {
  const entries = values.map((value, index) => ({
    key: digitsOf(rlpBytes(numberBytes(BigInt(index)))),
    value,
  }));
  return toHex(keccak_256(nodeOf(entries, 0)));
}

function digitsOf(bytes: Uint8Array): Uint8Array {
  const digits = new Uint8Array(2 * bytes.length);
  for (const [at, byte] of bytes.entries()) digits.set([byte >> 4, byte & 15], 2 * at);
  return digits;
}

/** The node of entries whose keys are the same up to `depth`. No key of a list begins with another one. */
function nodeOf(entries: readonly Entry[], depth: number): Uint8Array {
  const [first] = entries;
  if (!first) return EMPTY;
  if (entries.length === 1) return rlpList([pathOf(first.key.subarray(depth), true), rlpBytes(first.value)]);
  let end = depth;
  while (entries.every(({ key }) => key[end] === first.key[end])) end += 1;
  if (end > depth)
    return rlpList([pathOf(first.key.subarray(depth, end), false), childOf(nodeOf(entries, end))]);
  const children = Array.from({ length: 16 }, (_, digit) => {
    const below = entries.filter(({ key }) => key[depth] === digit);
    return below.length === 0 ? EMPTY : childOf(nodeOf(below, depth + 1));
  });
  return rlpList([...children, EMPTY]);
}

const childOf = (node: Uint8Array) => (node.length < HASH_BYTES ? node : rlpBytes(keccak_256(node)));

/** Digits as bytes, behind a flag that says whether they end a key and whether their number is odd. */
function pathOf(digits: Uint8Array, isEnd: boolean): Uint8Array {
  const isOdd = digits.length % 2;
  const flag = (isEnd ? 2 : 0) + isOdd;
  const all = concat([isOdd ? Uint8Array.of(flag) : Uint8Array.of(flag, 0), digits]);
  return rlpBytes(
    Uint8Array.from({ length: all.length / 2 }, (_, at) => (all[2 * at]! << 4) | all[2 * at + 1]!),
  );
}
