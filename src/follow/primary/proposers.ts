import { verify, X509Certificate, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { decodeId } from '../../avalanche/cb58.js';
import { decodeOuterBlock, nodeOfCertificate, signedBytes } from '../../avalanche/codec/outer-block.js';
import type { SignedBlock } from '../../avalanche/codec/outer-block.js';
import { CodecError } from '../../avalanche/codec/reader.js';
import type { Container, IndexName } from '../node/apis.js';
import { NodeError } from '../node/error.js';
import type { Nodes } from '../node/nodes.js';
import { GrowingPauses } from '../pauses.js';

/** Milliseconds for which an index is asked again: blocks do not wait for it longer. */
const PATIENCE_MS = 5000;
/** Bounds of the milliseconds for which one that failed is not asked, while blocks do not wait at all. */
const REST_MS = { least: 1000, most: 60_000 };
/** Certificates whose keys are remembered, and the bytes of the largest: nodes' have one to two kilobytes. */
const MOST_CERTIFICATES = 4096;
const LARGEST_CERTIFICATE = 4096;

/** A block with the id that the chain's own bytes have. */
interface Named {
  readonly id: string;
  readonly signed: SignedBlock | null;
}

const isSigned = promisify(verify);

/** Who proposed the blocks of a chain, where a node keeps an index of them. */
export class Proposers {
  /** Whether a node has the index up to the blocks that are asked for; null: not known. */
  private isKept: boolean | null = null;
  private readonly chainId: Uint8Array;
  private readonly pauses = new GrowingPauses(REST_MS.least, REST_MS.most);
  private restsUntil = -Infinity;
  private readonly keys = new Map<string, KeyObject | null>();

  /**
   * @param chainId CB58
   * @param idOf computes the id of a block of the chain from its bytes. @throws CodecError
   */
  constructor(
    private readonly nodes: Pick<Nodes, 'index'>,
    private readonly name: Extract<IndexName, `${string}/block`>,
    chainId: string,
    private readonly idOf: (bytes: Uint8Array) => string,
  ) {
    this.chainId = decodeId(chainId) as Uint8Array;
  }

  /**
   * The proposers of consecutive blocks, NodeID-…, by the ids of these; without those that are not known.
   *
   * @throws the signal's reason
   */
  async from(height: bigint, count: number, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
    const proposers = new Map<string, string>();
    // The index has block 1 first. One that was enabled later has other blocks there.
    const first = height === 0n ? 0n : height - 1n;
    const most = height === 0n ? count - 1 : count;
    if (most === 0 || performance.now() < this.restsUntil) return proposers;
    if (!(await this.keeps(first, signal))) return proposers;
    for (const { id, signed } of await this.outer(first, most, signal))
      if (signed && (await this.isProved(signed))) proposers.set(id, nodeOfCertificate(signed.certificate));
    return proposers;
  }

  /** Most nodes keep none. What cannot be asked now may be kept: later blocks ask again. */
  private async keeps(first: bigint, signal: AbortSignal): Promise<boolean> {
    if (this.isKept !== null) return this.isKept;
    const newest = await this.ask(signal, null, (soon) =>
      this.nodes.index.lastAccepted(this.name, { signal: soon, patienceMs: PATIENCE_MS }),
    );
    if (newest !== null && newest.value.index >= first) this.isKept = true;
    return this.isKept ?? false;
  }

  private outer(first: bigint, count: number, signal: AbortSignal): Promise<readonly Named[]> {
    const read = (containers: readonly Container[]) =>
      containers.slice(0, count).flatMap(({ bytes }) => this.read(bytes));
    return this.ask<readonly Named[]>(signal, [], async (soon) => {
      const options = { signal: soon, patienceMs: PATIENCE_MS, read };
      const { value } = await this.nodes.index.range(this.name, first, count, options);
      this.pauses.reset();
      return value;
    });
  }

  /** @returns `otherwise` where the index does not answer in time; then it is not asked for a while */
  private async ask<T>(
    signal: AbortSignal,
    otherwise: T,
    call: (soon: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const soon = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
    try {
      return await call(soon);
    } catch (error) {
      signal.throwIfAborted();
      const isOff = error instanceof NodeError && error.isFromAll(new Set(['index-off']));
      if (!(error instanceof NodeError || soon.aborted)) throw error;
      this.isKept = isOff ? false : null;
      // What was asked together fails together.
      const now = performance.now();
      if (!isOff && now >= this.restsUntil) this.restsUntil = now + this.pauses.next();
      return otherwise;
    }
  }

  /** None of blocks from before Apricot 4, which are the chain's own. */
  private read(bytes: Uint8Array): Named[] {
    try {
      const { inner, signed } = decodeOuterBlock(bytes);
      return [{ id: this.idOf(inner), signed }];
    } catch (error) {
      if (error instanceof CodecError) return [];
      throw error;
    }
  }

  /** Whether whoever has the certificate signed the block. */
  private async isProved(block: SignedBlock): Promise<boolean> {
    const key = this.keyOf(block.certificate);
    if (key === null) return false;
    return isSigned('sha256', signedBytes(block, this.chainId), key, block.signature).catch(() => false);
  }

  /** Null for what is no certificate. */
  private keyOf(certificate: Uint8Array): KeyObject | null {
    if (certificate.length > LARGEST_CERTIFICATE) return null;
    const text = Buffer.from(certificate).toString('latin1');
    let key = this.keys.get(text);
    if (key === undefined) {
      key = publicKeyOf(certificate);
      if (this.keys.size >= MOST_CERTIFICATES) this.keys.clear();
      this.keys.set(text, key);
    }
    return key;
  }
}

function publicKeyOf(certificate: Uint8Array): KeyObject | null {
  try {
    const { publicKey } = new X509Certificate(certificate);
    // As avalanchego has them: keys of other kinds sign no digest.
    return ['rsa', 'ec'].includes(publicKey.asymmetricKeyType ?? '') ? publicKey : null;
  } catch {
    return null;
  }
}
