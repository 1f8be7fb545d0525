import { PipelineStopped } from '../errors.js';
import type { Container, IndexName } from '../node/apis.js';
import { NodeError } from '../node/error.js';
import type { Nodes } from '../node/nodes.js';
import type { Block, Memo } from '../pipeline.js';
import { decodedOnce, decodedSize, faultOf } from './proof.js';

/** What a container of an index is. Its height is its place in the node's index. */
export interface Indexed<T> extends Block {
  readonly item: T;
  readonly container: Container;
}

/** Most containers of an answer. */
export const INDEX_STRIDE = 512;

/**
 * An index of the X-chain's DAG, from a node that runs with --index-enabled.
 *
 * It has another order on every node, so the watermark is worth something at one node only, whose id the memo keeps. The DAG
 * ended with Cortina: what is stored to the end is complete, whatever node is asked later.
 */
export class NodeIndex<T extends { readonly id: string }> {
  constructor(
    private readonly nodes: Nodes,
    private readonly name: IndexName,
    private readonly decode: (bytes: Uint8Array) => T,
  ) {}

  /** The last place; -1 for an empty index of a node that has bootstrapped. @throws NodeError */
  async head(signal: AbortSignal): Promise<bigint> {
    const { index, info } = this.nodes;
    const newest = await index.lastAccepted(this.name, { signal });
    if (newest !== null) return newest.value.index;
    // The same is said by a node that bootstraps and by one whose network never had a DAG.
    if (await info.isBootstrapped('X', { signal })) return -1n;
    throw new NodeError(
      'wait',
      'bootstrapping',
      'the X-chain is still bootstrapping, and its index is empty',
      null,
    );
  }

  /** Containers from a place on, each proved by its own bytes. @throws NodeError */
  async fetch(from: bigint, count: number, signal: AbortSignal): Promise<Indexed<T>[]> {
    const read = decodedOnce(({ bytes }: Container) => this.decode(bytes));
    const prove = (containers: readonly Container[]) => this.wrong(containers, from, read);
    const most = Math.min(count, INDEX_STRIDE);
    const { value, endpoint } = await this.nodes.index.range(this.name, from, most, { signal, prove });
    return value.map((container) => ({
      height: container.index,
      // Places, since the ids of neighbours differ between nodes; what a place holds is proved by its own bytes.
      id: container.index.toString(),
      parent: (container.index - 1n).toString(),
      size: decodedSize(container.bytes),
      time: null,
      mayEndBatch: true,
      source: endpoint,
      item: read(container),
      container,
    }));
  }

  /**
   * The memo that binds a stream to its node.
   *
   * @param stream its name
   * @throws PipelineStopped when another node is asked
   */
  async boundTo(memo: Memo | null, stream: string, signal: AbortSignal): Promise<Memo> {
    const nodeId = await this.nodes.info.nodeId({ signal });
    const begunAt = memo?.['nodeId'] ?? nodeId;
    if (begunAt !== nodeId)
      throw new PipelineStopped(
        `${stream} was begun with the node ${String(begunAt)}, and ${nodeId} has its index in another order: follow ${String(begunAt)} until ${stream} is complete`,
      );
    return { nodeId };
  }

  /** Why containers cannot be those from a place on, or null. */
  private wrong(
    containers: readonly Container[],
    from: bigint,
    read: (container: Container) => T,
  ): string | null {
    for (const [place, container] of containers.entries()) {
      const { index, id } = container;
      const what = `container ${index} of ${this.name}`;
      if (index !== from + BigInt(place)) return `${what} is not ${from + BigInt(place)}`;
      const fault = faultOf(what, () => {
        const given = read(container).id;
        return given === id ? null : `${what} is ${given}, not ${id}`;
      });
      if (fault !== null) return fault;
    }
    return null;
  }
}
