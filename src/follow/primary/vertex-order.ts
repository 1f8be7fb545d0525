import { decodeXBlock } from '../../avalanche/codec/block.js';
import type { Vertex } from '../../avalanche/codec/types.js';
import { pipelineTable } from '../../state/following.js';
import type { Reader } from '../../storage/reader.js';
import type { Statement } from '../../storage/statement.js';
import { NodeError } from '../node/error.js';
import { isEnd } from '../node/in-order.js';
import type { Nodes } from '../node/nodes.js';
import type { PrimaryNetwork } from './network.js';
import type { Indexed } from './index-pipeline.js';
import { blockReader } from '../node/proof.js';

/** The codec version of the stop vertex, the last one of the DAG: it has no transactions. */
export const STOP_VERTEX_VERSION = 1;

const storedVertices: Statement = {
  name: 'follow.vertices',
  text: `SELECT vertex_hash AS id, index::text FROM vertex WHERE network = $1::network AND vertex_hash = ANY($2::text[])`,
};
const begun: Statement = {
  name: 'follow.vertices_begun',
  text: `SELECT FROM ${pipelineTable.name} WHERE network = $1::network AND name = 'x-vertices' AND first_height = 0`,
};
/**
 * Positions that only one stored vertex has. A vertex of a file has its position on another node; where two
 * share a position, this stream stored the other one.
 */
const alone: Statement = {
  name: 'follow.vertices_alone',
  text: `SELECT index::text FROM vertex WHERE network = $1::network AND index = ANY($2::bigint[])
    GROUP BY index HAVING count(*) = 1`,
};

interface StoredVertex {
  readonly id: string;
  readonly index: string;
}

/**
 * Proves what can be known of the order of an index: no vertex twice, each after its parents, the stop vertex
 * as X's blocks name it.
 */
export class VertexOrder {
  /** Of the batch before, whose rows may not be stored yet. */
  private written: ReadonlySet<string> = new Set();

  constructor(private readonly deps: { readonly nodes: Nodes; readonly network: PrimaryNetwork }) {}

  /** What was noted may not be written. */
  forget(): void {
    this.written = new Set();
  }

  /** @param items consecutive ones, after all that were checked before @throws NodeError */
  async check(items: readonly Indexed<Vertex>[], reader: Reader, signal: AbortSignal): Promise<void> {
    const parents = items.flatMap(({ item }) => item.parents);
    const ids = items.map(({ item }) => item.id);
    const stored = await this.stored([...new Set([...parents, ...ids])], reader);
    const twice = await this.twice(items, stored, reader);
    const known = new Set([...this.written, ...stored.map(({ id }) => id)]);
    const seen = new Set<string>(this.written);
    for (const { item, container, source } of items) {
      const what = `${source}: vertex ${item.id} at ${container.index} of its index`;
      if (seen.has(item.id) || twice.has(item.id)) this.refuse(source, `${what} was there before`);
      const parent = item.parents.find((each) => !known.has(each) && !seen.has(each));
      if (parent !== undefined && (await this.isWhole(reader)))
        this.refuse(source, `${what} comes before its parent ${parent}`);
      if (item.version === STOP_VERTEX_VERSION) {
        const named = await this.stopVertex(signal);
        if (named !== null && named !== item.id)
          this.refuse(source, `${what} ends the DAG, and block 0 of the X-chain names ${named} as its end`);
      }
      seen.add(item.id);
    }
    this.written = new Set(ids);
  }

  /** @throws NodeError: an index may have a hole that its node fills */
  private refuse(source: string, fault: string): never {
    this.deps.nodes.setAside(source, fault);
    throw new NodeError('elsewhere', 'wrong', fault, source);
  }

  private stored(ids: readonly string[], reader: Reader): Promise<StoredVertex[]> {
    return reader.read<StoredVertex>(storedVertices, [this.deps.network.network, ids]);
  }

  /** Whether it was begun at the first vertex: parents from before another one are not stored. */
  private async isWhole(reader: Reader): Promise<boolean> {
    return (await reader.read(begun, [this.deps.network.network])).length > 0;
  }

  /** Those that this stream has stored at an earlier place. */
  private async twice(
    items: readonly Indexed<Vertex>[],
    stored: readonly StoredVertex[],
    reader: Reader,
  ): Promise<ReadonlySet<string>> {
    const first = items[0]!.container.index;
    const ids = new Set(items.map(({ item }) => item.id));
    const earlier = stored.filter(({ id, index }) => ids.has(id) && BigInt(index) < first);
    if (earlier.length === 0) return new Set();
    const positions = earlier.map(({ index }) => index);
    const rows = await reader.read<{ index: string }>(alone, [this.deps.network.network, positions]);
    const own = new Set(rows.map(({ index }) => index));
    return new Set(earlier.filter(({ index }) => own.has(index)).map(({ id }) => id));
  }

  /** The parent of X's first block; null while no node has it. */
  private async stopVertex(signal: AbortSignal): Promise<string | null> {
    try {
      const read = blockReader(decodeXBlock);
      return (await this.deps.nodes.avm.blockByHeight(0n, { signal, read })).value.parent;
    } catch (error) {
      if (isEnd(error)) return null;
      throw error;
    }
  }
}
