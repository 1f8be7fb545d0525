import { decodeCb58 } from '../../src/avalanche/cb58.js';
import { decodePTransaction } from '../../src/avalanche/codec/p-transaction.js';
import { decodePBlock } from '../../src/avalanche/codec/block.js';
import type { PBlock, PTransaction, Utxo } from '../../src/avalanche/codec/types.js';

/*
 * Writes blocks and transactions of the P-chain, also of kinds that no node makes today. Nobody signs them.
 */

const u32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const u64 = (value: bigint | number) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
};
const id = (text: string) => Buffer.from(decodeCb58(text) ?? []);
const list = (items: readonly Uint8Array[]) => Buffer.concat([u32(items.length), ...items]);
const sized = (bytes: Uint8Array) => Buffer.concat([u32(bytes.length), bytes]);
const nodeBytes = (nodeId: string) => id(nodeId.slice('NodeID-'.length));

const VERSION = Buffer.alloc(2);
const NO_CREDENTIALS = u32(0);

/** An owner by a number, no locktime. */
const owners = (owner: number) => Buffer.concat([u32(11), u64(0), u32(1), list([Buffer.alloc(20, owner)])]);

const output = (assetId: string, amount: bigint, owner: number) =>
  Buffer.concat([id(assetId), u32(7), u64(amount), owners(owner).subarray(4)]);

const input = ({ txId, outputIndex, assetId, output: { amount } }: Utxo) =>
  Buffer.concat([id(txId), u32(outputIndex), id(assetId), u32(5), u64(amount), list([u32(0)])]);

/** What a transaction consumes, what it stakes, and what it leaves to its owner; the rest is its fee. */
export interface Spending {
  readonly consumed: readonly Utxo[];
  readonly kept: bigint;
  readonly stake?: bigint;
  readonly owner: number;
}

/** When a node stakes; the stake's sum is its weight. */
export interface Period {
  readonly nodeId: string;
  readonly start: number;
  readonly end: number;
}

/** Writes for one network. */
export class PWriter {
  constructor(
    private readonly networkId: number,
    private readonly assetId: string,
  ) {}

  addValidator(spending: Spending, period: Period, shares: number): PTransaction {
    const stake = this.stakes(spending);
    const fields = [validator(period, spending), stake, owners(spending.owner), u32(shares)];
    return this.transaction(12, [this.base(spending), ...fields]);
  }

  addDelegator(spending: Spending, period: Period): PTransaction {
    const fields = [validator(period, spending), this.stakes(spending), owners(spending.owner)];
    return this.transaction(14, [this.base(spending), ...fields]);
  }

  /** A validator that begins again by itself (ACP-236). @param seconds of a period */
  addAutoRenewed(
    spending: Spending,
    nodeId: string,
    shares: { fee: number; kept: number },
    seconds: number,
  ): PTransaction {
    const [reward, fee, config] = [0, 1, 2].map((more) => owners(spending.owner + more)) as [
      Buffer,
      Buffer,
      Buffer,
    ];
    const fields = [sized(nodeBytes(nodeId)), u32(27), this.stakes(spending), reward, fee, config];
    return this.transaction(40, [
      this.base(spending),
      ...fields,
      u32(shares.fee),
      u32(shares.kept),
      u64(seconds),
    ]);
  }

  setAutoRenewed(spending: Spending, stakingTxId: string, kept: number, seconds: number): PTransaction {
    const authorization = Buffer.concat([u32(10), u32(0)]);
    return this.transaction(41, [
      this.base(spending),
      id(stakingTxId),
      authorization,
      u32(kept),
      u64(seconds),
    ]);
  }

  move(spending: Spending): PTransaction {
    return this.transaction(34, [this.base(spending)]);
  }

  advanceTime(time: number): PTransaction {
    return this.transaction(19, [u64(time)]);
  }

  reward(stakingTxId: string): PTransaction {
    return this.transaction(20, [id(stakingTxId)]);
  }

  rewardAutoRenewed(stakingTxId: string, time: number): PTransaction {
    return this.transaction(42, [id(stakingTxId), u64(time)]);
  }

  private transaction(type: number, fields: readonly Uint8Array[]): PTransaction {
    return decodePTransaction(Buffer.concat([VERSION, u32(type), ...fields, NO_CREDENTIALS]));
  }

  private base({ consumed, kept, owner }: Spending): Buffer {
    const outputs = kept > 0n ? [output(this.assetId, kept, owner)] : [];
    const head = [u32(this.networkId), Buffer.alloc(32), list(outputs), list(consumed.map(input))];
    return Buffer.concat([...head, sized(Buffer.alloc(0))]);
  }

  private stakes({ stake = 0n, owner }: Spending): Buffer {
    return list([output(this.assetId, stake, owner)]);
  }
}

const validator = ({ nodeId, start, end }: Period, { stake = 0n }: Spending) =>
  Buffer.concat([nodeBytes(nodeId), u64(start), u64(end), u64(stake)]);

/** A chain of blocks that is written on, from a first block on. */
export class WrittenChain {
  readonly blocks: PBlock[];

  constructor(first: PBlock) {
    this.blocks = [first];
  }

  /** Before Banff: one proposal, and what was decided. */
  apricotProposal(proposal: PTransaction, isCommitted: boolean): void {
    this.add(0, [this.position(), body(proposal)]);
    this.add(isCommitted ? 2 : 1, [this.position()]);
  }

  apricotStandard(transactions: readonly PTransaction[]): void {
    this.add(3, [this.position(), list(transactions.map(body))]);
  }

  apricotAtomic(transaction: PTransaction): void {
    this.add(4, [this.position(), body(transaction)]);
  }

  banffStandard(time: number, transactions: readonly PTransaction[]): void {
    this.add(32, [u64(time), this.position(), list(transactions.map(body))]);
  }

  banffProposal(time: number, proposal: PTransaction, isCommitted: boolean): void {
    this.add(29, [u64(time), list([]), this.position(), body(proposal)]);
    this.add(isCommitted ? 31 : 30, [u64(time), this.position()]);
  }

  private position(): Buffer {
    const last = this.blocks.at(-1) as PBlock;
    return Buffer.concat([id(last.id), u64(last.height + 1n)]);
  }

  private add(type: number, fields: readonly Uint8Array[]): void {
    this.blocks.push(decodePBlock(Buffer.concat([VERSION, u32(type), ...fields])));
  }
}

/** In a block it stands without its version. */
const body = ({ bytes }: PTransaction) => bytes.subarray(VERSION.length);
