import { PipelineStopped } from '../errors.js';
import type { Container, IndexName, Terms } from '../node/apis.js';
import { NodeError } from '../node/error.js';
import type { Nodes } from '../node/nodes.js';
import { NodePipeline } from '../node-pipeline.js';
import type { Block, DigestContext, Memo } from '../pipeline.js';
import { decodedSize, proved } from '../node/proof.js';

/** What a container of an index is. Its height is its place in the node's index. */
export interface Indexed<T> extends Block {
  readonly item: T;
  readonly container: Container;
}

/** Most containers of an answer. */
const INDEX_STRIDE = 512;

/**
 * A pipeline of an index of the X-chain's DAG, from a node that runs with --index-enabled.
 *
 * It has another order on every node, so the watermark is worth something at one node only, whose id the memo keeps. The DAG
 * ended with Cortina: what is stored to the end is complete, whatever node is asked later.
 */
export abstract class IndexPipeline<
  T extends { readonly id: string },
  P extends { readonly nodes: Nodes },
> extends NodePipeline<Indexed<T>, P> {
  readonly stride = INDEX_STRIDE;
  protected readonly source = { height: (terms: Terms) => this.newest(terms) };
  protected abstract readonly index: IndexName;
  protected abstract readonly decode: (bytes: Uint8Array) => T;

  /** Containers from a place on, each proved by its own bytes. @throws NodeError */
  async fetch(from: bigint, count: number, signal: AbortSignal): Promise<Indexed<T>[]> {
    const most = Math.min(count, INDEX_STRIDE);
    const read = (containers: readonly Container[]) =>
      containers.map((container, place) => this.read(container, from + BigInt(place)));
    const { value, endpoint } = await this.parts.nodes.index.range(this.index, from, most, { signal, read });
    return value.map(({ item, container }) => ({
      height: container.index,
      // Places, since the ids of neighbours differ between nodes; what a place holds is proved by its own bytes.
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

  /**
   * The memo that binds the stream to its node.
   *
   * @throws PipelineStopped when another node is asked
   */
  protected async boundTo({ memo, signal }: DigestContext): Promise<Memo> {
    const nodeId = await this.parts.nodes.info.nodeId({ signal });
    const begunAt = memo?.['nodeId'] ?? nodeId;
    if (begunAt !== nodeId)
      throw new PipelineStopped(
        `${this.name} was begun with the node ${String(begunAt)}, and ${nodeId} has its index in another order: follow ${String(begunAt)} until ${this.name} is complete`,
      );
    return { nodeId };
  }

  /** The last place; -1 for an empty index of a node that has bootstrapped. @throws NodeError */
  private async newest(terms: Terms): Promise<bigint> {
    const { index, info } = this.parts.nodes;
    const newest = await index.lastAccepted(this.index, terms);
    if (newest !== null) return newest.value.index;
    // The same is said by a node that bootstraps and by one whose network never had a DAG.
    if (await info.isBootstrapped('X', terms)) return -1n;
    throw new NodeError(
      'wait',
      'bootstrapping',
      'the X-chain is still bootstrapping, and its index is empty',
      null,
    );
  }

  /** The container of a place. */
  private read(container: Container, place: bigint) {
    const { index, id } = container;
    const what = `container ${index} of ${this.index}`;
    return proved(
      what,
      () => ({ item: this.decode(container.bytes), container }),
      ({ item: { id: given } }) => {
        if (index !== place) return `${what} is not ${place}`;
        return given === id ? null : `${what} is ${given}, not ${id}`;
      },
    );
  }
}
