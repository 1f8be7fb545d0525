import { internalTxRows, type FrameScope } from '../../resources/internal-tx/import.js';
import { FrameOrdinals } from '../../resources/internal-tx/import-row.js';
import { removeOtherFrames } from '../../resources/internal-tx/write.js';
import { removeFramesOfOthers } from '../../resources/internal-tx/import-removed.js';
import type { EvmBlock } from '../node/evm-apis.js';
import type { Block, Digest, DigestContext, KindRows } from '../pipeline.js';
import { internalsBeginning } from './beginning.js';
import type { EvmChain } from './chain.js';
import { EvmPipeline } from './evm-pipeline.js';
import { BLOCK_BYTES } from './evm-stream-pipeline.js';
import type { FramesOfTrace } from './frames.js';
import type { ProvedBlock } from './proved-block.js';
import type { BlockHead } from './proved-head.js';

/** A block of an EVM chain as `fetch` gives it: what its transactions called and created. */
export interface InternalsItem extends Block {
  readonly time: number;
  readonly transactions: readonly TracedTransaction[];
}

interface TracedTransaction extends FramesOfTrace {
  /** 0x and 64 digits. */
  readonly hash: string;
}

/** Bytes that a frame takes in memory, about. */
const FRAME_BYTES = 600;

/** The internal transactions of an EVM chain as rows. */
export class InternalsPipeline extends EvmPipeline<InternalsItem, BlockHead> {
  readonly name = `internals:${this.deps.chain.evmChainId}` as const;

  beginning(head: bigint, signal: AbortSignal): Promise<bigint | 'now'> {
    return internalsBeginning(this.deps.nodes, head, { signal });
  }

  another(): InternalsPipeline {
    return new InternalsPipeline(this.deps);
  }

  async digest(items: readonly InternalsItem[], context: DigestContext): Promise<Digest> {
    const { chain } = this.deps;
    const { memo } = context;
    const known = await this.chainRows(context);
    const frames = frameRows(chain, items);
    const transactions = items.flatMap((item) => item.transactions);
    const withoutAddress = transactions.reduce((sum, each) => sum + each.withoutAddress, 0);
    return {
      rows: [...known, frames],
      memo: { withoutAddress: Number(memo?.['withoutAddress'] ?? 0) + withoutAddress },
      state: async (batch) => {
        await removeOtherFrames(batch, String(chain.evmChainId), framesToKeep(items));
        await removeFramesOfOthers(batch, String(chain.evmChainId), items);
        this.noteChain();
      },
    };
  }

  only(item: InternalsItem, hashes: readonly string[]): InternalsItem {
    return { ...item, transactions: item.transactions.filter(({ hash }) => hashes.includes(hash)) };
  }

  protected readHead(_block: EvmBlock, head: BlockHead): BlockHead {
    return head;
  }

  /** The block with its traces, as far as nodes give them. */
  protected async complete(head: BlockHead, block: ProvedBlock, signal: AbortSignal): Promise<InternalsItem> {
    const { traces, missing } = await block.traces(signal);
    const transactions = traces.map(({ hash, said: { frames, withoutAddress } }) => {
      return { hash, frames, withoutAddress };
    });
    const frames = transactions.reduce((sum, each) => sum + each.frames.length, 0);
    const size = BLOCK_BYTES + block.transactions.length * FRAME_BYTES + frames * FRAME_BYTES;
    return { ...head, source: block.source, size, transactions, missing };
  }
}

function frameRows({ evmChainId }: EvmChain, items: readonly InternalsItem[]): KindRows {
  const rows = items.flatMap(({ height, id, time, transactions }) =>
    transactions.flatMap(({ hash, frames }) =>
      frames.map(({ type, from, to, value, gasUsed, gasLimit, position, isReverted }) => ({
        blockNumber: String(height),
        blockTimestamp: time,
        blockHash: id,
        txHash: hash,
        from: { address: from },
        to: { address: to },
        internalTxType: type,
        position,
        isReverted,
        value: String(value),
        gasUsed: String(gasUsed),
        gasLimit: String(gasLimit),
      })),
    ),
  );
  const scope: FrameScope = { evmChainId: String(evmChainId), ordinals: new FrameOrdinals() };
  return { kind: internalTxRows, scope, rows };
}

/** The frames that remain; all others of these transactions are deleted. */
const framesToKeep = (items: readonly InternalsItem[]) =>
  items.flatMap(({ height, transactions }) =>
    transactions.map(({ hash, frames }) => ({
      txHash: hash,
      blockNumber: String(height),
      positions: frames.map(({ position }) => position),
    })),
  );
