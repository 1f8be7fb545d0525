import type { XTransaction } from '../../avalanche/codec/types.js';
import { decodeXTransaction } from '../../avalanche/codec/x-transaction.js';
import { PipelineStopped } from '../errors.js';
import type { Container } from '../node/apis.js';
import { NodeError } from '../node/error.js';
import type { Nodes } from '../node/nodes.js';
import type { Block, Digest, DigestContext, Pipeline } from '../pipeline.js';
import { decodedOnce, decodedSize, faultOf, setAside } from './proof.js';
import { transactionRowsOf, type RowTools } from './transaction-rows.js';
import { xDraft } from './x.js';

/** A transaction of the DAG. Its height is its place in the node's index. */
export interface DagItem extends Block {
  readonly transaction: XTransaction;
}

const INDEX = 'X/tx';
/** Most containers of an answer. */
const STRIDE = 512;

/**
 * The X-chain's transactions of before it had blocks, from a node that runs with --index-enabled: without block and time
 * (docs/contract.md, "UTXOs"), each after those whose outputs it consumes.
 *
 * The index has another order on every node, so the watermark is worth something at one node only, whose id
 * the memo keeps. The DAG ended with Cortina: what is stored to the end is complete, whatever node is asked later.
 */
export class XDagPipeline implements Pipeline<DagItem> {
  readonly name = 'x-dag';
  readonly stride = STRIDE;

  constructor(private readonly parts: RowTools & { readonly nodes: Nodes }) {}

  async head(signal: AbortSignal): Promise<bigint> {
    const { index, info } = this.parts.nodes;
    const newest = await index.lastAccepted(INDEX, { signal });
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

  async fetch(from: bigint, count: number, signal: AbortSignal): Promise<DagItem[]> {
    const read = decodedOnce(({ bytes }: Container) => decodeXTransaction(bytes));
    const prove = (containers: readonly Container[]) => wrongContainer(containers, from, read);
    const { value, endpoint } = await this.parts.nodes.index.range(INDEX, from, Math.min(count, STRIDE), {
      signal,
      prove,
    });
    return value.map((container) => ({
      height: container.index,
      // Places, since the ids of neighbours differ between nodes; what a place holds is proved by its own bytes.
      id: container.index.toString(),
      parent: (container.index - 1n).toString(),
      size: decodedSize(container.bytes),
      time: null,
      mayEndBatch: true,
      source: endpoint,
      transaction: read(container),
    }));
  }

  async digest(items: readonly DagItem[], context: DigestContext): Promise<Digest> {
    const { nodes, network, assets } = this.parts;
    const nodeId = await nodes.info.nodeId({ signal: context.signal });
    const begunAt = context.memo?.['nodeId'] ?? nodeId;
    if (begunAt !== nodeId)
      throw new PipelineStopped(
        `x-dag was begun with the node ${String(begunAt)}, and ${nodeId} has the transactions in another order: follow ${String(begunAt)} until x-dag is complete`,
      );
    for (const { transaction } of items) assets.note(transaction);
    const block = { height: null, hash: null, time: 0 };
    const drafts = items.map(({ transaction }) => xDraft(network, transaction, block));
    return { rows: [await transactionRowsOf('x', drafts, this.parts, context)], memo: { nodeId } };
  }

  // What it remembers of outputs and assets follows from ids, and stays true.
  forget(): void {}

  setAside(source: string, reason: string): boolean {
    return setAside(this.parts.nodes, source, reason);
  }
}

/** Why containers cannot be those from a place on, or null. */
function wrongContainer(
  containers: readonly Container[],
  from: bigint,
  read: (container: Container) => XTransaction,
): string | null {
  for (const [place, container] of containers.entries()) {
    const { index, id } = container;
    if (index !== from + BigInt(place))
      return `container ${index} of ${INDEX} is not ${from + BigInt(place)}`;
    const fault = faultOf(`container ${index} of ${INDEX}`, () => {
      const given = read(container).id;
      return given === id ? null : `container ${index} of ${INDEX} is ${given}, not ${id}`;
    });
    if (fault !== null) return fault;
  }
  return null;
}
