import type { AtomicTransaction, EvmOutput } from '../../avalanche/codec/types.js';
import { parseEvmAddress } from '../../avalanche/evm.js';
import { toHex } from '../../avalanche/hex.js';
import { extraDataFault, proveById, readExtraData, type ExtraData } from '../evm/extra-data.js';
import type { ChainReader } from '../evm/chain-reader.js';
import type { HeadBlock } from '../evm/proved-block.js';
import { headReader, idsOfEach, type BlockHead } from '../evm/proved-head.js';
import type { Answer, EachOptions } from '../node/apis.js';
import type { EvmBlock } from '../node/evm-apis.js';
import { Failed } from '../node/failed.js';
import type { Nodes } from '../node/nodes.js';
import { NodePipeline } from '../node-pipeline.js';
import type { Block, Digest, DigestContext } from '../pipeline.js';
import { cBlockRows } from './block-rows.js';
import { isBonusBlock } from './bonus-blocks.js';
import type { PrimaryNetwork } from './network.js';
import { decodedSize, proved } from '../node/proof.js';
import type { Proposers } from './proposers.js';
import { takeBackOthers } from './replaced-blocks.js';
import { StoredTransactions } from './stored.js';
import type { RowBlock } from './rows.js';
import { madeOn, transactionRowsOf, type Draft, type RowTools } from './transaction-rows.js';

/** A block of the C-chain as `fetch` gives it: its atomic transactions alone. */
export interface CItem extends Block {
  readonly time: number;
  readonly transactions: readonly AtomicTransaction[];
  /** Who proposed it, NodeID-…; null where that is not known, and of a block without any. */
  readonly proposer: string | null;
}

export interface CAtomicDeps extends RowTools {
  readonly nodes: Nodes;
  /** Shared by the streams of the chain. */
  readonly blocks: ChainReader;
  readonly proposers: Proposers;
}

/** A block as its answer says it. */
type ReadBlock = Omit<CItem, 'source' | 'proposer'> & ExtraData;

const HEADER_BYTES = 2000;
const headIn = headReader('c-chain');

/** The C-chain's imports and exports as rows. */
export class CAtomicPipeline extends NodePipeline<CItem, CAtomicDeps> {
  readonly name = 'c-atomic';
  protected readonly source = this.deps.nodes.evm;
  private readonly stored = new StoredTransactions(this.deps.network, 'c');

  async fetch(from: bigint, count: number, signal: AbortSignal): Promise<CItem[]> {
    const blocks = await this.deps.blocks.headsFor(this, from, count, signal);
    return Promise.all(
      blocks.map(async (each) => {
        const { source, isCommitted, ...block } = await this.checked(each, signal);
        if (!isCommitted) await proveById(this.deps.nodes, block, signal);
        return { ...block, source, proposer: await this.proposerOf(block, signal) };
      }),
    );
  }

  /** A block that others read too may be wrong for this pipeline alone: then it asks for it by itself. */
  private async checked(
    { block, head, source }: HeadBlock,
    signal: AbortSignal,
  ): Promise<ReadBlock & Pick<CItem, 'source'>> {
    try {
      return { ...this.read(block, head), source };
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      const read = (again: EvmBlock, height: bigint) => this.read(again, headIn(again, height));
      const { value, endpoint } = await this.source.block(head.height, { signal, read });
      return { ...value, source: endpoint };
    }
  }

  protected idsAt(height: bigint, options: EachOptions): Promise<Answer<string>[]> {
    return idsOfEach(this.source, 'c-chain', height, options);
  }

  async digest(items: readonly CItem[], context: DigestContext): Promise<Digest> {
    const { network } = this.deps;
    const repeated = await this.storedBonus(items, context);
    const drafts = items.flatMap(({ height, id, time, transactions }) =>
      transactions
        .map((one, position) => cDraft(network, one, { height, hash: id, time }, position))
        .filter(({ transaction }) => !isBonusBlock(network, height) || !repeated.has(transaction.id)),
    );
    const rows = [
      cBlockRows(network, items),
      await transactionRowsOf('c-atomic', drafts, this.deps, context),
    ];
    this.stored.note(rows);
    return { rows, state: await takeBackOthers(network, 'c', items, context.reader) };
  }

  /** Only of a block that is stored: the index gives the bytes of the whole block. */
  private async proposerOf(
    { height, id, transactions }: Pick<CItem, 'height' | 'id' | 'transactions'>,
    signal: AbortSignal,
  ): Promise<string | null> {
    if (transactions.length === 0) return null;
    return (await this.deps.proposers.from(height, 1, signal)).get(id) ?? null;
  }

  /** A transaction of a bonus block may stand in an earlier block too, and belongs to that one. */
  private async storedBonus(items: readonly CItem[], { reader }: DigestContext): Promise<Set<string>> {
    const { network } = this.deps;
    const bonus = items.filter(({ height }) => isBonusBlock(network, height));
    if (bonus.length === 0) return new Set();
    const ids = bonus.flatMap(({ transactions }) => transactions.map(({ id }) => id));
    const others = items.filter(({ height }) => !isBonusBlock(network, height));
    const stored = await this.stored.among(ids, reader);
    for (const { id } of others.flatMap(({ transactions }) => transactions)) stored.add(id);
    return stored;
  }

  setIdle(isIdle: boolean): void {
    this.deps.blocks.setIdle(this, isIdle);
  }

  // What it remembers of outputs and assets follows from ids, and stays true.
  override forget(): void {
    this.stored.forget();
    this.deps.blocks.leave(this);
  }

  override setAside(source: string, reason: string): boolean {
    this.deps.blocks.clear();
    return super.setAside(source, reason);
  }

  private read(block: EvmBlock, head: BlockHead): ReadBlock {
    const { network } = this.deps;
    const read = () => {
      const size = HEADER_BYTES + decodedSize(block.extraData);
      return { size, ...readExtraData(block, head.time, network), ...head };
    };
    return proved(`block ${head.height}`, read, (each) => extraDataFault(each, network));
  }
}

/** An atomic transaction as rows have it. */
function cDraft(
  network: PrimaryNetwork,
  transaction: AtomicTransaction,
  block: RowBlock & { readonly height: bigint },
  position: number,
): Draft {
  const draft = {
    transaction,
    block,
    position,
    made: transaction.outputs.map((utxo) => ({ utxo, made: madeOn(network, 'c', utxo.role, transaction) })),
    consumes: !isBonusBlock(network, block.height),
  };
  if (transaction.type === 'ImportTx') {
    const { evmOutputs } = transaction;
    return { ...draft, credited: evmOutputs, details: { evmOutputs: evmOutputs.map(evmAmountRow) } };
  }
  const { evmInputs } = transaction;
  return { ...draft, debited: evmInputs, details: { evmInputs: evmInputs.map(evmAmountRow) } };
}

const evmAmountRow = ({ address, assetId, amount }: EvmOutput) => ({
  address: parseEvmAddress(toHex(address)),
  assetId,
  amount: amount.toString(),
});
