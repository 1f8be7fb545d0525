import { decodeCb58 } from '../../../src/avalanche/cb58.js';
import { decodeAtomicTransaction } from '../../../src/avalanche/codec/c-transaction.js';
import { decodePTransaction } from '../../../src/avalanche/codec/p-transaction.js';
import type {
  AtomicTransaction,
  PTransaction,
  Utxo,
  XTransaction,
} from '../../../src/avalanche/codec/types.js';
import {
  concat,
  list,
  sized,
  u32Bytes as u32,
  u64Bytes as u64,
} from '../../../src/avalanche/codec/writer.js';
import { decodeXTransaction } from '../../../src/avalanche/codec/x-transaction.js';
import type { Random } from '../random.js';
import { AbsurdL1s } from './l1.js';
import { absurdGenesis, absurdText, absurdU32, absurdU64, bytesOf, type AbsurdGenesis } from './values.js';

/** The network for which they are written. */
export interface Ids {
  readonly networkId: number;
  readonly assetId: string;
  readonly x: string;
  readonly c: string;
}

/** Who owns an output, as it was written. */
interface WrittenOwners {
  readonly locktime: bigint;
  readonly threshold: number;
  readonly addresses: readonly Uint8Array[];
}

/** An output as it was written. */
export interface WrittenOutput extends WrittenOwners {
  readonly amount: bigint;
  readonly stakeableLocktime: bigint | null;
}

/** What was written into a transaction; a member that its type does not have is absent. */
export interface Written {
  readonly memo?: Uint8Array;
  readonly outputs: readonly WrittenOutput[];
  readonly owner?: WrittenOwners;
  readonly chain?: { readonly name: Uint8Array; readonly genesis: AbsurdGenesis };
  readonly asset?: { readonly name: Uint8Array; readonly symbol: Uint8Array; readonly denomination: number };
}

export interface AbsurdTransaction<T> {
  readonly transaction: T;
  readonly written: Written;
}

/** All that will ever exist, nAVAX. */
const MOST_AVAX = 720_000_000_000_000_000n;
const VERSION = Uint8Array.of(0, 0);
const NO_CREDENTIALS = u32(0);
const id = (text: string) => Uint8Array.from(decodeCb58(text) ?? []);
const ZERO = new Uint8Array(32);
const u16Sized = (bytes: Uint8Array) =>
  concat([Uint8Array.of(bytes.length >>> 8, bytes.length & 255), bytes]);

const ownersBytes = ({ locktime, threshold, addresses }: WrittenOwners) =>
  concat([u64(locktime), u32(threshold), list(addresses)]);

function owners(random: Random, most = 6): WrittenOwners {
  const count = random.chance(0.05) ? 300 : random.below(most);
  // In order and each once, as nodes demand.
  const addresses = Array.from({ length: count }, () => bytesOf(random, 20)).sort((a, b) =>
    Buffer.compare(a, b),
  );
  return { locktime: absurdU64(random), threshold: absurdU32(random), addresses };
}

/** Writes transactions of P, X and C whose every member that a stranger writes may be anything. */
export class AbsurdLedger {
  /** Outputs of the P-chain that may be spent, and of X. */
  private readonly free: Record<'p' | 'x', Utxo[]> = { p: [], x: [] };
  /** Exported to the C-chain. */
  private readonly exported: { utxo: Utxo; from: 'p' | 'x' }[] = [];
  private readonly assets: string[] = [];
  private readonly l1s: AbsurdL1s;

  constructor(
    private readonly random: Random,
    private readonly ids: Ids,
  ) {
    this.l1s = new AbsurdL1s(random, ids.networkId, MOST_AVAX);
  }

  p(): AbsurdTransaction<PTransaction> {
    const { random } = this;
    const write = random.one([
      () => this.createChain(),
      () => this.createChain(),
      () => this.createSubnet(),
      () => this.convert(),
      () => this.transform(),
      () => this.subnetValidator(),
      () => this.simple(34, []),
      () => this.exportTo(18, 'p'),
      () => this.transferOwnership(),
      () => this.changeL1(),
    ]);
    const made = write();
    const transaction = decodePTransaction(made.bytes);
    this.l1s.note(transaction);
    return { ...made, transaction };
  }

  x(): AbsurdTransaction<XTransaction> {
    const { random } = this;
    const write = random.one([
      () => this.createAsset(),
      () => this.operation(),
      () => this.simple(0, [], 'x'),
      () => this.exportTo(4, 'x'),
    ]);
    const made = write();
    const transaction = decodeXTransaction(made.bytes);
    if (transaction.type === 'CreateAssetTx') this.assets.push(transaction.id);
    return { ...made, transaction };
  }

