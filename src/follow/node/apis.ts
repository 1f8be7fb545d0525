import type { ValidatorFeeConfig } from '../../avalanche/chain/validator-fee.js';
import type { StakerApi } from './staker-answers.js';
import type { FeeStateAnswer, SubnetOf, SupplyAnswer, ValidatorAnswer } from './state-answers.js';

/** Options of every call. */
export interface CallOptions {
  /** Ends the call, its waiting included; its reason is thrown. */
  readonly signal?: AbortSignal;
  /** Instead of that of the client (NodeOptions). */
  readonly patienceMs?: number;
  /** The printable name of the only endpoint that is asked; any when absent. */
  readonly endpoint?: string;
}

/** Options of a call that goes to each endpoint. */
export interface EachOptions extends Pick<CallOptions, 'signal'> {
  /** The printable name of one that is not asked. */
  readonly except?: string;
}

/** Options of a call for the newest height. */
export interface HeadOptions extends CallOptions {
  /** It waits until endpoints agree on it, or one of them has been alone with it for long enough. */
  readonly settled?: boolean;
}

/** Options of a call whose caller reads the answer. */
export interface ReadOptions<V, T> extends CallOptions {
  /**
   * What the answer says; the answer itself when absent. It throws `wrongAnswer` for one that cannot be
   * right: that sets its endpoint aside, and another one is asked.
   *
   * @param endpoint the printable name of the one that gave it
   */
  readonly read?: (value: V, endpoint: string) => T;
}

/** An answer, and the printable name of the endpoint that gave it: for `Nodes.setAside`. */
export interface Answer<T> {
  readonly value: T;
  readonly endpoint: string;
}

/** Which unspent outputs are asked for. */
export interface UtxoRequest {
  /** Bech32 with the chain's prefix (`P-custom1…`); 1,024 at most. */
  readonly addresses: readonly string[];
  /** An alias or id of a chain, for outputs exported from there; the chain's own outputs when absent. */
  readonly sourceChain?: string;
  /** 1,024 when absent, and at most. */
  readonly limit?: number;
}

/** The forks that we ask for. */
export const forkTimes = [
  ...(['apricotPhase1Time', 'apricotPhase5Time', 'cortinaTime'] as const),
  ...(['durangoTime', 'etnaTime', 'heliconTime'] as const),
] as const;

/** When forks take effect, Unix seconds; those are left out that a node does not know. */
export type KnownForkTimes = Readonly<Partial<Record<(typeof forkTimes)[number], number>>>;

/** `/ext/info`. What a node never changes while it runs is asked once. */
export interface InfoApi {
  networkId(options?: CallOptions): Promise<number>;
  networkName(options?: CallOptions): Promise<string>;
  /** CB58. */
  blockchainId(alias: 'P' | 'X' | 'C', options?: CallOptions): Promise<string>;
  /** For example `avalanchego/1.14.0`. */
  nodeVersion(options?: CallOptions): Promise<string>;
  nodeId(options?: CallOptions): Promise<string>;
  /** Those of all endpoints that answer now, by the printable names of these. */
  nodeIds(options?: CallOptions): Promise<ReadonlyMap<string, string>>;
  upgrades(options?: CallOptions): Promise<KnownForkTimes>;
  isBootstrapped(chain: 'P' | 'X' | 'C', options?: CallOptions): Promise<boolean>;
}

/** `/ext/bc/P` and `/ext/bc/X`: bytes without a wrapper, whose checksum of transfer was right. */
export interface BlockApi {
  /** The newest accepted height that is believed (believed-heads.ts). Every endpoint is asked. */
  height(options?: HeadOptions): Promise<bigint>;
  /** @throws NodeError `elsewhere` (`not-found`) when no endpoint has it */
  blockByHeight<T = Uint8Array>(height: bigint, options?: BlockOptions<Uint8Array, T>): Promise<Answer<T>>;
  /** `count` blocks from `from` on, in order, as many at a time as the endpoints allow. */
  blocks<T = Uint8Array>(
    from: bigint,
    count: number,
    options?: BlockOptions<Uint8Array, T>,
  ): Promise<Answer<T>[]>;
  /** What each endpoint that has the height gives as its block; those that do not answer are left out. */
  blockOfEach<T>(height: bigint, options: EachBlockOptions<Uint8Array, T>): Promise<Answer<T>[]>;
  /**
   * Signed bytes, of DAG transactions too. @throws NodeError `elsewhere` (`not-found`) for an id that no
   * endpoint has
   */
  transaction<T = Uint8Array>(id: string, options?: ReadOptions<Uint8Array, T>): Promise<T>;
  /** The first ones, each as bytes that the codec's `decodeUtxo` takes. */
  utxos(request: UtxoRequest, options?: CallOptions): Promise<readonly Uint8Array[]>;
}

