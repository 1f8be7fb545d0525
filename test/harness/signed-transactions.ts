import { createHash } from 'node:crypto';
import { bech32 } from '@scure/base';
import type { TransactionSerializable } from 'viem';
import { privateKeyToAccount, sign, signTransaction } from 'viem/accounts';
import { withChecksum } from '../../src/avalanche/cb58.js';
import type { Utxo } from '../../src/avalanche/codec/types.js';
import { id, u16, u32, u64 } from '../avalanche/codec/encode.js';

/* Writes and signs transactions of all three chains, as a wallet does. */

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();

/** A private key of a test, with its addresses. */
export class Wallet {
  /** SHA-256 of a text: public, for test networks only. */
  private readonly secret: `0x${string}`;
  /** 20 bytes. */
  readonly address: Buffer;
  /** 0x…, with the capitals of ERC-55. */
  readonly evmAddress: `0x${string}`;

  constructor(text: string) {
    this.secret = `0x${sha256(Buffer.from(text)).toString('hex')}`;
    const { publicKey, address } = privateKeyToAccount(this.secret);
    const point = Buffer.from(publicKey.slice(4), 'hex');
    const parity = (point.at(-1) as number) % 2;
    const compressed = Buffer.concat([Buffer.from([2 + parity]), point.subarray(0, 32)]);
    this.address = createHash('ripemd160').update(sha256(compressed)).digest();
    this.evmAddress = address;
  }

  /** As networks of one's own print it. */
  get text(): string {
    return bech32.encode('custom', bech32.toWords(this.address));
  }

  /** 65 bytes: r, s, and which of both keys it is. */
  async signatureOf(bytes: Uint8Array): Promise<Buffer> {
    const {
      r,
      s,
      yParity = 0,
    } = await sign({
      hash: `0x${sha256(bytes).toString('hex')}`,
      privateKey: this.secret,
    });
    const parts = [r, s].map((part) => Buffer.from(part.slice(2).padStart(64, '0'), 'hex'));
    return Buffer.concat([...parts, Buffer.from([yParity])]);
  }

  /** A transaction of an EVM chain as `eth_sendRawTransaction` takes it. */
  signedForEvm(transaction: TransactionSerializable): Promise<`0x${string}`> {
    return signTransaction({ transaction, privateKey: this.secret });
  }
}

/** A new output of AVAX. */
export interface NewOutput {
  readonly amount: bigint;
  readonly owners: readonly Wallet[];
  readonly threshold?: number;
  readonly locktime?: bigint;
}

/** What is consumed and made on the transaction's own chain. */
export interface Moved {
  readonly consumed: readonly Utxo[];
  readonly made: readonly NewOutput[];
}

export type ChainName = 'P' | 'X' | 'C';

const list = (items: readonly Uint8Array[]) => Buffer.concat([u32(items.length), ...items]);
const sorted = (items: readonly Buffer[]) => list(items.toSorted((a, b) => a.compare(b)));

/** Type ids of the transactions that chains have in common. */
const types = {
  base: { P: 34, X: 0 },
  import: { P: 17, X: 3, C: 0 },
  export: { P: 18, X: 4, C: 1 },
} as const;
const CREATE_CHAIN = 15;
const CREATE_SUBNET = 16;
/** What proves the right to change a subnet: which of its owners sign. */
const SUBNET_AUTHORIZATION = 10;
const CREDENTIAL = 9;

/** The facts of a network that its transactions name. */
export interface LiveNetwork {
  readonly networkId: number;
  readonly assetId: string;
  readonly chains: Readonly<Record<ChainName, string>>;
}

/** A chain that is to be made. */
export interface NewChain {
  readonly subnetId: string;
  readonly name: string;
  readonly vmId: string;
  readonly genesis: Uint8Array;
}

/** Signs with one wallet, which owns all that is consumed. @returns the text that a node takes */
export class TransactionWriter {
  constructor(
    private readonly network: LiveNetwork,
    private readonly wallet: Wallet,
  ) {}

  move(chain: 'P' | 'X', moved: Moved): Promise<string> {
    return this.signed([u32(types.base[chain]), this.base(chain, moved)], moved.consumed.length);
  }

