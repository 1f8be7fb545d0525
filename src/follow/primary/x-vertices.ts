import type { Vertex } from '../../avalanche/codec/types.js';
import { decodeVertex } from '../../avalanche/codec/vertex.js';
import { vertexRows } from '../../resources/vertex/import.js';
import type { PrimaryScope } from '../../write/scope.js';
import type { Nodes } from '../node/nodes.js';
import type { Digest, DigestContext } from '../pipeline.js';
import type { IndexAgreement } from './index-agreement.js';
import type { PrimaryNetwork } from './network.js';
import { IndexPipeline, type Indexed } from './index-pipeline.js';
import type { Row } from './rows.js';
import { STOP_VERTEX_VERSION, VertexOrder } from './vertex-order.js';

interface VerticesDeps {
  readonly nodes: Nodes;
  readonly network: PrimaryNetwork;
  readonly agreement: IndexAgreement;
}

/** The vertices of the X-chain's DAG, with the ids of their transactions, from the index of a node. */
export class XVerticesPipeline extends IndexPipeline<Vertex, VerticesDeps> {
  readonly name = 'x-vertices';
  protected readonly index = 'X/vtx';
  protected readonly decode = decodeVertex;
  private readonly order = new VertexOrder(this.deps);

  async digest(items: readonly Indexed<Vertex>[], context: DigestContext): Promise<Digest> {
    const { network, cortinaTime } = this.deps.network;
    const memo = await this.boundTo(items, context);
    await this.order.check(items, context.reader, context.signal);
    const scope: PrimaryScope = { network, chain: 'x' };
    const rows = items.map((each) => rowOf(each, cortinaTime));
    return { rows: [{ kind: vertexRows, scope, rows }], memo };
  }

  atHead(): Promise<void> {
    return this.deps.agreement.check();
  }

  override forget(): void {
    this.order.forget();
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
 * Unix seconds; 0 where it is not known. A container has the time at which this node accepted it: that of a
 * node that bootstrapped later says nothing. The stop vertex is Cortina's.
 */
function timeOf({ version }: Vertex, accepted: string, cortinaTime: number): number {
  if (version === STOP_VERTEX_VERSION) return cortinaTime;
  const seconds = Math.floor(Date.parse(accepted) / 1000);
  return seconds > 0 && seconds < cortinaTime ? seconds : 0;
}
