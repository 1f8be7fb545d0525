import type { Container, IndexName, CallOptions } from '../node/apis.js';
import { contradiction, NodeError } from '../node/error.js';
import type { Nodes } from '../node/nodes.js';
import { NodePipeline } from '../node-pipeline.js';
import type { Block, DigestContext, Memo } from '../pipeline.js';
import { decodedSize, proved } from '../node/proof.js';

/** The content of a container. Its height is its index in the node's index. */
export interface Indexed<T> extends Block {
  readonly item: T;
  readonly container: Container;
}

/** Most containers of an answer. */
const INDEX_STRIDE = 512;

/**
 * A pipeline of an index of the X-chain's DAG, from a node that runs with --index-enabled.
 *
 * It has another order on every node, so the watermark is worth something at one node only, whose id the memo
 * keeps. The DAG ended with Cortina: what is stored to the end is complete, whatever node is asked later.
 */
export abstract class IndexPipeline<
  T extends { readonly id: string },
  P extends { readonly nodes: Nodes },
> extends NodePipeline<Indexed<T>, P> {
  readonly stride = INDEX_STRIDE;
  protected readonly source = { height: (options: CallOptions) => this.newest(options) };
  protected abstract readonly index: IndexName;
  protected abstract readonly decode: (bytes: Uint8Array) => T;

  /** Containers from an index on, each proved by its own bytes. @throws NodeError */
  async fetch(from: bigint, count: number, signal: AbortSignal): Promise<Indexed<T>[]> {
    const most = Math.min(count, INDEX_STRIDE);
    const read = (containers: readonly Container[]) =>
      containers.map((container, index) => this.read(container, from + BigInt(index)));
    const { value, endpoint } = await this.deps.nodes.index.range(this.index, from, most, { signal, read });
    return value.map(({ item, container }) => ({
      height: container.index,
      // Indexes, since the ids of neighbours differ between nodes; the content at an index is proved by its
      // own bytes.
      id: container.index.toString(),
      parent: (container.index - 1n).toString(),
      size: decodedSize(container.bytes),
      time: null,
      mayEndBatch: true,
      source: endpoint,
      item,
      container,
    }));
  }

  /** Each node has another order. */
  protected idsAt(): Promise<[]> {
    return Promise.resolve([]);
  }

  /**
   * The memo that binds the stream to its node.
   *
   * @throws NodeError when another node is asked
   */
  protected async boundTo(
    items: readonly Pick<Block, 'source'>[],
    { memo, signal }: DigestContext,
  ): Promise<Memo> {
    const nodeIds = await this.deps.nodes.info.nodeIds({ signal });
    const sources = [...new Set(items.map(({ source }) => source))];
    const silent = sources.find((source) => !nodeIds.has(source));
    if (silent !== undefined)
      throw contradiction(`${silent} gave blocks of ${this.name}, and does not say its id now`, silent);
    const nodeId = memo?.['nodeId'] ?? nodeIds.get(sources[0]!)!;
    const other = sources.find((source) => nodeIds.get(source) !== nodeId);
    if (other !== undefined)
      throw contradiction(
        `${this.name} was begun with the node ${String(nodeId)}, and ${other} has its index in another order: follow ${String(nodeId)} alone until ${this.name} is complete`,
        other,
      );
    return { nodeId };
  }

  /** The last index; -1 for an empty index of a node that has bootstrapped. @throws NodeError */
  private async newest(options: CallOptions): Promise<bigint> {
    const { index, info } = this.deps.nodes;
    const newest = await index.lastAccepted(this.index, options);
    if (newest !== null) return newest.value.index;
    // A node that bootstraps gives the same answer as one whose network never had a DAG.
    if (await info.isBootstrapped('X', options)) return -1n;
    throw new NodeError(
      'wait',
      'bootstrapping',
      'the X-chain is still bootstrapping, and its index is empty',
      null,
    );
  }

  /** The container at a position. */
  private read(container: Container, position: bigint) {
    const { index, id } = container;
    const what = `container ${index} of ${this.index}`;
    return proved(
      what,
      () => ({ item: this.decode(container.bytes), container }),
      ({ item: { id: given } }) => {
        if (index !== position) return `${what} is not ${position}`;
        return given === id ? null : `${what} is ${given}, not ${id}`;
      },
    );
  }
}
