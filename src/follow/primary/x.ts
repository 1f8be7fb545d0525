import { decodeXBlock } from '../../avalanche/codec/block.js';
import type { XBlock, XTransaction } from '../../avalanche/codec/types.js';
import type { Answer, EachOptions } from '../node/apis.js';
import type { Nodes } from '../node/nodes.js';
import { NodePipeline } from '../node-pipeline.js';
import type { Block, Digest, DigestContext, KindRows } from '../pipeline.js';
import { blockReader, decodedSize, idReader } from '../node/proof.js';
import { LONGEST_GENESIS_MEMO, LONGEST_MEMO } from '../../rows/bounds.js';
import { xBlockRows } from './block-rows.js';
import { takeBackOthers } from './replaced-blocks.js';
import { memoOf, type RowBlock } from './rows.js';
import { madeOn, transactionRowsOf, type Draft, type RowTools } from './transaction-rows.js';
import type { PrimaryNetwork } from './network.js';
import type { Proposers } from './proposers.js';

/** A block of the linear X-chain as `fetch` gives it. */
export interface XItem extends Block {
  readonly block: XBlock;
  /** Who proposed it, NodeID-…; null where that is not known. */
  readonly proposer: string | null;
}

export interface XDeps extends RowTools {
  readonly nodes: Nodes;
  readonly proposers: Proposers;
  /** The assets that X starts with: their outputs are X's genesis. */
  genesis(signal: AbortSignal): Promise<XGenesis>;
}

export interface XGenesis {
  readonly transactions: readonly XTransaction[];
  /** Unix seconds; 0 where it is not known. */
  readonly time: number;
}

/** The X-chain's blocks as rows. It has blocks since Cortina; block 0 has none of its transactions. */
export class XPipeline extends NodePipeline<XItem, XDeps> {
  readonly name = 'x';
  protected readonly source = this.deps.nodes.avm;
  protected override readonly isBytesAlone = true;

  async fetch(from: bigint, count: number, signal: AbortSignal): Promise<XItem[]> {
    const read = blockReader(decodeXBlock);
    const [answers, proposers] = await Promise.all([
      this.source.blocks(from, count, { signal, read }),
      this.deps.proposers.from(from, count, signal),
    ]);
    return answers.map(({ value: block, endpoint }) => {
      const { height, id, parent, time } = block;
      const size = decodedSize(block.bytes);
      const proposer = proposers.get(id) ?? null;
      return { height, id, parent, size, time, mayEndBatch: true, source: endpoint, block, proposer };
    });
  }

  protected idsAt(height: bigint, options: EachOptions): Promise<Answer<string>[]> {
    return this.source.blockOfEach(height, { ...options, read: idReader(decodeXBlock) });
  }

  async digest(items: readonly XItem[], context: DigestContext): Promise<Digest> {
    const rows: KindRows[] = [];
    if (items[0]?.height === 0n) {
      const { transactions, time } = await this.deps.genesis(context.signal);
      const block = { height: null, hash: null, time };
      rows.push(
        await this.rowsOf(
          transactions.map((transaction) => ({ transaction, block, position: null })),
          context,
        ),
      );
    }
    const placed = items.flatMap(({ block: { transactions, height, id, time } }) =>
      transactions.map((transaction, position) => ({
        transaction,
        block: { height, hash: id, time },
        position,
      })),
    );
    rows.push(xBlockRows(this.deps.network, items));
    rows.push(await this.rowsOf(placed, context));
    return { rows, state: await takeBackOthers(this.deps.network, 'x', items, context.reader) };
  }

  private rowsOf(placed: readonly Placed[], context: DigestContext): Promise<KindRows> {
    for (const { transaction } of placed) this.deps.assets.note(transaction);
    const drafts = placed.map((one) => xDraft(this.deps.network, one));
    return transactionRowsOf('x', drafts, this.deps, context);
  }
}

/** A transaction with its block. */
export interface Placed {
  readonly transaction: XTransaction;
  readonly block: RowBlock;
  /** In the block; null without one. */
  readonly position: number | null;
}

/** An X-chain transaction as rows have it. */
export function xDraft(network: PrimaryNetwork, { transaction, block, position }: Placed): Draft {
  return {
    transaction,
    block,
    position,
    made: transaction.outputs.map((utxo) => ({ utxo, made: madeOn(network, 'x', utxo.role, transaction) })),
    details: memoOf(
      transaction.base.memo,
      transaction.type === 'CreateAssetTx' ? LONGEST_GENESIS_MEMO : LONGEST_MEMO,
    ),
  };
}
