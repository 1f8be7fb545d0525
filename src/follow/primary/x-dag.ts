import type { XTransaction } from '../../avalanche/codec/types.js';
import { decodeXTransaction } from '../../avalanche/codec/x-transaction.js';
import type { Nodes } from '../node/nodes.js';
import type { Digest, DigestContext, Pipeline } from '../pipeline.js';
import type { IndexAgreement } from './index-agreement.js';
import { INDEX_STRIDE, NodeIndex, type Indexed } from './node-index.js';
import { setAside } from './proof.js';
import { transactionRowsOf, type RowTools } from './transaction-rows.js';
import { xDraft } from './x.js';

/**
 * The X-chain's transactions of before it had blocks, from the index of a node: without block and time
 * (docs/contract.md, "UTXOs"), each after those whose outputs it consumes.
 */
export class XDagPipeline implements Pipeline<Indexed<XTransaction>> {
  readonly name = 'x-dag';
  readonly stride = INDEX_STRIDE;
  private readonly index: NodeIndex<XTransaction>;

  constructor(
    private readonly parts: RowTools & { readonly nodes: Nodes; readonly agreement: IndexAgreement },
  ) {
    this.index = new NodeIndex(parts.nodes, 'X/tx', decodeXTransaction);
  }

  head(signal: AbortSignal): Promise<bigint> {
    return this.index.head(signal);
  }

  fetch(from: bigint, count: number, signal: AbortSignal): Promise<Indexed<XTransaction>[]> {
    return this.index.fetch(from, count, signal);
  }

  async digest(items: readonly Indexed<XTransaction>[], context: DigestContext): Promise<Digest> {
    const { network, assets } = this.parts;
    const memo = await this.index.boundTo(context.memo, this.name, context.signal);
    for (const { item } of items) assets.note(item);
    const block = { height: null, hash: null, time: 0 };
    const drafts = items.map(({ item }) => xDraft(network, item, block));
    return { rows: [await transactionRowsOf('x', drafts, this.parts, context)], memo };
  }

  atHead(): Promise<void> {
    return this.parts.agreement.check();
  }

  // What it remembers of outputs and assets follows from ids, and stays true.
  forget(): void {}

  setAside(source: string, reason: string): boolean {
    return setAside(this.parts.nodes, source, reason);
  }
}
