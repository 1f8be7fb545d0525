import { hash } from 'node:crypto';
import { decodeCb58, encodeCb58 } from '../../src/avalanche/cb58.js';
import { decodePTransaction } from '../../src/avalanche/codec/p-transaction.js';
import type { PBlock } from '../../src/avalanche/codec/types.js';
import { endBlock, hexOf, madeValidations, removedValidations } from './l1-validators.js';
import { periodOf } from './stake-period.js';
import type { Recording } from './recording.js';
import { IdFinder, type Reference } from './template.js';

const sha256 = (bytes: Uint8Array): Buffer => hash('sha256', bytes, 'buffer');
/** Repetitions that are kept: what a follower reads ahead. */
const KEPT = 4;
/** Bytes before the type of a transaction that stand in its bytes and not in those of its block. */
const VERSION = 2;
/** Seconds between two repetitions, in which the price for L1 validators falls to its least. */
const GAP = 1000;

interface TransactionTemplate {
  readonly bytes: Buffer;
  readonly references: readonly Reference[];
  /**
   * Where a signature ends, in which any bytes may stand; null without one: its id follows from its
   * references.
   */
  readonly salt: number | null;
  /** Ids of L1 validators that it makes. */
  readonly validations: readonly string[];
  /** Where the period of a stake stands; null where there is none. */
  readonly periodAt: number | null;
}

interface BlockTemplate {
  readonly bytes: Buffer;
  readonly references: readonly Reference[];
  /** Each transaction's place in the bytes. */
  readonly transactions: readonly { offset: number; id: string }[];
  readonly parentAt: number;
  readonly time: number | null;
}

/** One repetition of the recording: the same blocks with other ids. */
interface Lap {
  readonly blocks: readonly Buffer[];
  readonly last: Buffer;
  /** New ids by recorded ones, and transactions by new ids; hex. */
  readonly ids: ReadonlyMap<string, Buffer>;
  readonly transactions: ReadonlyMap<string, { id: string; bytes: Buffer }>;
}

/**
 * A P-chain of any length with the mix of a recording: its blocks are repeated with other ids, as if
 * everything happened again. Signatures are not those of anybody; a follower does not look at them.
 */
export class RepeatedChain {
  private readonly templates = new Map<string, TransactionTemplate>();
  private readonly blocks: BlockTemplate[];
  private readonly finder: IdFinder;
  /** Recorded transactions by the L1 validators that they make. */
  private readonly makers = new Map<string, string>();
  /** L1 validators that are not removed. */
  private readonly lasting: readonly string[];
  private readonly laps = new Map<number, Lap>();
  private readonly lastIds: Buffer[] = [];
  private readonly seconds: number;
  private readonly lastTime: number;
  private readonly lapBlocks: number;

  constructor(private readonly recording: Recording) {
    const { pBlocks, transactions } = recording;
    const validations = new Map(transactions.map((one) => [hexOf(one.id), madeValidations(one)]));
    for (const [maker, made] of validations) for (const id of made) this.makers.set(id, maker);
    const removed = new Set(transactions.flatMap(removedValidations));
    this.lasting = [...this.makers.keys()].filter((id) => !removed.has(id));
    this.finder = new IdFinder([...validations.keys(), ...this.makers.keys()]);
    for (const one of transactions) {
      const bytes = Buffer.from(one.bytes);
      const id = hexOf(one.id);
      const isSigned = (one.credentials.at(-1)?.signatures.length ?? 0) > 0;
      this.templates.set(id, {
        bytes,
        references: this.finder.find(bytes),
        validations: validations.get(id) ?? [],
        salt: isSigned ? bytes.length - 4 : null,
        periodAt: periodOf(one, bytes),
      });
    }
    this.blocks = pBlocks.slice(1).map((block) => this.blockTemplate(block));
    this.lastIds.push(Buffer.from(decodeCb58(pBlocks[0]!.id) ?? []));
    const times = this.blocks.flatMap(({ time }) => time ?? []);
    this.lastTime = times.at(-1) ?? 0;
    this.seconds = this.lastTime - (times[0] ?? 0) + GAP;
    this.lapBlocks = this.blocks.length + 1;
  }

  /** The bytes of a block. */
  blockAt(height: number): Uint8Array {
    if (height === 0) return this.recording.pBlocks[0]!.bytes;
    const index = height - 1;
    return this.lap(Math.floor(index / this.lapBlocks)).blocks[index % this.lapBlocks]!;
  }

  /** Whether something in a list shows that this block is stored, and a node may stand on it. */
  isShown(height: number): boolean {
    const block = this.recordedAt(height);
    return block?.type === 'standard' && block.transactions.length > 0;
  }

