import { decodeCb58, withoutChecksum } from '../../src/avalanche/cb58.js';
import { decodePBlock, decodeXBlock } from '../../src/avalanche/codec/block.js';
import { decodeXTransaction } from '../../src/avalanche/codec/x-transaction.js';
import type { Input, Produced, Transaction } from '../../src/avalanche/codec/types.js';
import { callsOf, checkedBytes } from '../avalanche/codec/recorded.js';
import { hexOf } from './node-client.js';
import type { RecordedNetwork } from './recorded-node.js';

/*
 * Blocks that a node invents: their bytes are well formed, and follow the block before them. The id of a
 * block is computed from its bytes, so that the next one contradicts it.
 */

/** The blocks of a recording's P- or X-chain by height. */
export function blocksOf<T>(
  network: RecordedNetwork,
  chain: 'p' | 'x',
  decode: (bytes: Uint8Array) => T,
): ReadonlyMap<number, T> {
  const calls = callsOf(network, chain).filter(({ method }) => method.endsWith('.getBlockByHeight'));
  const all = calls.map(
    ({ args, result }) => [Number(args['height']), decode(checkedBytes(result['block']))] as const,
  );
  return new Map(all.sort(([one], [other]) => one - other));
}

export const decoders = { p: decodePBlock, x: decodeXBlock } as const;

/** An answer of a node with other bytes of the same block; the checksum is theirs. */
export function withOtherBytes(result: unknown, member: string, change: (bytes: Buffer) => Buffer): object {
  const hex = String((result as Record<string, unknown>)[member]);
  const bytes = Buffer.from(withoutChecksum(Buffer.from(hex.slice(2), 'hex')));
  return { ...(result as object), [member]: hexOf(change(bytes)) };
}

const idBytes = (id: string) => Buffer.from(decodeCb58(id)!);
const u32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

/** The bytes with a part that occurs in them replaced. */
function replaced(bytes: Buffer, part: Buffer, change: (part: Buffer) => void): Buffer {
  const at = bytes.indexOf(part);
  if (at < 0) throw new Error('the block does not have these bytes');
  const other = Buffer.from(bytes);
  change(other.subarray(at));
  return other;
}

const inputBytes = ({ txId, outputIndex, assetId }: Input) =>
  Buffer.concat([idBytes(txId), u32(outputIndex), idBytes(assetId)]);

/** An input consumes an output that its transaction does not have. */
export const ofNoOutput = (bytes: Buffer, input: Input): Buffer =>
  replaced(bytes, inputBytes(input), (part) => part.writeUInt32BE(9999, 32));

/** An input says another amount than the output has. Its amount follows its asset and its type. */
export const ofOtherAmount = (bytes: Buffer, input: Input): Buffer =>
  replaced(bytes, inputBytes(input), (part) => part.writeBigUInt64BE(input.amount! + 1n, 32 + 4 + 32 + 4));

/** An output is of this asset. */
export const ofOtherAsset = (bytes: Buffer, { assetId, output }: Produced, other: string): Buffer => {
  const amount = Buffer.alloc(8);
  amount.writeBigUInt64BE(output.amount);
  const part = Buffer.concat([idBytes(assetId), u32(7), amount]);
  return replaced(bytes, part, (found) => idBytes(other).copy(found));
};

/** An export goes to a chain that is none of the network's. */
export const toOtherChain = (bytes: Buffer, destination: string): Buffer =>
  replaced(bytes, idBytes(destination), (part) => part.fill(7, 0, 32));

/** Types of Banff blocks: 30 aborts, 31 commits, 32 has transactions. */
const [ABORT, COMMIT, STANDARD] = [30, 31, 32];

/** The other decision of the proposal before it. */
export function decidedOtherwise(bytes: Buffer): Buffer {
  const other = Buffer.from(bytes);
  other.writeUInt32BE(bytes.readUInt32BE(2) === COMMIT ? ABORT : COMMIT, 2);
  return other;
}

/** A block without transactions at the place of the decision. */
export function undecided(bytes: Buffer): Buffer {
  const other = Buffer.concat([bytes, u32(0)]);
  other.writeUInt32BE(STANDARD, 2);
  return other;
}

/** An input that consumes what its own chain made, with an amount in the usual place. */
export const plainInputOf = ({ inputs }: Transaction): Input | undefined =>
  inputs.find(
    ({ role, amount, stakeableLocktime }) => role === 'own' && amount !== null && stakeableLocktime === null,
  );

/** An AdvanceTimeTx of before Banff names a later time: it follows the position and type of the block. */
export function advancedFurther(bytes: Buffer): Buffer {
  const other = Buffer.from(bytes);
  other.writeBigUInt64BE(bytes.readBigUInt64BE(50) + 777n, 50);
  return other;
}

/** The asset that a transaction makes, in a node's answer; null where it makes none. */
export function assetOf(result: unknown): { readonly name: string } | null {
  if (typeof result !== 'object' || result === null) return null;
  const transaction = decodeXTransaction(checkedBytes((result as { tx: string }).tx));
  return transaction.type === 'CreateAssetTx' ? transaction : null;
}

/** The asset has another name. */
export function renamed(bytes: Buffer): Buffer {
  const transaction = decodeXTransaction(bytes);
  if (transaction.type !== 'CreateAssetTx') throw new Error('it makes no asset');
  return replaced(bytes, Buffer.from(transaction.name), (found) => found.write('?'));
}
