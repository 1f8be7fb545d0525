import type { Logger } from 'pino';
import type { Answer } from '../node/apis.js';
import type { EvmBlock } from '../node/evm-apis.js';
import { contradiction } from '../node/error.js';
import type { EvmNodes } from '../node/nodes.js';
import { proved } from '../node/proof.js';
import { EitherWindow } from '../shared/either-window.js';
import type { Reader } from '../shared/positions.js';
import { BlockTraces } from './block-traces.js';
import type { EvmChain } from './chain.js';
import { NodeAgreement } from './node-agreement.js';
import { headFault, headReader, readHead, withoutProof } from './proved-head.js';
import type { BlockHead, ProvedHead } from './proved-head.js';
import { headSize, ProvedBlock, type BlockDeps, type HeadBlock } from './proved-block.js';

export interface ChainReaderDeps {
  readonly nodes: EvmNodes;
  readonly chain: Pick<EvmChain, 'headerOf'>;
  readonly log: Logger;
}

/** A block that was read again because of what a stream says of it. */
export interface Reread<B, T> {
  readonly read: B;
  readonly said: T;
}

/**
 * Reads the blocks of an EVM chain for all of its streams: each block, trace and receipt once for those that
 * are at the same place.
 */
export class ChainReader {
  private readonly traces: BlockTraces;
  private readonly blocks: EitherWindow<HeadBlock, ProvedBlock>;

  constructor(private readonly deps: ChainReaderDeps) {
    this.traces = new BlockTraces({ ...deps, agreement: new NodeAgreement(deps.nodes) });
    this.blocks = new EitherWindow(
      (from, count, signal, grow) => this.readBlocks(from, count, signal, grow),
      (from, count, signal) => this.readHeads(from, count, signal),
    );
  }

  /**
   * `count` blocks from `from` on; fewer only at the end of what nodes have.
   *
   * @param stream that asks: each block is given to it once, and read again if it asks for it again
   * @throws NodeError; the signal's reason
   */
  blocksFor(
    stream: Reader,
    from: bigint,
    count: number,
    signal: AbortSignal,
  ): Promise<readonly ProvedBlock[]> {
    return this.blocks.wholeFor(stream, from, count, signal);
  }

  /**
   * The same for a stream that needs few transactions. It reads them where others are at the same place, or
   * soon will be, who read them too; elsewhere it does without, and is much faster.
   */
  headsFor(stream: Reader, from: bigint, count: number, signal: AbortSignal): Promise<readonly HeadBlock[]> {
    return this.blocks.headsFor(stream, from, count, signal);
  }

  /** A block that a stream has, with its transactions. @throws as above */
  async wholeOf(given: HeadBlock, signal: AbortSignal): Promise<ProvedBlock> {
    if (given instanceof ProvedBlock) return given;
    const { height, id } = given.head;
    const { read: block } = await this.blockAlone(height, () => null, signal);
    if (block.head.id === id) return block;
    throw contradiction(`${block.source} has another block ${height} than ${given.source}`, block.source);
  }

  /**
   * A block for a stream alone: with transactions, or because what it says of the shared one is wrong.
   *
   * @param read what the stream reads of it. Where it throws `wrongAnswer`, the endpoint is set aside
   * @throws NodeError; the signal's reason
   */
  async blockAlone<T>(
    height: bigint,
    read: (block: EvmBlock, head: BlockHead) => T,
    signal: AbortSignal,
  ): Promise<Reread<ProvedBlock, T>> {
    const prove = (block: EvmBlock) => {
      const given = this.prove(block, height);
      return { ...given, said: read(block, given.head) };
    };
    const [answer] = await this.deps.nodes.evm.wholeBlocks(height, 1, { signal, read: prove });
    const { value, endpoint } = answer!;
    return { read: this.madeOf({ value, endpoint }, () => undefined), said: value.said };
  }

  /** A stream will ask for no block from this height on, until it says another one. */
  endAt(stream: Reader, height: bigint): void {
    this.blocks.endAt(stream, height);
  }

  /** Whether a stream has nothing left to write: only then do others hold it up. */
  setIdle(stream: Reader, isIdle: boolean): void {
    this.blocks.setIdle(stream, isIdle);
  }

  /** A stream begins elsewhere. */
  leave(stream: Reader): void {
    this.blocks.leave(stream);
  }

  /** An endpoint gave a wrong block: what was read so far may be wrong too. */
  clear(): void {
    this.blocks.clear();
  }

  private async readBlocks(
    from: bigint,
    count: number,
    signal: AbortSignal,
    grow: BlockDeps['grow'],
  ): Promise<ProvedBlock[]> {
    const read = (block: EvmBlock, height: bigint) => this.prove(block, height);
    const answers = await this.deps.nodes.evm.wholeBlocks(from, count, { signal, read });
    return answers.map((each) => this.madeOf(each, grow));
  }

  private async readHeads(from: bigint, count: number, signal: AbortSignal): Promise<HeadBlock[]> {
    const headIn = headReader(this.deps.chain.headerOf);
    const read = (block: EvmBlock, height: bigint) => ({ block, head: headIn(block, height) });
    const answers = await this.deps.nodes.evm.blocks(from, count, { signal, read });
    return answers.map(({ value, endpoint }) => ({
      ...value,
      source: endpoint,
      size: headSize(value.block),
    }));
  }

  /** A block with its transactions, and what proves both. @throws Failed */
  private prove(block: EvmBlock, height: bigint): { block: EvmBlock; head: ProvedHead } {
    const { headerOf } = this.deps.chain;
    const head = proved(
      `block ${height}`,
      () => readHead(block, headerOf),
      (given) => headFault(block, height, given, headerOf),
    );
    // Its transactions are read: what a node printed of them is not kept.
    return { block: { ...block, bodies: [] }, head: withoutProof(head) };
  }

  private madeOf(
    { value: { block, head }, endpoint }: Answer<{ block: EvmBlock; head: ProvedHead }>,
    grow: BlockDeps['grow'],
  ): ProvedBlock {
    return new ProvedBlock(block, head, endpoint, { nodes: this.deps.nodes, traces: this.traces, grow });
  }
}
