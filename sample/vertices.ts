import type { TransactionLine } from '../src/resources/transaction/import-row.js';
import type { VertexLine } from '../src/resources/vertex/import.js';
import { idOf } from './ids.js';
import { seededRandom } from './random.js';

const BASE_BYTES = 120;

/**
 * The vertices with the X-chain's transactions before its linearisation. A transaction that was issued twice
 * is in two of them.
 *
 * @param transactions those without a block, in order
 */
export function makeVertices(transactions: readonly TransactionLine[]): VertexLine[] {
  const random = seededRandom('vertices');
  const vertices: VertexLine[] = [];
  for (let index = 0; index < transactions.length;) {
    const first = transactions[index++];
    if (!first) break;
    const held = [first];
    const second = transactions[index];
    if (second?.blockTimestamp === first.blockTimestamp || (second && random.chance(0.06))) {
      held.push(second);
      index++;
    }
    const again = transactions[index - 4];
    if (again && !held.includes(again) && random.chance(0.04)) held.unshift(again);
    vertices.push(vertexOf(held, parentsOf(vertices, random.int(1, 3)), vertices.length));
  }
  return vertices;
}

function parentsOf(vertices: readonly VertexLine[], count: number): VertexLine[] {
  return vertices.slice(-count);
}

function vertexOf(
  held: readonly TransactionLine[],
  parents: readonly VertexLine[],
  serial: number,
): VertexLine {
  return {
    vertexHash: idOf(`vertex ${serial}`),
    parentHashes: parents.map(({ vertexHash }) => vertexHash).sort(),
    vertexHeight: 1 + Math.max(-1, ...parents.map(({ vertexHeight }) => Number(vertexHeight))),
    vertexIndex: 0,
    vertexTimestamp: Math.max(...held.map(({ blockTimestamp }) => Number(blockTimestamp))),
    txCount: held.length,
    transactions: held.map(({ txHash }) => txHash),
    vertexSizeBytes: held.reduce((size, transaction) => size + sizeOf(transaction), BASE_BYTES),
  };
}

/** The encoded size of a transaction, about. */
export function sizeOf({ consumedUtxos, emittedUtxos }: TransactionLine): number {
  return 90 + 140 * consumedUtxos.length + 90 * emittedUtxos.length;
}
