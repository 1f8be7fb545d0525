import type { EvmTransaction } from '../../avalanche/codec/evm-transaction.js';
import type { EvmBlock } from '../node/evm-apis.js';
import type { EvmNodes } from '../node/nodes.js';
import { SharedAnswer } from '../shared/call.js';
import type { BlockTraces } from './block-traces.js';
import type { Calls } from './frames.js';
import type { BlockHead, ProvedHead } from './proved-head.js';
import { provedReceipts, type Receipts } from './proved-receipts.js';
import type { Traced } from './proved-traces.js';

/** A block without its transactions, whose header has its hash. */
export interface HeadBlock {
  readonly block: EvmBlock;
  readonly head: BlockHead;
  /** The endpoint that gave it. */
  readonly source: string;
  /** Bytes that it takes in memory, about. */
  readonly size: number;
}

export interface BlockDeps {
  readonly nodes: Pick<EvmNodes, 'evm'>;
  readonly traces: BlockTraces;
  /** Takes bytes that the block takes in addition to its size. */
  readonly grow: (height: bigint, bytes: number) => void;
}

/** Bytes in memory, about, without texts of any length. */
const HEAD_BYTES = 6000;
const TRANSACTION_BYTES = 1500;
const FRAME_BYTES = 600;
const ADDRESS_BYTES = 150;
const LOG_BYTES = 1000;

/**
 * A block, with its traces and its receipts when somebody has asked for them: each is read and proved once.
 */
export class ProvedBlock implements HeadBlock {
  readonly head: BlockHead;
  readonly transactions: readonly EvmTransaction[];
  readonly size: number;
  private readonly tracing: SharedAnswer<Traced<Calls>>;
  private readonly receiving: SharedAnswer<Receipts>;

  constructor(
    readonly block: EvmBlock,
    proved: ProvedHead,
    readonly source: string,
    { nodes, traces, grow }: BlockDeps,
  ) {
    const { transactions, ...head } = proved;
    const { height } = head;
    this.head = head;
    this.transactions = transactions;
    this.size = headSize(block) + sum(transactions, transactionSize);
    this.tracing = new SharedAnswer(
      (signal) => traces.of(proved, signal),
      (answer) =>
        grow(
          height,
          sum(answer.traces, ({ said }) => callsSize(said)),
        ),
    );
    this.receiving = new SharedAnswer(
      (signal) =>
        provedReceipts(nodes, { height, transactions, receiptsRoot: receiptsRootOf(block) }, signal),
      ({ receipts }) =>
        grow(
          height,
          sum(receipts, ({ logs }) => sum(logs, logSize)),
        ),
    );
  }

  /** What the traces of its transactions say, as far as nodes give them. @throws NodeError */
  traces(signal: AbortSignal): Promise<Traced<Calls>> {
    return this.tracing.get(signal);
  }

  /** Its receipts, as far as nodes give them. @throws NodeError */
  receipts(signal: AbortSignal): Promise<Receipts> {
    return this.receiving.get(signal);
  }
}

/** Bytes that a block without its transactions takes in memory, about. */
export const headSize = ({ transactions, extraData }: EvmBlock) =>
  HEAD_BYTES + transactions.length * ADDRESS_BYTES + extraData.length;

/**
 * The root of its receipts; null where the header is that of a chain that runs transactions later (ACP-194):
 * it has the root of other blocks.
 */
export const receiptsRootOf = ({ header }: Pick<EvmBlock, 'header'>): string | null =>
  (header['settledHeight'] ?? null) === null ? (header['receiptsRoot']?.toLowerCase() ?? '') : null;

const sum = <T>(all: readonly T[], of: (each: T) => number) =>
  all.reduce((total, each) => total + of(each), 0);
const transactionSize = ({ input }: EvmTransaction) => TRANSACTION_BYTES + input.length;
const callsSize = ({ frames, accounts }: Calls) =>
  frames.length * FRAME_BYTES + accounts.size * ADDRESS_BYTES;
const logSize = ({ data }: { readonly data: string }) => LOG_BYTES + data.length;