  /**
   * Where a node stands that was moved to this height: never on a proposal, which is stored with its
   * decision.
   */
  standsAt(height: number): number {
    return this.recordedAt(height)?.type === 'proposal' ? height + 1 : height;
  }

  private recordedAt(height: number): PBlock | undefined {
    return this.recording.pBlocks[height === 0 ? 0 : 1 + ((height - 1) % this.lapBlocks)];
  }

  /** The transaction with this id, its bytes and its id in the recording; ids are CB58. */
  transaction(id: string): { recorded: string; bytes: Buffer } | undefined {
    const hex = hexOf(id);
    for (const lap of [...this.laps.values()].reverse()) {
      const found = lap.transactions.get(hex);
      if (found) return { recorded: encodeCb58(Buffer.from(found.id, 'hex')), bytes: found.bytes };
    }
    return undefined;
  }

  /** What the end of this staker paid. */
  rewards(id: string): Uint8Array[] {
    const recorded = this.transaction(id)?.recorded ?? id;
    return (this.recording.rewards.get(recorded) ?? []).map((bytes) => {
      const paid = Buffer.from(bytes);
      // After the version.
      paid.set(decodeCb58(id) ?? [], VERSION);
      return paid;
    });
  }

  private blockTemplate(block: PBlock): BlockTemplate {
    const bytes = Buffer.from(block.bytes);
    const all = [...block.transactions, ...(block.proposal ? [block.proposal] : [])];
    const transactions = all.map((one) => ({
      offset: bytes.indexOf(one.bytes.subarray(VERSION)),
      id: hexOf(one.id),
    }));
    const parentAt = bytes.indexOf(decodeCb58(block.parent) ?? '');
    return { bytes, references: this.finder.find(bytes), transactions, parentAt, time: block.time };
  }

  private lap(number: number): Lap {
    const known = this.laps.get(number);
    if (known) return known;
    // Each begins with the last id of the one before.
    while (this.lastIds.length <= number) this.lap(this.lastIds.length - 1);
    const lap = this.makeLap(number);
    this.lastIds[number + 1] = lap.last;
    this.laps.set(number, lap);
    if (this.laps.size > KEPT) this.laps.delete(Math.min(...this.laps.keys()));
    return lap;
  }

  private makeLap(number: number): Lap {
    const ids = new Map<string, Buffer>();
    const transactions = new Map<string, { id: string; bytes: Buffer }>();
    for (const id of this.templates.keys()) this.make(id, number, ids, transactions);
    let parent = this.lastIds[number]!;
    const blocks = this.blocks.map((template, index) => {
      const bytes = Buffer.from(template.bytes);
      for (const { offset, id } of template.references) bytes.set(ids.get(id) ?? [], offset);
      for (const { offset, id } of template.transactions)
        bytes.set(transactions.get(ids.get(id)!.toString('hex'))!.bytes.subarray(VERSION), offset);
      bytes.set(parent, template.parentAt);
      bytes.writeBigUInt64BE(BigInt(number * this.lapBlocks + index + 1), template.parentAt + 32);
      // The time stands after version and type.
      if (template.time !== null)
        bytes.writeBigUInt64BE(BigInt(template.time + number * this.seconds), VERSION + 4);
      parent = sha256(bytes);
      return bytes;
    });
    const end = endBlock({
      parent,
      networkId: this.recording.networkId,
      height: (number + 1) * this.lapBlocks,
      time: this.lastTime + number * this.seconds,
      validations: this.lasting.map((id) => ids.get(id)!),
    });
    return { blocks: [...blocks, end], last: sha256(end), ids, transactions };
  }

  /** Makes a transaction once all that it names have their new ids. */
  private make(id: string, lap: number, ids: Map<string, Buffer>, made: Map<string, object>): void {
    const template = this.templates.get(id);
    if (!template || ids.has(id)) return;
    const bytes = Buffer.from(template.bytes);
    for (const reference of template.references) {
      this.make(this.makers.get(reference.id) ?? reference.id, lap, ids, made);
      bytes.set(ids.get(reference.id) ?? [], reference.offset);
    }
    if (template.periodAt !== null)
      for (const at of [template.periodAt, template.periodAt + 8])
        bytes.writeBigUInt64BE(bytes.readBigUInt64BE(at) + BigInt(lap * this.seconds), at);
    if (template.salt !== null && lap > 0) bytes.writeUInt32BE(lap, template.salt);
    const newId = sha256(bytes);
    ids.set(id, newId);
    made.set(newId.toString('hex'), { id, bytes });
    if (template.validations.length === 0) return;
    const now = madeValidations(decodePTransaction(bytes));
    for (const [index, validation] of template.validations.entries())
      ids.set(validation, Buffer.from(now[index] ?? '', 'hex'));
  }
}
