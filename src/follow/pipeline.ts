import type { EvmPipelineName, EvmStream, StreamName } from '../config/follow-settings.js';
import type { Batch } from '../storage/session.js';
import type { Reader } from '../storage/reader.js';
import type { RowKind } from '../write/kind.js';
import type { WriteScope } from '../write/scope.js';

/**
 * Names a pipeline among those of its network: its stream, for streams of EVM chains with the EVM chain id.
 */
export type PipelineName = Exclude<StreamName, EvmStream> | EvmPipelineName;

/** The stream of a pipeline, without the EVM chain id. */
export const streamOf = (name: PipelineName | StreamName): StreamName =>
  name.replace(/:.*/, '') as StreamName;

/** A block as a pipeline read it from a node: proved by its id, not yet turned into rows. */
export interface Block {
  readonly height: bigint;
  /** Recomputed from the bytes, never taken from the node: CB58 on P and X, 0x… hash on C. */
  readonly id: string;
  /** The id that it names as its parent. */
  readonly parent: string;
  /** Bytes that it takes in memory: bounds the window. */
  readonly size: number;
  /** Unix seconds, null where the block itself has none (Apricot). */
  readonly time: number | null;
  /** False for a P proposal: its decision must be in the same batch. */
  readonly mayEndBatch: boolean;
  /** The endpoint that gave it, as `setAside` takes it: a name without secrets. */
  readonly source: string;
  /** The transactions that are missing and requested again; none when absent or null. */
  readonly missing?: MissingTransactions | null;
}

/** Transactions of a block that every node refuses to trace: a gap, until a node traces them. */
export interface MissingTransactions {
  /** Their hashes. */
  readonly transactions: readonly string[];
  /** For people: what a node said. */
  readonly reason: string;
}

/**
 * One ordered stream of blocks made into rows. The loop runs it; a pipeline holds no clock, no retry, no
 * transaction.
 */
export interface Pipeline<B extends Block = Block> {
  readonly name: PipelineName;
  /** How many blocks one `fetch` is asked for at most; 32 when absent. */
  readonly stride?: number;
  /** How many blocks are read ahead of it at most; as many as `windowBounds` has when absent. */
  readonly mostAhead?: number;
  /**
   * Where it begins if the operator has not said it: the height, or `now` for the next block; at the first
   * block when absent.
   *
   * @param head the newest height
   * @throws NodeError
   */
  beginning?(head: bigint, signal: AbortSignal): Promise<bigint | 'now'>;
  /**
   * The lowest height whose block was made at a time or later, one more than the head if there is none;
   * absent of a pipeline that cannot be read backward.
   *
   * @param time Unix seconds
   * @param head the newest height
   * @throws NodeError
   */
  firstSince?(time: number, head: bigint, signal: AbortSignal): Promise<bigint>;
  /**
   * Another pipeline of the same blocks, with memory of its own, for a range of the past: several are read at
   * a time. Numbers in its memo are sums over its blocks. Present where `firstSince` is.
   */
  another?(): Pipeline<B>;
  /**
   * It will be asked for no block from this height on, until another one is given: other streams of the
   * chain keep none for it. Absent where nothing is shared.
   */
  endAt?(height: bigint): void;
  /**
   * Whether its blocks are waited for and nothing is left to write: only then do slower streams of the chain
   * hold it up. Absent where nothing is shared.
   */
  setIdle?(isIdle: boolean): void;
  /**
   * What is written when all blocks from an earlier one on are stored; nothing when absent.
   *
   * @param first the height of that block
   */
  reached?(first: bigint): Digest;
  /** The printable names of the endpoints that it is read from; none when absent. */
  sources?(): readonly string[];
  /**
   * The newest accepted height that endpoints have.
   *
   * @param settled whether it waits until they agree on it, or one has been alone with it for long enough
   * @throws NodeError
   */
  head(signal: AbortSignal, settled?: boolean): Promise<bigint>;
  /**
   * `count` blocks from `from` on, in order, each proved by itself (its height, its id from the bytes,
   * extDataHash). Fewer only at the end of what nodes have. Several calls run at a time.
   *
   * @throws NodeError
   */
  fetch(from: bigint, count: number, signal: AbortSignal): Promise<B[]>;
  /**
   * Compares a block that no later one proves yet with those that other endpoints have at its height; absent
   * of a pipeline whose endpoints have different ones.
   *
   * @throws NodeError where they contradict it
   */
  compare?(block: Block, signal: AbortSignal): Promise<void>;
  /**
   * Rows of consecutive blocks; asks the resolver of outputs. No side effect but memory that `forget` drops.
   * Calls follow the chain, one at a time; the first one after `forget` begins at the watermark. The rows of
   * the call before may not be in the database yet, those of earlier calls are.
   */
  digest(blocks: readonly B[], context: DigestContext): Promise<Digest>;
  /**
   * Reduces a refetched block to these transactions, because the rows of the others are stored. If absent,
   * the whole block is used.
   */
  only?(block: B, transactions: readonly string[]): B;
  /**
   * Called now and then while everything up to the head is stored, between two digests.
   *
   * @param height of the newest stored block
   */
  atHead?(height: bigint, signal: AbortSignal): Promise<void>;
  /** Drops what is in memory of uncommitted batches: all is read again from the watermark. */
  forget(): void;
  /**
   * An endpoint gave a block that cannot be on our chain: pauses the endpoint.
   *
   * @returns whether another endpoint can still be asked
   */
  setAside(source: string, reason: string): boolean;
}

export interface DigestContext {
  /** The database, for one SELECT … = ANY per batch. */
  readonly reader: Reader;
  /** The `memo` of the digest before; the stored one after `forget`; null at the start of the chain. */
  readonly memo: Memo | null;
  /** The newest height that is known. */
  readonly head: bigint;
  readonly signal: AbortSignal;
}

/**
 * Small state of a pipeline in the watermark's row, e.g. the P-chain's time: JSON, large numbers as digits.
 */
export type Memo = Readonly<Record<string, string | number | boolean | null>>;

export interface Digest {
  /**
   * Rows in the JSON shape of the API, for the kinds' own `read`; written in this order in ONE transaction
   * with `state`, the memo and the watermark.
   */
  readonly rows: readonly KindRows[];
  /** The pipeline's memo after these blocks; the one before stays when absent. */
  readonly memo?: Memo | null;
  /** State in tables of the pipeline's own, written on the batch's connection. */
  readonly state?: (batch: Batch) => Promise<void>;
}

export interface KindRows {
  readonly kind: RowKind;
  readonly scope: WriteScope;
  readonly rows: readonly unknown[];
}
