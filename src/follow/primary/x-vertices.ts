import type { Vertex } from '../../avalanche/codec/types.js';
import { decodeVertex } from '../../avalanche/codec/vertex.js';
import { vertexRows } from '../../resources/vertex/import.js';
import type { PrimaryScope } from '../../write/scope.js';
import type { Nodes } from '../node/nodes.js';
import type { Digest, DigestContext, Pipeline } from '../pipeline.js';
import type { IndexAgreement } from './index-agreement.js';
import type { PrimaryNetwork } from './network.js';
import { INDEX_STRIDE, NodeIndex, type Indexed } from './node-index.js';
import { setAside } from './proof.js';
import type { Row } from './rows.js';
import { STOP_VERTEX_VERSION, VertexOrder } from './vertex-order.js';

/** The vertices of the X-chain's DAG, with the ids of their transactions, from the index of a node. */
export class XVerticesPipeline implements Pipeline<Indexed<Vertex>> {
  readonly name = 'x-vertices';
  readonly stride = INDEX_STRIDE;
  private readonly index: NodeIndex<Vertex>;
  private readonly order: VertexOrder;

  constructor(
    private readonly parts: {
      readonly nodes: Nodes;
      readonly network: PrimaryNetwork;
      readonly agreement: IndexAgreement;
    },
  ) {
    this.index = new NodeIndex(parts.nodes, 'X/vtx', decodeVertex);
    this.order = new VertexOrder(parts);
  }

  head(signal: AbortSignal): Promise<bigint> {
    return this.index.head(signal);
  }

  fetch(from: bigint, count: number, signal: AbortSignal): Promise<Indexed<Vertex>[]> {
    return this.index.fetch(from, count, signal);
  }

  async digest(items: readonly Indexed<Vertex>[], { memo, reader, signal }: DigestContext): Promise<Digest> {
    const { network, cortinaTime } = this.parts.network;
    const bound = await this.index.boundTo(memo, this.name, signal);
    await this.order.check(items, reader, signal);
    const scope: PrimaryScope = { network, chain: 'x' };
    const rows = items.map((each) => rowOf(each, cortinaTime));
    return { rows: [{ kind: vertexRows, scope, rows }], memo: bound };
  }

  atHead(): Promise<void> {
    return this.parts.agreement.check();
  }

  forget(): void {
    this.order.forget();
  }

  setAside(source: string, reason: string): boolean {
    return setAside(this.parts.nodes, source, reason);
  }
}

function rowOf({ item, container }: Indexed<Vertex>, cortinaTime: number): Row {
  return {
    vertexHash: item.id,
    parentHashes: item.parents,
    vertexHeight: item.height,
    vertexIndex: container.index,
    vertexTimestamp: timeOf(item, container.timestamp, cortinaTime),
    txCount: item.transactions.length,
    transactions: item.transactions.map(({ id }) => id),
    vertexSizeBytes: item.bytes.length,
  };
}

/**
 * Unix seconds; 0 where it is not known. A container has the time at which this node accepted it: that of a node that
 * bootstrapped later says nothing. The stop vertex is Cortina's.
 */
function timeOf({ version }: Vertex, accepted: string, cortinaTime: number): number {
  if (version === STOP_VERTEX_VERSION) return cortinaTime;
  const seconds = Math.floor(Date.parse(accepted) / 1000);
  return seconds > 0 && seconds < cortinaTime ? seconds : 0;
}
