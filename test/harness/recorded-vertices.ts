import { createHash } from 'node:crypto';
import { encodeCb58 } from '../../src/avalanche/cb58.js';
import { callsOf, checkedBytes, jsonOf } from '../avalanche/codec/recorded.js';
import type { RecordedNetwork } from './recorded-node.js';

interface Container {
  readonly id: string;
  readonly bytes: string;
  readonly index: string;
}

/**
 * The vertices of a recording as REST shows them, in the order of the node's index: read by offsets, and the
 * transactions by where the index of transactions has their bytes.
 */
export function verticesOf(network: RecordedNetwork): object[] {
  const calls = callsOf(network, 'index').filter(({ method }) => method === 'index.getContainerRange');
  const containers = (index: string) => {
    const all = calls
      .filter(({ path }) => path === `/ext/index/${index}`)
      .flatMap(
        ({ result }) => (result as { containers?: readonly Container[] } | undefined)?.containers ?? [],
      );
    return [...new Map(all.map((each) => [each.index, each])).values()];
  };
  const known = containers('X/tx').map(({ id, bytes }) => ({ id, bytes: Buffer.from(checkedBytes(bytes)) }));
  const { cortinaTime } = jsonOf(network, 'upgrade.json') as { cortinaTime: string };
  return containers('X/vtx')
    .sort((one, other) => Number(one.index) - Number(other.index))
    .map((container) => vertexOf(container, known, Date.parse(cortinaTime) / 1000));
}

function vertexOf(
  { id, bytes: hex, index }: Container,
  known: readonly { id: string; bytes: Buffer }[],
  cortina: number,
): object {
  const bytes = Buffer.from(checkedBytes(hex));
  expectId(id, bytes);
  const isStop = bytes.readUInt16BE(0) === 1;
  // Version, chain id, height, and an epoch that the stop vertex has not.
  const list = isStop ? 42 : 46;
  const parents = Array.from({ length: bytes.readUInt32BE(list) }, (_, index) =>
    encodeCb58(bytes.subarray(list + 4 + 32 * index, list + 36 + 32 * index)),
  );
  const after = bytes.subarray(list + 4 + 32 * parents.length);
  const transactions = isStop
    ? []
    : known
        .map((each) => ({ ...each, at: after.indexOf(each.bytes) }))
        .filter(({ at }) => at >= 0)
        .sort((one, other) => one.at - other.at)
        .map((each) => each.id);
  return {
    vertexHash: id,
    parentHashes: parents,
    vertexHeight: Number(bytes.readBigUInt64BE(34)),
    vertexIndex: Number(index),
    // The recorded node bootstrapped after Cortina: its times say nothing.
    vertexTimestamp: isStop ? cortina : 0,
    txCount: transactions.length,
    transactions,
    vertexSizeBytes: bytes.length,
  };
}

function expectId(id: string, bytes: Buffer): void {
  const computed = encodeCb58(createHash('sha256').update(bytes).digest());
  if (computed !== id) throw new Error(`the recording has ${id} for bytes of ${computed}`);
}
