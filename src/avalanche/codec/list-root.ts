import { keccakOf, numberBytes, rlpBytes, rlpList } from './rlp.js';

/** A value of the tree, and its key: digits of four bits. */
interface Entry {
  readonly key: string;
  readonly value: string;
}

const EMPTY = rlpBytes('');
/** A node of fewer bytes stands in the node above it, instead of its hash. */
const HASH_BYTES = 32;
const branches = [...'0123456789abcdef'];

/**
 * The root of Ethereum's tree of a list, as headers have it of transactions and receipts: the key of an item
 * is the RLP of its index (Ethereum yellow paper, appendix D).
 *
 * @param values the encoded items (rlp.ts)
 * @returns 0x and 64 digits in lower case
 */
export function listRoot(values: readonly string[]): string {
  const entries = values.map((value, index) => ({ key: rlpBytes(numberBytes(BigInt(index))), value }));
  return `0x${keccakOf(nodeOf(entries, 0))}`;
}

/** The node of entries whose keys are the same up to `depth`. No key of a list begins with another one. */
function nodeOf(entries: readonly Entry[], depth: number): string {
  const [first] = entries;
  if (!first) return EMPTY;
  if (entries.length === 1) return rlpList([pathOf(first.key.slice(depth), true), rlpBytes(first.value)]);
  let end = depth;
  while (entries.every(({ key }) => key[end] === first.key[end])) end += 1;
  if (end > depth)
    return rlpList([pathOf(first.key.slice(depth, end), false), childOf(nodeOf(entries, end))]);
  const children = branches.map((digit) => {
    const below = entries.filter(({ key }) => key[depth] === digit);
    return below.length === 0 ? EMPTY : childOf(nodeOf(below, depth + 1));
  });
  return rlpList([...children, EMPTY]);
}

const childOf = (node: string) => (node.length < 2 * HASH_BYTES ? node : rlpBytes(keccakOf(node)));

/** Digits as bytes, behind a flag that says whether they end a key and whether their number is odd. */
function pathOf(digits: string, isEnd: boolean): string {
  const isOdd = digits.length % 2;
  const flag = (isEnd ? 2 : 0) + isOdd;
  return rlpBytes(`${flag}${isOdd ? '' : '0'}${digits}`);
}