  /** Call it with each: its outputs can be spent by later ones. */
  note(chain: 'p' | 'x', { outputs }: PTransaction | XTransaction): void {
    for (const utxo of outputs) {
      if (utxo.output.kind !== 'transfer') continue;
      if (utxo.role === 'own') this.free[chain].push(utxo);
      if (utxo.role === 'exported') this.exported.push({ utxo, from: chain });
    }
  }

  c(): AtomicTransaction {
    const { random, ids } = this;
    const head = (type: number) => [u32(type), u32(ids.networkId), id(ids.c)];
    const account = () => [bytesOf(random, 20), u64(absurdU64(random)), id(ids.assetId)];
    const spent = this.exported.splice(0, 1 + random.below(3));
    const [first] = spent;
    if (first && random.chance(0.6)) {
      const same = spent.filter(({ from }) => from === first.from);
      this.exported.push(...spent.filter(({ from }) => from !== first.from));
      const source = first.from === 'p' ? ZERO : id(ids.x);
      const accounts = Array.from({ length: random.below(4) }, () => concat(account()));
      const fields = [source, list(same.map(({ utxo }) => input(utxo))), list(accounts)];
      return decodeAtomicTransaction(concat([VERSION, ...head(0), ...fields, NO_CREDENTIALS]));
    }
    this.exported.push(...spent);
    const accounts = Array.from({ length: random.below(4) }, () =>
      concat([...account(), u64(absurdU64(random))]),
    );
    const { bytes } = this.outputs(2, false);
    const fields = [id(ids.x), list(accounts), bytes];
    return decodeAtomicTransaction(concat([VERSION, ...head(1), ...fields, NO_CREDENTIALS]));
  }

  /** A CreateChainTx with this name and genesis. */
  chain(name: Uint8Array, genesis: Uint8Array): AbsurdTransaction<PTransaction> {
    const made = this.createChain(name, { bytes: Buffer.from(genesis), isSound: false });
    return { ...made, transaction: decodePTransaction(made.bytes) };
  }

  private createChain(
    name: Uint8Array = absurdText(this.random, this.random.one([128, 128, 65_535])),
    genesis: AbsurdGenesis = absurdGenesis(this.random),
  ) {
    const { random } = this;
    const fields = [
      bytesOf(random, 32),
      u16Sized(name),
      bytesOf(random, 32),
      list([bytesOf(random, 32)]),
      sized(genesis.bytes),
      this.authorization(),
    ];
    return this.simple(15, fields, 'p', { chain: { name, genesis } });
  }

  private createSubnet() {
    const owner = owners(this.random);
    return this.simple(16, [u32(11), ownersBytes(owner)], 'p', { owner });
  }

  private transferOwnership() {
    const owner = owners(this.random);
    return this.simple(
      33,
      [bytesOf(this.random, 32), this.authorization(), u32(11), ownersBytes(owner)],
      'p',
      { owner },
    );
  }

  private convert() {
    const { random } = this;
    const plain = () => {
      const { threshold, addresses } = owners(random);
      return concat([u32(threshold), list(addresses)]);
    };
    const validator = () =>
      concat([
        sized(bytesOf(random, 20)),
        u64(1n + absurdU64(random) / 2n),
        u64(absurdU64(random) % MOST_AVAX),
        bytesOf(random, 48),
        bytesOf(random, 96),
        plain(),
        plain(),
      ]);
    const validators = Array.from({ length: random.below(5) }, validator);
    const manager = bytesOf(random, random.one([0, 19, 20, 20, 32, 4096]));
    return this.simple(35, [
      bytesOf(random, 32),
      bytesOf(random, 32),
      sized(manager),
      list(validators),
      this.authorization(),
    ]);
  }

  private changeL1() {
    const { type, fields } = this.l1s.change();
    return this.simple(type, fields);
  }

  /** The rates of a subnet of a stranger's own. */
  private transform() {
    const { random } = this;
    const numbers = [
      ...Array.from({ length: 6 }, () => u64(absurdU64(random))),
      ...[0, 0, 0].map(() => u32(absurdU32(random))),
    ];
    const rest = [u64(absurdU64(random)), Uint8Array.of(random.below(256)), u32(absurdU32(random))];
    return this.simple(24, [
      bytesOf(random, 32),
      bytesOf(random, 32),
      ...numbers,
      ...rest,
      this.authorization(),
    ]);
  }