export interface BlockOptions<V, T> extends CallOptions {
  /** As in ReadOptions, with the height that was asked for. */
  readonly read?: (value: V, height: bigint) => T;
}

export interface EachBlockOptions<V, T> extends EachOptions {
  readonly read: (value: V, height: bigint) => T;
}

/** `/ext/bc/P`. */
export interface PlatformApi extends BlockApi, StakerApi {
  /** Rewards at the end of this staker, in any order; empty for an unknown id. Null without the method. */
  rewardUtxos<T = readonly Uint8Array[]>(
    id: string,
    options?: ReadOptions<readonly Uint8Array[], T>,
  ): Promise<T | null>;
  /** What each endpoint says of it; those that do not answer are left out. */
  rewardUtxosOfEach<T>(
    id: string,
    options: EachOptions & Required<Pick<ReadOptions<readonly Uint8Array[], T>, 'read'>>,
  ): Promise<Answer<T>[]>;
  /** What exists of the asset that a subnet stakes; of AVAX if no subnet is named. */
  currentSupply(options?: CallOptions & SubnetOf): Promise<SupplyAnswer>;
  /** How far the fee of L1 validators has come; null if the node is older than 1.12.2. */
  validatorFeeState(options?: CallOptions): Promise<FeeStateAnswer | null>;
  /** The validators of a subnet, of the primary network if none is named. */
  currentValidators(options?: CallOptions & SubnetOf): Promise<readonly ValidatorAnswer[]>;
  /**
   * The validators of a subnet after an earlier block, of the primary network if none is named: weights,
   * delegations included, by node.
   */
  validatorsAt(height: bigint, options?: CallOptions & SubnetOf): Promise<ReadonlyMap<string, bigint>>;
  /** Constants of what L1 validators pay; null if the node is older than 1.12.2. */
  validatorFeeConfig(options?: CallOptions): Promise<ValidatorFeeConfig | null>;
  /** CB58 of the asset that is staked: AVAX. */
  stakingAssetId(options?: CallOptions): Promise<string>;
  /** The chain's time in Unix seconds. */
  timestamp(options?: CallOptions): Promise<number>;
}

/** Signed bytes and the height of its block. */
export interface AtomicBytes {
  readonly bytes: Uint8Array;
  readonly height: bigint | null;
}

/** `/ext/bc/C/avax`. */
export interface AvaxApi {
  /** @throws NodeError `elsewhere` (`not-found`) for an unknown id */
  atomicTransaction<T = AtomicBytes>(id: string, options?: ReadOptions<AtomicBytes, T>): Promise<T>;
  /** Only exported outputs exist on C: `sourceChain` is needed. */
  utxos(
    request: UtxoRequest & { readonly sourceChain: string },
    options?: CallOptions,
  ): Promise<readonly Uint8Array[]>;
}

export type IndexName = 'P/block' | 'X/block' | 'X/tx' | 'X/vtx' | 'C/block';

export interface Container {
  /** CB58; a property of the wrapper on P, X and C blocks. */
  readonly id: string;
  readonly bytes: Uint8Array;
  /** When this node accepted it, RFC 3339. */
  readonly timestamp: string;
  /** A property of this node for X/tx and X/vtx: another node has another order. */
  readonly index: bigint;
}

/** `/ext/index/…`; a node has it when it runs with --index-enabled. */
export interface IndexApi {
  /**
   * The newest container, null for an index that says that it has none (no proof of an empty history: a node
   * that bootstraps says the same).
   */
  lastAccepted(index: IndexName, options?: CallOptions): Promise<Answer<Container> | null>;
  /** Containers from an index on; fewer only at the end. @param count 1,024 at most */
  range<T = readonly Container[]>(
    index: IndexName,
    from: bigint,
    count: number,
    options?: ReadOptions<readonly Container[], T>,
  ): Promise<Answer<T>>;
}
