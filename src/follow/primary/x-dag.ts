import type { XTransaction } from '../../avalanche/codec/types.js';
import { decodeXTransaction } from '../../avalanche/codec/x-transaction.js';
import type { Nodes } from '../node/nodes.js';
import type { Digest, DigestContext } from '../pipeline.js';
import type { IndexAgreement } from './index-agreement.js';
import { IndexPipeline, type Indexed } from './index-pipeline.js';
import { transactionRowsOf, type RowTools } from './transaction-rows.js';
import { xDraft } from './x.js';

interface DagDeps extends RowTools {
  readonly nodes: Nodes;
  readonly agreement: IndexAgreement;
}

/**
 * The X-chain's transactions of before it had blocks, from the index of a node: without block and time
 * (docs/contract.md, "UTXOs"), each after those whose outputs it consumes.
 */
export class XDagPipeline extends IndexPipeline<XTransaction, DagDeps> {
  readonly name = 'x-dag';
  protected readonly index = 'X/tx';
  protected readonly decode = decodeXTransaction;

  async digest(items: readonly Indexed<XTransaction>[], context: DigestContext): Promise<Digest> {
    const { network, assets } = this.deps;
    const memo = await this.boundTo(items, context);
    for (const { item } of items) assets.note(item);
    const unknown = { block: { height: null, hash: null, time: 0 }, position: null };
    const drafts = items.map(({ item }) => xDraft(network, { transaction: item, ...unknown }));
    return { rows: [await transactionRowsOf('x-dag', drafts, this.deps, context)], memo };
  }

  atHead(): Promise<void> {
    return this.deps.agreement.check();
  }
}
