import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { encodeCb58 } from '../../src/avalanche/cb58.js';
import { recordedFile, type RecordedNetwork } from './recorded-node.js';

interface Container {
  readonly id: string;
  readonly bytes: string;
  readonly index: string;
}

interface Line {
  readonly p: string;
  readonly m: string;
  readonly r?: { readonly containers?: readonly Container[] };
}

/**
 * The vertices of a recording as REST shows them, in the order of the node's index: read by offsets, and the transactions by
 * where the index of transactions has their bytes.
 */
export function verticesOf(network: RecordedNetwork): object[] {
  const text = gunzipSync(readFileSync(recordedFile(network, 'index.jsonl.gz'))).toString();
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
  const containers = (index: string) => [
    ...new Map(
      lines
        .filter(({ p, m }) => p === `/ext/index/${index}` && m === 'index.getContainerRange')
        .flatMap(({ r }) => r?.containers ?? [])
        .map((each) => [each.index, each] as const),
    ).values(),
  ];
  const known = containers('X/tx').map(({ id, bytes }) => ({ id, bytes: bytesOf(bytes) }));
  const cortina = Date.parse(cortinaOf(network)) / 1000;
  return containers('X/vtx')
    .sort((one, other) => Number(one.index) - Number(other.index))
    .map((container) => vertexOf(container, known, cortina));
}

function cortinaOf(network: RecordedNetwork): string {
  const upgrades = JSON.parse(readFileSync(recordedFile(network, 'upgrade.json'), 'utf8')) as {
    cortinaTime: string;
  };
  return upgrades.cortinaTime;
}

/** Without 0x and the checksum of four bytes. */
const bytesOf = (hex: string) => Buffer.from(hex.slice(2), 'hex').subarray(0, -4);

function vertexOf(
  { id, bytes: hex, index }: Container,
  known: readonly { id: string; bytes: Buffer }[],
  cortina: number,
): object {
  const bytes = bytesOf(hex);
  expectId(id, bytes);
  const isStop = bytes.readUInt16BE(0) === 1;
  // Version, chain id, height, and an epoch that the stop vertex has not.
  const list = isStop ? 42 : 46;
  const parents = Array.from({ length: bytes.readUInt32BE(list) }, (_, place) =>
    encodeCb58(bytes.subarray(list + 4 + 32 * place, list + 36 + 32 * place)),
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
