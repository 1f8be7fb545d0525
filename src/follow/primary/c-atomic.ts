import type { AtomicTransaction, EvmOutput } from '../../avalanche/codec/types.js';
import { parseEvmAddress } from '../../avalanche/evm.js';
import { toHex } from '../../avalanche/hex.js';
import { extraDataFault, proveById, readExtraData, type ExtraData } from '../evm/extra-data.js';
import { headOf, identityFault, idsOfEach } from '../evm/proved-head.js';
import type { Answer, EachOptions } from '../node/apis.js';
import type { EvmBlock } from '../node/evm-apis.js';
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
  readonly proposers: Proposers;
}

/** A block as its answer says it. */
type ReadBlock = Omit<CItem, 'source' | 'proposer'> & ExtraData;

const HEADER_BYTES = 2000;

/** The C-chain's imports and exports as rows. */
export class CAtomicPipeline extends NodePipeline<CItem, CAtomicDeps> {
  readonly name = 'c-atomic';
  protected readonly source = this.deps.nodes.evm;
  private readonly stored = new StoredTransactions(this.deps.network, 'c');

  async fetch(from: bigint, count: number, signal: AbortSignal): Promise<CItem[]> {
    const read = (block: EvmBlock, height: bigint) => this.read(block, height);
    const answers = await this.source.blocks(from, count, { signal, read });
    return Promise.all(
      answers.map(async ({ value, endpoint }) => {
        const { isCommitted, ...block } = value;
        if (!isCommitted) await proveById(this.deps.nodes, block, signal);
        return { ...block, source: endpoint, proposer: await this.proposerOf(block, signal) };
      }),
    );
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

  // What it remembers of outputs and assets follows from ids, and stays true.
  override forget(): void {
    this.stored.forget();
  }

  private read(block: EvmBlock, height: bigint): ReadBlock {
    const { network } = this.deps;
    const read = () => {
      const head = headOf(block, 'c-chain');
      const size = HEADER_BYTES + decodedSize(block.extraData);
      return { size, ...readExtraData(block, head.time, network), ...head };
    };
    return proved(
      `block ${height}`,
      read,
      (head) => identityFault(block, height, head) ?? extraDataFault(head, network),
    );
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
