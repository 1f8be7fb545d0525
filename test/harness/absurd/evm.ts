import { hash } from 'node:crypto';
import { encodeAbiParameters } from 'viem';
import { evmHeaderHash, l1HeaderHash } from '../../../src/avalanche/codec/evm-header.js';
import { extDataHash } from '../../../src/avalanche/codec/c-transaction.js';
import {
  readTransaction,
  transactionHash,
  transactionsRoot,
} from '../../../src/avalanche/codec/evm-transaction.js';
import { readReceipt, receiptsRoot } from '../../../src/avalanche/codec/evm-receipt.js';
import { tokenTopics } from '../../../src/avalanche/evm-events.js';
import { Random } from '../random.js';
import type { AbsurdMessenger } from './messages.js';
import { absurdText, bytesOf } from './values.js';

const hex = (bytes: Uint8Array) => `0x${Buffer.from(bytes).toString('hex')}` as const;
const quantity = (value: bigint | number) => `0x${value.toString(16)}`;
const MAX = 2n ** 256n - 1n;

const word = (random: Random): bigint =>
  random.one([
    0n,
    1n,
    32n,
    64n,
    96n,
    2n ** 31n,
    2n ** 53n,
    2n ** 64n,
    2n ** 255n,
    MAX - 1n,
    MAX,
    BigInt(hex(bytesOf(random, 32))),
  ]);
const wordHex = (random: Random) => word(random).toString(16).padStart(64, '0');

/** Contracts and accounts, few enough to meet again. */
const accountAt = (random: Random) =>
  `0x${(random.chance(0.1) ? 0 : 0x7000 + random.below(12)).toString(16).padStart(40, '0')}`;

export interface AbsurdBlock {
  /** As eth_getBlockByNumber gives it. */
  readonly block: Record<string, unknown>;
  readonly receipts: readonly object[];
  readonly traces: readonly object[];
}

/** Blocks of an EVM chain whose logs, calls and amounts are a stranger's. */
export class AbsurdEvm {
  readonly blocks: AbsurdBlock[];

  /** @param first its genesis block */
  constructor(
    private readonly random: Random,
    first: Record<string, unknown>,
    private readonly form: 'c-chain' | 'l1' = 'c-chain',
    private readonly messenger: AbsurdMessenger | null = null,
  ) {
    this.blocks = [{ block: first, receipts: [], traces: [] }];
  }

  /**
   * @param extraData of the C-chain: its atomic transactions
   * @param logs of the only transaction; any when absent
   * @param gasUsed by each transaction
   */
  add(
    time: number,
    extraData: Uint8Array = new Uint8Array(0),
    logs: readonly object[] | null = null,
    gasUsed = 21_000,
  ): void {
    const { random } = this;
    const { block: last } = this.blocks.at(-1)!;
    const transactions = Array.from({ length: logs ? 1 : random.below(4) }, () => this.transaction());
    const hashes = transactions.map(({ body }) => body.hash);
    let gas = 0;
    const receipts = hashes.map((transactionHash) => ({
      transactionHash,
      status: '0x1',
      type: '0x2',
      cumulativeGasUsed: quantity((gas += gasUsed)),
      effectiveGasPrice: quantity(random.one([0n, 25n, 2n ** 64n])),
      logsBloom: `0x${'f'.repeat(512)}`,
      logs: logs ?? Array.from({ length: random.below(6) }, () => this.log()),
    }));
    const root = receiptsRoot(receipts.map(readReceipt));
    const block: Record<string, unknown> = {
      ...last,
      parentHash: last['hash'],
      number: quantity(this.blocks.length),
      timestamp: quantity(time),
      logsBloom: `0x${'f'.repeat(512)}`,
      receiptsRoot: root,
      transactions: transactions.map(({ body }) => body),
      miner: accountAt(random),
      extraData: hex(absurdText(random, 200)),
      gasUsed: quantity(gas),
      baseFeePerGas: quantity(word(random)),
      transactionsRoot: transactionsRoot(transactions.map(({ encoded }) => encoded)),
    };
    if (this.form === 'c-chain')
      Object.assign(block, { extDataHash: extDataHash(extraData), blockExtraData: hex(extraData) });
    block['hash'] = (this.form === 'c-chain' ? evmHeaderHash : l1HeaderHash)(block);
    const traces = transactions.map(({ body }) => ({ txHash: body.hash, result: this.root(body, gasUsed) }));
    this.blocks.push({ block, receipts, traces });
  }

  /** What it answers to a call of a method of the EVM; undefined: nothing of its own. */
  answer(method: string, params: unknown): object | undefined {
    const [first] = params as [string];
    switch (method) {
      case 'eth_blockNumber':
        return { result: quantity(this.blocks.length - 1) };
      case 'eth_getBlockByNumber':
      case 'eth_getHeaderByNumber':
        return { result: this.blockAt(Number(first), (params as [string, boolean])[1]) };
      case 'eth_getBlockReceipts':
        return { result: this.blocks[Number(first)]?.receipts ?? null };
      case 'debug_traceBlockByNumber':
        return { result: this.blocks[Number(first)]?.traces ?? [] };
      case 'eth_getBalance':
        return { result: `0x${hash('sha256', first)}` };
      case 'eth_call':
        return this.call((params as [{ to: string; data: string }])[0]);
      default:
        return undefined;
    }
  }

  private blockAt(height: number, isWhole: boolean): object | null {
    const { block } = this.blocks[height] ?? {};
    if (!block || isWhole) return block ?? null;
    const transactions = (block['transactions'] as { hash: string }[]).map(({ hash: each }) => each);
    return { ...block, transactions };
  }

