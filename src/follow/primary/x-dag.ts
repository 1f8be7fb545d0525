import type { XTransaction } from '../../avalanche/codec/types.js';
import { decodeXTransaction } from '../../avalanche/codec/x-transaction.js';
import { PipelineStopped } from '../errors.js';
import type { Container } from '../node/apis.js';
import { NodeError } from '../node/error.js';
import type { Nodes } from '../node/nodes.js';
import type { Block, Digest, DigestContext, Pipeline } from '../pipeline.js';
import { setAside } from './proof.js';
import { transactionRowsOf, type RowTools } from './transaction-rows.js';
import { xDraft } from './x.js';

/** A transaction of the DAG. Its height is its place in the node's index. */
export interface DagItem extends Block {
  readonly transaction: XTransaction;
}

const INDEX = 'X/tx';
/** Most containers of an answer. */
const STRIDE = 512;
const DECODED_FACTOR = 8;

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
    const prove = (containers: readonly Container[]) => faultOf(containers, from);
    const { value, endpoint } = await this.parts.nodes.index.range(INDEX, from, Math.min(count, STRIDE), {
      signal,
      prove,
    });
    return value.map(({ bytes, index }) => ({
      height: index,
      // Places, since the ids of neighbours differ between nodes; what a place holds is proved by its own bytes.
      id: index.toString(),
      parent: (index - 1n).toString(),
      size: bytes.length * DECODED_FACTOR,
      time: null,
      mayEndBatch: true,
      source: endpoint,
      transaction: decodeXTransaction(bytes),
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
function faultOf(containers: readonly Container[], from: bigint): string | null {
  for (const [place, { index, id, bytes }] of containers.entries()) {
    if (index !== from + BigInt(place))
      return `container ${index} of ${INDEX} is not ${from + BigInt(place)}`;
    try {
      const given = decodeXTransaction(bytes).id;
      if (given !== id) return `container ${index} of ${INDEX} is ${given}, not ${id}`;
    } catch (error) {
      return `container ${index} of ${INDEX} cannot be read: ${error instanceof Error ? error.message : String(error)}`;
    }
  }
  return null;
}
