import { createHash } from 'node:crypto';
import { encodeCb58 } from '../../src/avalanche/cb58.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { callsOf, checkedBytes, idsOf } from '../avalanche/codec/recorded.js';
import type { RecordedNetwork } from './recorded-node.js';

/** A block as the node and its bytes say it. */
export interface RecordedBlock {
  readonly number: string;
  readonly hash: string;
  /** Null of block 0. */
  readonly parentHash: string | null;
  readonly blockType: string;
  /** Null where the bytes have none: before Banff. */
  readonly timestamp: number | null;
  readonly sizeBytes: number;
  readonly txCount: number;
}

/** By the type in the bytes; of the P-chain those of Banff begin at 29. */
const types = ['proposal', 'abort', 'commit', 'standard', 'atomic'];
const FIRST_BANFF = 29;

const idOf = (bytes: Uint8Array) => encodeCb58(createHash('sha256').update(bytes).digest());

/** The blocks of a recording's P- or X-chain, from 0 on. */
export function recordedBlocks(network: RecordedNetwork, chain: 'p' | 'x'): RecordedBlock[] {
  const known = idsOf(network)[chain === 'p' ? 'P' : 'X'];
  const all = callsOf(network, chain)
    .filter(({ method }) => method.endsWith('.getBlockByHeight'))
    .map(({ args, result }) => [Number(args['height']), Buffer.from(checkedBytes(result['block']))] as const);
  return [...new Map(all)]
    .sort(([one], [other]) => one - other)
    .map(([height, bytes]) => {
      const [hash, type, transactions] = known[height]!;
      const isBanff = type >= FIRST_BANFF;
      const typeName = chain === 'x' ? 'standard' : types[isBanff ? type - FIRST_BANFF : type];
      // After version and type; of the X-chain after parent and height too.
      const time = chain === 'x' ? 46 : isBanff ? 6 : null;
      return {
        number: String(height),
        hash,
        parentHash: known[height - 1]?.[0] ?? null,
        blockType: typeName ?? '?',
        timestamp: time === null ? null : Number(bytes.readBigUInt64BE(time)),
        sizeBytes: bytes.length,
        txCount: transactions.length,
      };
    });
}

/** The certificates with which blocks are signed, by the hashes of these, as the node's index has them. */
export function recordedCertificates(network: RecordedNetwork, chain: 'p' | 'x' | 'c'): Map<string, Buffer> {
  const { P, X } = idsOf(network);
  const bare = new Set([...P, ...X].map(([hash]) => hash));
  const found = new Map<string, Buffer>();
  for (const { method, path, result } of callsOf(network, 'index')) {
    if (method !== 'index.getContainerRange' || path !== `/ext/index/${chain.toUpperCase()}/block`) continue;
    for (const container of result['containers'] as readonly { bytes: string }[]) {
      const bytes = Buffer.from(checkedBytes(container.bytes));
      // Version, type (0, since Granite 2), parent, time, P-chain height, certificate, the chain's own block.
      // Before Apricot 4 it is the chain's own block alone.
      if (bare.has(idOf(bytes)) || ![0, 2].includes(bytes.readUInt32BE(2))) continue;
      const after = 58 + bytes.readUInt32BE(54);
      const inner = bytes.subarray(after + 4, after + 4 + bytes.readUInt32BE(after));
      const id = chain === 'c' ? hashOfHeader(inner) : idOf(inner);
      if (after > 58) found.set(id, bytes.subarray(58, after));
    }
  }
  return found;
}

/** Of a block in RLP: both heads have two bytes for the length of what follows. */
function hashOfHeader(block: Buffer): string {
  if (block[0] !== 0xf9 || block[3] !== 0xf9) throw new Error('a block of another length');
  return `0x${Buffer.from(keccak_256(block.subarray(3, 6 + block.readUInt16BE(4)))).toString('hex')}`;
}