  createSubnet(moved: Moved, owner: Wallet): Promise<string> {
    const owners = Buffer.concat([u32(11), u64(0n), u32(1), list([owner.address])]);
    return this.signed([u32(CREATE_SUBNET), this.base('P', moved), owners], moved.consumed.length);
  }

  /** On a subnet that the wallet owns alone. */
  createChain(moved: Moved, { subnetId, name, vmId, genesis }: NewChain): Promise<string> {
    const authorization = Buffer.concat([u32(SUBNET_AUTHORIZATION), list([u32(0)])]);
    const named = [id(subnetId), u16(name.length), Buffer.from(name), id(vmId), list([])];
    const fields = [this.base('P', moved), ...named, u32(genesis.length), genesis, authorization];
    return this.signed([u32(CREATE_CHAIN), ...fields], moved.consumed.length + 1);
  }

  exportTo(chain: 'P' | 'X', to: ChainName, moved: Moved, exported: readonly NewOutput[]): Promise<string> {
    const outputs = sorted(exported.map((output) => this.output(output)));
    const fields = [this.base(chain, moved), id(this.network.chains[to]), outputs];
    return this.signed([u32(types.export[chain]), ...fields], moved.consumed.length);
  }

  importFrom(
    chain: 'P' | 'X',
    from: ChainName,
    imported: readonly Utxo[],
    made: readonly NewOutput[],
  ): Promise<string> {
    const inputs = sorted(imported.map(input));
    const fields = [this.base(chain, { consumed: [], made }), id(this.network.chains[from]), inputs];
    return this.signed([u32(types.import[chain]), ...fields], imported.length);
  }

  /** @param amount that arrives at the wallet's EVM address, nAVAX */
  importToC(from: 'P' | 'X', imported: readonly Utxo[], amount: bigint): Promise<string> {
    const { chains, assetId } = this.network;
    const arrives = Buffer.concat([this.evm, u64(amount), id(assetId)]);
    const fields = [id(chains[from]), sorted(imported.map(input)), list([arrives])];
    return this.signed([u32(types.import.C), this.head('C'), ...fields], imported.length);
  }

  /** @param amount that leaves the wallet's EVM address, nAVAX */
  exportFromC(to: 'P' | 'X', amount: bigint, nonce: bigint, exported: readonly NewOutput[]): Promise<string> {
    const { chains, assetId } = this.network;
    const leaves = Buffer.concat([this.evm, u64(amount), id(assetId), u64(nonce)]);
    const outputs = sorted(exported.map((output) => this.output(output)));
    const fields = [id(chains[to]), list([leaves]), outputs];
    return this.signed([u32(types.export.C), this.head('C'), ...fields], 1);
  }

  private get evm(): Buffer {
    return Buffer.from(this.wallet.evmAddress.slice(2), 'hex');
  }

  private head(chain: ChainName): Buffer {
    return Buffer.concat([u32(this.network.networkId), id(this.network.chains[chain])]);
  }

  private base(chain: 'P' | 'X', { consumed, made }: Moved): Buffer {
    const outputs = sorted(made.map((output) => this.output(output)));
    return Buffer.concat([this.head(chain), outputs, sorted(consumed.map(input)), u32(0)]);
  }

  private output({ amount, owners, threshold = 1, locktime = 0n }: NewOutput): Buffer {
    const head = [id(this.network.assetId), u32(7), u64(amount), u64(locktime), u32(threshold)];
    return Buffer.concat([...head, sorted(owners.map(({ address }) => address))]);
  }

  private async signed(parts: readonly Uint8Array[], inputs: number): Promise<string> {
    const bytes = Buffer.concat([u16(0), ...parts]);
    const signature = await this.wallet.signatureOf(bytes);
    const credential = Buffer.concat([u32(CREDENTIAL), list([signature])]);
    const all = Buffer.concat([bytes, list(Array.from({ length: inputs }, () => credential))]);
    return `0x${Buffer.from(withChecksum(all)).toString('hex')}`;
  }
}

const input = ({ txId, outputIndex, assetId, output: { amount } }: Utxo) =>
  Buffer.concat([id(txId), u32(outputIndex), id(assetId), u32(5), u64(amount), list([u32(0)])]);