  /** Whatever its sender wrote, with the hash and the bytes that it has. */
  private transaction() {
    const { random } = this;
    const unhashed = {
      hash: `0x${'0'.repeat(64)}`,
      type: '0x0',
      from: accountAt(random),
      to: random.chance(0.9) ? accountAt(random) : null,
      nonce: quantity(word(random) % 2n ** 64n),
      // Its sender must have had what it costs: less than 2^256 wei.
      gasPrice: quantity(word(random) % 2n ** 128n),
      gas: quantity(word(random) % 2n ** 64n),
      value: quantity(word(random)),
      input: hex(bytesOf(random, random.below(50))),
      v: '0x1b',
      r: quantity(word(random)),
      s: quantity(word(random)),
    };
    const encoded = readTransaction(unhashed).encoded!;
    return { encoded, body: { ...unhashed, hash: transactionHash(encoded) } };
  }

  /** The frame of a transaction, and whatever it calls. */
  private root({ from, to, value, input }: ReturnType<AbsurdEvm['transaction']>['body'], gasUsed: number) {
    const { calls, error, revertReason } = this.frame(0);
    // A node leaves it out where the creation failed.
    const made = error !== undefined && this.random.chance(0.6) ? {} : { to: accountAt(this.random) };
    return {
      type: to === null ? 'CREATE' : 'CALL',
      from,
      ...(to === null ? made : { to }),
      value,
      gas: quantity(word(this.random)),
      gasUsed: quantity(gasUsed),
      input,
      ...(error === undefined ? {} : { error, revertReason }),
      ...(calls === undefined ? {} : { calls }),
    };
  }

  /** The same for the same question, so that a second follower hears the same. */
  private call({ to, data }: { to: string; data: string }): object {
    const random = new Random(Number.parseInt(hash('sha256', to + data).slice(0, 7), 16));
    return random.one<() => object>([
      () => ({ result: '0x' }),
      () => ({ result: hex(bytesOf(random, random.below(100))) }),
      () => ({ result: `0x${wordHex(random)}` }),
      () => ({ result: `0x${wordHex(random)}` }),
      () => ({ result: encodeAbiParameters([{ type: 'bytes' }], [hex(absurdText(random, 2000))]) }),
      () => ({
        result: encodeAbiParameters(
          [{ type: 'bytes' }],
          [hex(Buffer.alloc(100_000, random.one([0, 0xff, 0x61])))],
        ),
      }),
      () => ({
        error: {
          code: 3,
          message: `execution reverted: ${absurdText(random, 300).toString('latin1')}`,
          data: '0x',
        },
      }),
    ])();
  }

  private log(): object {
    const { random } = this;
    if (this.messenger && random.chance(0.4)) return this.messenger.log();
    const topics = (first: string, count: number) => [
      first,
      ...Array.from(
        { length: count },
        () => `0x${random.chance(0.5) ? accountAt(random).slice(2).padStart(64, '0') : wordHex(random)}`,
      ),
    ];
    const words = (count: number) => `0x${Array.from({ length: count }, () => wordHex(random)).join('')}`;
    const lists = () => {
      const ids = Array.from({ length: random.one([0, 1, 3, 500]) }, () => word(random));
      return encodeAbiParameters([{ type: 'uint256[]' }, { type: 'uint256[]' }], [ids, ids]);
    };
    return {
      address: accountAt(random),
      ...random.one<() => { topics: string[]; data: string }>([
        () => ({ topics: topics(tokenTopics.transfer, 3), data: '0x' }),
        () => ({ topics: topics(tokenTopics.transfer, 2), data: words(1) }),
        () => ({ topics: topics(tokenTopics.single, 3), data: words(2) }),
        () => ({
          topics: topics(tokenTopics.batch, 3),
          data: random.chance(0.6) ? lists() : words(random.below(9)),
        }),
        () => ({ topics: topics(tokenTopics.consecutive, 3), data: words(1) }),
        () => ({
          topics: topics(random.one(Object.values(tokenTopics)), random.below(4)),
          data: hex(bytesOf(random, random.below(300))),
        }),
        () => ({ topics: [], data: hex(Buffer.alloc(random.one([0, 1, 100_000]))) }),
      ])(),
    };
  }

  private frame(depth: number): Record<string, unknown> {
    const { random } = this;
    const type =
      depth === 0
        ? 'CALL'
        : random.one(['CALL', 'CALLCODE', 'CREATE', 'CREATE2', 'DELEGATECALL', 'STATICCALL', 'SELFDESTRUCT']);
    const calls =
      depth > 40
        ? []
        : Array.from({ length: random.chance(0.9) ? random.below(3) : 0 }, () =>
            this.frame(depth + 1 + random.below(20)),
          );
    const text = absurdText(random, 300).toString('latin1');
    const hasFailed = text !== '' && random.chance(0.2);
    const leavesOut = hasFailed && type.startsWith('CREATE') && random.chance(0.6);
    return {
      type,
      from: accountAt(random),
      ...(leavesOut ? {} : { to: accountAt(random) }),
      ...(type === 'STATICCALL' || type === 'DELEGATECALL' ? {} : { value: quantity(word(random)) }),
      gas: quantity(word(random)),
      gasUsed: quantity(word(random)),
      input: hex(bytesOf(random, random.below(50))),
      ...(hasFailed ? { error: text, revertReason: text } : {}),
      ...(calls.length > 0 ? { calls } : {}),
    };
  }
}