  private subnetValidator() {
    const { random } = this;
    const validator = [
      bytesOf(random, 20),
      u64(absurdU64(random)),
      u64(absurdU64(random)),
      u64(absurdU64(random)),
    ];
    return this.simple(13, [...validator, bytesOf(random, 32), this.authorization()]);
  }

  private createAsset() {
    const { random } = this;
    const name = absurdText(random, random.one([128, 128, 65_535]));
    const symbol = absurdText(random, random.one([4, 65_535]));
    const denomination = random.one([0, 9, 32, 33, 255]);
    const states = Array.from({ length: random.below(3) }, (_, index) => {
      const made = Array.from({ length: random.below(4) }, () => {
        const owner = ownersBytes(owners(random));
        return random.one([
          concat([u32(6), owner]),
          concat([u32(7), u64(absurdU64(random)), owner]),
          concat([u32(10), u32(absurdU32(random)), owner]),
          concat([u32(15), owner]),
        ]);
      });
      return concat([u32(index), list(made)]);
    });
    const fields = [u16Sized(name), u16Sized(symbol), Uint8Array.of(denomination), list(states)];
    return this.simple(1, fields, 'x', { asset: { name, symbol, denomination } });
  }

  private operation() {
    const { random } = this;
    const asset = this.assets.length > 0 ? id(random.one(this.assets)) : id(this.ids.assetId);
    const payload = absurdText(random, 1024);
    const mint = [u32(12), u32(0), u32(absurdU32(random)), sized(payload)];
    const receivers = Array.from({ length: random.below(5) }, () => ownersBytes(owners(random)));
    return this.simple(2, [list([concat([asset, list([]), ...mint, list(receivers)])])], 'x');
  }

  private exportTo(type: number, chain: 'p' | 'x') {
    const exported = this.outputs(4, false);
    const made = this.simple(type, [id(this.ids.c), exported.bytes], chain);
    return { ...made, written: { ...made.written, outputs: [...made.written.outputs, ...exported.outputs] } };
  }

  private authorization(): Uint8Array {
    return concat([u32(10), list([u32(absurdU32(this.random))])]);
  }

  /** A transaction of a type that has a base. */
  private simple(
    type: number,
    fields: readonly Uint8Array[],
    chain: 'p' | 'x' = 'p',
    written: Partial<Written> = {},
  ) {
    const { random, ids } = this;
    const memo = random.chance(0.05)
      ? Buffer.alloc(70_000, 1)
      : bytesOf(random, random.one([0, 1, 256, 257]));
    const own = this.outputs(random.chance(0.02) ? 400 : 5, chain === 'p');
    const free = this.free[chain];
    const spent = free.splice(0, random.below(4));
    const blockchain = chain === 'p' ? ZERO : id(ids.x);
    const base = [
      u32(random.chance(0.9) ? ids.networkId : absurdU32(random)),
      blockchain,
      own.bytes,
      list(spent.map(input)),
      sized(memo),
    ];
    const bytes = concat([VERSION, u32(type), ...base, ...fields, NO_CREDENTIALS]);
    return { bytes, written: { ...written, memo, outputs: own.outputs } };
  }

  private outputs(most: number, mayStake: boolean): { bytes: Uint8Array; outputs: WrittenOutput[] } {
    const { random, ids } = this;
    const count = most > 100 ? most : random.below(most);
    const outputs = Array.from({ length: count }, () => ({
      ...owners(random),
      amount: absurdU64(random),
      stakeableLocktime: mayStake && random.chance(0.2) ? absurdU64(random) : null,
    }));
    const bytes = outputs.map(({ amount, stakeableLocktime, ...owner }) =>
      concat([
        id(ids.assetId),
        ...(stakeableLocktime === null ? [] : [u32(22), u64(stakeableLocktime)]),
        u32(7),
        u64(amount),
        ownersBytes(owner),
      ]),
    );
    return { bytes: list(bytes), outputs };
  }
}

function input({ txId, outputIndex, assetId, output }: Utxo): Uint8Array {
  const lock = output.stakeableLocktime === null ? [] : [u32(21), u64(output.stakeableLocktime)];
  return concat([
    id(txId),
    u32(outputIndex),
    id(assetId),
    ...lock,
    u32(5),
    u64(output.amount),
    list([u32(0)]),
  ]);
}
