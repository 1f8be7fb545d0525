import { withChecksum, withoutChecksum } from '../../../src/avalanche/cb58.js';
import { decodePBlock, decodeXBlock } from '../../../src/avalanche/codec/block.js';
import type { AtomicTransaction, PTransaction, XTransaction } from '../../../src/avalanche/codec/types.js';
import { concat, list, u32Bytes as u32, u64Bytes as u64 } from '../../../src/avalanche/codec/writer.js';
import { decodeCb58 } from '../../../src/avalanche/cb58.js';
import { excerptAnswer, excerptHeads } from '../excerpt-node.js';
import { serveNode, type NodeServer } from '../node-server.js';
import { WrittenChain } from '../p-writer.js';
import type { Random } from '../random.js';
import { AbsurdEvm } from './evm.js';
import { AbsurdLedger, type AbsurdTransaction, type Ids } from './ledger.js';
import { AbsurdMessenger } from './messages.js';

const VERSION = 2;
const hex = (bytes: Uint8Array) => `0x${Buffer.from(withChecksum(bytes)).toString('hex')}`;
const bytesOf = (text: string) => withoutChecksum(Buffer.from(text.slice(2), 'hex'));

function recorded<T>(path: string, method: string, params: unknown): T {
  return (excerptAnswer(path, method, params, excerptHeads) as { result: T }).result;
}

/** Blocks of P, X and C of the recorded network's genesis, with what strangers wrote into them. */
export class AbsurdNetwork {
  readonly p: AbsurdTransaction<PTransaction>[] = [];
  readonly x: AbsurdTransaction<XTransaction>[] = [];
  readonly c: AtomicTransaction[] = [];
  readonly evm: AbsurdEvm;
  readonly messenger: AbsurdMessenger;
  private readonly pChain: WrittenChain;
  private readonly xBlocks: Uint8Array[];
  private readonly ledger: AbsurdLedger;
  private time: number;

  constructor(
    private readonly random: Random,
    start: number,
  ) {
    const block = (chain: 'P' | 'X', service: string) =>
      bytesOf(
        recorded<{ block: string }>(`/ext/bc/${chain}`, `${service}.getBlockByHeight`, {
          height: '0',
          encoding: 'hex',
        }).block,
      );
    const idOf = (alias: string) =>
      recorded<{ blockchainID: string }>('/ext/info', 'info.getBlockchainID', { alias }).blockchainID;
    const ids: Ids = {
      networkId: Number(recorded<{ networkID: string }>('/ext/info', 'info.getNetworkID', {}).networkID),
      assetId: recorded<{ assetID: string }>('/ext/bc/P', 'platform.getStakingAssetID', {}).assetID,
      x: idOf('X'),
      c: idOf('C'),
    };
    this.pChain = new WrittenChain(decodePBlock(block('P', 'platform')));
    this.xBlocks = [block('X', 'avm')];
    this.messenger = new AbsurdMessenger(random, ids.c, () =>
      this.p.flatMap(({ transaction: { type, id } }) => (type === 'CreateChainTx' ? id : [])),
    );
    const first = recorded<Record<string, unknown>>('/ext/bc/C/rpc', 'eth_getBlockByNumber', ['0x0', false]);
    this.evm = new AbsurdEvm(random, first, 'c-chain', this.messenger);
    this.ledger = new AbsurdLedger(random, ids);
    this.time = start;
  }

  /** Writes a block of each chain. */
  grow(): void {
    const { random, ledger } = this;
    const p = Array.from({ length: random.below(4) }, () => ledger.p());
    const x = Array.from({ length: random.below(4) }, () => ledger.x());
    const c = Array.from({ length: random.below(3) }, () => ledger.c());
    this.add(p, x, c);
  }

  /** Writes a block of the P-chain with chains of these genesis, and one of the C-chain with these logs. */
  write(genesis: readonly Uint8Array[], logs: readonly object[] = [], gasUsed?: number): void {
    this.add(
      genesis.map((bytes) => this.ledger.chain(Buffer.from('a chain'), bytes)),
      [],
      [],
      logs,
      gasUsed,
    );
  }

  private add(
    p: readonly AbsurdTransaction<PTransaction>[],
    x: readonly AbsurdTransaction<XTransaction>[],
    c: readonly AtomicTransaction[],
    logs: readonly object[] | null = null,
    gasUsed?: number,
  ): void {
    const { random, ledger } = this;
    this.time += random.one([0, 1, 10, 100_000]);
    for (const { transaction } of p) ledger.note('p', transaction);
    for (const { transaction } of x) ledger.note('x', transaction);
    this.p.push(...p);
    this.x.push(...x);
    this.c.push(...c);
    this.pChain.banffStandard(
      this.time,
      p.map(({ transaction }) => transaction),
    );
    this.xBlocks.push(this.xBlock(x.map(({ transaction }) => transaction)));
    const bodies = c.map(({ bytes }) => bytes.subarray(VERSION));
    this.evm.add(
      this.time,
      c.length === 0 ? new Uint8Array(0) : concat([new Uint8Array(VERSION), list(bodies)]),
      logs,
      gasUsed,
    );
  }

  serve(): Promise<NodeServer> {
    const transactions = new Map<string, Uint8Array>();
    for (const { transaction } of [...this.p, ...this.x]) transactions.set(transaction.id, transaction.bytes);
    const heads = {
      P: this.pChain.blocks.length - 1,
      X: this.xBlocks.length - 1,
      C: this.evm.blocks.length - 1,
    };
    return serveNode({
      heads,
      answer: (path, method, params, now) => {
        const { height, txID } = params as Record<string, string>;
        const known = transactions.get(txID ?? '');
        if (path === '/ext/bc/C/rpc')
          return this.evm.answer(method, params) ?? excerptAnswer(path, method, params, now);
        if (method.endsWith('.getTx') && known) return { result: { tx: hex(known), encoding: 'hex' } };
        const blocks = path === '/ext/bc/P' ? this.pChain.blocks.map(({ bytes }) => bytes) : this.xBlocks;
        const block = blocks[Number(height)];
        if (method.endsWith('.getBlockByHeight') && block)
          return { result: { block: hex(block), encoding: 'hex' } };
        return excerptAnswer(path, method, params, now);
      },
    });
  }

  private xBlock(transactions: readonly XTransaction[]): Uint8Array {
    const last = decodeXBlock(this.xBlocks.at(-1)!);
    const parent = Uint8Array.from(decodeCb58(last.id) ?? []);
    const position = [parent, u64(last.height + 1n), u64(BigInt(this.time)), new Uint8Array(32)];
    const bodies = transactions.map(({ bytes }) => bytes.subarray(VERSION));
    return concat([new Uint8Array(VERSION), u32(20), ...position, list(bodies)]);
  }
}
