import { setTimeout as sleep } from 'node:timers/promises';
import { NodeError } from '../../src/follow/node/error.js';
import type { Block, Digest, DigestContext, Pipeline, PipelineName } from '../../src/follow/pipeline.js';
import { transactionRows } from '../../src/resources/transaction/import.js';
import type { RowKind } from '../../src/write/kind.js';
import type { PrimaryScope } from '../../src/write/scope.js';
import { idOf, transactionRow, utxoRow } from './ledger-rows.js';
import { Random } from './random.js';

const scope: PrimaryScope = { network: 'fuji', chain: 'p' };
/** Every how many blocks one is a proposal. */
const PROPOSALS = 7n;
const START = 1_700_000_000;

/** What makes a node lie or fail; heights are those of the chain. */
export interface ChainFaults {
  /** A block with this id instead of ours stands at the height, and names another parent than ours. */
  otherParentAt?: bigint;
  /** Another block stands at this height; those after it follow ours. */
  otherBlockAt?: bigint;
  /** Calls fail with such an error, as often as it says. */
  failures?: { times: number; error: () => Error };
  /** A row is made that its kind refuses. */
  wrongRowAt?: bigint;
  /** Milliseconds that a call takes at most. */
  delayMs?: number;
}

/** A node of a generated chain: the same blocks for the same seed, of which it shows those up to its head. */
export class GeneratedNode {
  faults: ChainFaults = {};
  isAside = false;
  readonly random = new Random(7);

  constructor(
    readonly source: string,
    public head: bigint,
    readonly seed = 'chain',
  ) {}

  async answer<T>(work: () => T): Promise<T> {
    const { failures, delayMs = 0 } = this.faults;
    if (delayMs > 0) await sleep(this.random.below(delayMs));
    if (failures && failures.times > 0) {
      failures.times -= 1;
      throw failures.error();
    }
    return work();
  }

  blockAt(height: bigint): Block {
    const { otherBlockAt, otherParentAt } = this.faults;
    const other = height === otherBlockAt ? ' other' : '';
    return {
      height,
      id: idOf(`${this.seed} block ${height}${other}`),
      parent: idOf(`${this.seed} block ${height - 1n}${height === otherParentAt ? ' other' : ''}`),
      size: 200 + Number((height * 37n) % 300n),
      time: height % 5n === 0n ? null : START + Number(height),
      mayEndBatch: height % PROPOSALS !== PROPOSALS - 1n,
      source: this.source,
    };
  }
}

/**
 * A pipeline over generated nodes that makes rows of a real kind: each transaction spends outputs of blocks
 * before it.
 */
export class GeneratedPipeline implements Pipeline {
  readonly stride = 16;
  /** Every batch that was digested, by its first and last height. */
  readonly digested: [bigint, bigint][] = [];
  /** How often the head was asked for. */
  looks = 0;
  private expected: bigint | null = null;

  constructor(
    readonly nodes: readonly GeneratedNode[],
    readonly name: PipelineName = 'p',
  ) {}

  private get usable(): GeneratedNode[] {
    return this.nodes.filter(({ isAside }) => !isAside);
  }

  async head(): Promise<bigint> {
    this.looks += 1;
    const heads = await Promise.all(this.usable.map((node) => node.answer(() => node.head)));
    return heads.reduce((most, each) => (each > most ? each : most), -1n);
  }

  async fetch(from: bigint, count: number): Promise<Block[]> {
    const last = from + BigInt(count) - 1n;
    const node = this.usable.find(({ head }) => head >= last);
    if (!node) throw new NodeError('elsewhere', 'not-found', `no node has block ${last}`, null);
    return node.answer(() => Array.from({ length: count }, (_, index) => node.blockAt(from + BigInt(index))));
  }

  digest(blocks: readonly Block[], { memo }: DigestContext): Promise<Digest> {
    const [first, last] = [blocks[0]!.height, blocks.at(-1)!.height];
    if (this.expected !== null && this.expected !== first)
      throw new Error(`expected ${this.expected}, got ${first}`);
    if ((memo?.['last'] ?? '-1') !== String(first - 1n))
      throw new Error(`the memo is not of block ${first - 1n}`);
    this.expected = last + 1n;
    this.digested.push([first, last]);
    const rows = blocks.flatMap(({ height }) => this.rowsOf(height));
    const kind = transactionRows as unknown as RowKind;
    return Promise.resolve({ rows: [{ kind, scope, rows }], memo: { last: String(last) } });
  }

  forget(): void {
    this.expected = null;
  }

  setAside(source: string): boolean {
    for (const node of this.nodes) node.isAside ||= node.source === source;
    return this.usable.length > 0;
  }

  /** A transaction makes two outputs; the first is spent by the next block, the second nine blocks later. */
  private rowsOf(height: bigint): object[] {
    const wrong = this.nodes.some(({ faults }) => faults.wrongRowAt === height);
    const consumed = [
      ...(height > 0n ? [outputOf(height - 1n, 0)] : []),
      ...(height > 8n ? [outputOf(height - 9n, 1)] : []),
    ];
    const fields = {
      blockNumber: String(height),
      blockHash: idOf(`block ${height}`),
      blockTimestamp: START + Number(height),
      consumedUtxos: consumed,
      emittedUtxos: [outputOf(height, 0), outputOf(height, 1)],
      ...(wrong && { blockTimestamp: 'never' }),
    };
    return [transactionRow(`tx ${height}`, fields)];
  }
}

function outputOf(height: bigint, index: number) {
  const fields = {
    txHash: idOf(`tx ${height}`),
    outputIndex: index,
    amount: String(1000n + height),
    blockNumber: String(height),
    blockTimestamp: START + Number(height),
  };
  return utxoRow(`output ${height}:${index}`, fields, 'fuji');
}
