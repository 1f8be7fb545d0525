import type { ValidatorFeeConfig } from '../../avalanche/chain/validator-fee.js';
import type { StakerApi } from './staker-answers.js';
import type { FeeStateAnswer, SubnetOf, SupplyAnswer, ValidatorAnswer } from './state-answers.js';

/** What every call takes. */
export interface Terms {
  /** Ends the call, its waiting included; its reason is thrown. */
  readonly signal?: AbortSignal;
  /** Instead of that of the client (NodeOptions). */
  readonly patienceMs?: number;
}

/** What a call takes whose answer its caller reads. */
export interface ReadTerms<V, T> extends Terms {
  /**
   * What the answer says; the answer itself when absent. It throws `wrongAnswer` for one that cannot be right: that sets its
   * endpoint aside, and another one is asked.
   */
  readonly read?: (value: V) => T;
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
  networkId(terms?: Terms): Promise<number>;
  networkName(terms?: Terms): Promise<string>;
  /** CB58. */
  blockchainId(alias: 'P' | 'X' | 'C', terms?: Terms): Promise<string>;
  /** For example `avalanchego/1.14.0`. */
  nodeVersion(terms?: Terms): Promise<string>;
  nodeId(terms?: Terms): Promise<string>;
  upgrades(terms?: Terms): Promise<KnownForkTimes>;
  isBootstrapped(chain: 'P' | 'X' | 'C', terms?: Terms): Promise<boolean>;
}

/** `/ext/bc/P` and `/ext/bc/X`: bytes without a wrapper, whose checksum of transfer was right. */
export interface BlockApi {
  /** The highest accepted height that a usable endpoint has. Every endpoint is asked. */
  height(terms?: Terms): Promise<bigint>;
  /** @throws NodeError `elsewhere` (`not-found`) when no endpoint has it */
  blockByHeight<T = Uint8Array>(height: bigint, terms?: BlockTerms<Uint8Array, T>): Promise<Answer<T>>;
  /** `count` blocks from `from` on, in order, as many at a time as the endpoints allow. */
  blocks<T = Uint8Array>(
    from: bigint,
    count: number,
    terms?: BlockTerms<Uint8Array, T>,
  ): Promise<Answer<T>[]>;
  /** Signed bytes, of DAG transactions too. @throws NodeError `elsewhere` (`not-found`) for an id that no endpoint has */
  transaction<T = Uint8Array>(id: string, terms?: ReadTerms<Uint8Array, T>): Promise<T>;
  /** The first ones, each as bytes that the codec's `decodeUtxo` takes. */
  utxos(request: UtxoRequest, terms?: Terms): Promise<readonly Uint8Array[]>;
}

export interface BlockTerms<V, T> extends Terms {
  /** As ReadTerms, with the height that was asked for. */
  readonly read?: (value: V, height: bigint) => T;
}

/** `/ext/bc/P`. */
export interface PlatformApi extends BlockApi, StakerApi {
  /** Outputs that the end of this staker paid, in no fixed order; empty for an unknown id. Null without the method. */
  rewardUtxos<T = readonly Uint8Array[]>(
    id: string,
    terms?: ReadTerms<readonly Uint8Array[], T>,
  ): Promise<T | null>;
  /** What exists of the asset that a subnet stakes; of AVAX for the primary network, if no subnet is named. */
  currentSupply(terms?: Terms & SubnetOf): Promise<SupplyAnswer>;
  /** How far the fee of L1 validators has come; null for a node that does not know the method (before 1.12.2). */
  validatorFeeState(terms?: Terms): Promise<FeeStateAnswer | null>;
  /** The validators of a subnet, of the primary network if none is named. */
  currentValidators(terms?: Terms & SubnetOf): Promise<readonly ValidatorAnswer[]>;
  /**
   * The validators of a subnet after an earlier block, of the primary network if none is named: weights, delegations included,
   * by node.
   */
  validatorsAt(height: bigint, terms?: Terms & SubnetOf): Promise<ReadonlyMap<string, bigint>>;
  /** Constants of what L1 validators pay; null for a node that does not know the method (before 1.12.2). */
  validatorFeeConfig(terms?: Terms): Promise<ValidatorFeeConfig | null>;
  /** CB58 of the asset that is staked: AVAX. */
  stakingAssetId(terms?: Terms): Promise<string>;
  /** The chain's time in Unix seconds. */
  timestamp(terms?: Terms): Promise<number>;
}

/** Signed bytes and the height of its block. */
export interface AtomicBytes {
  readonly bytes: Uint8Array;
  readonly height: bigint | null;
}

/** `/ext/bc/C/avax`. */
export interface AvaxApi {
  /** @throws NodeError `elsewhere` (`not-found`) for an unknown id */
  atomicTransaction<T = AtomicBytes>(id: string, terms?: ReadTerms<AtomicBytes, T>): Promise<T>;
  /** Only exported outputs exist on C: `sourceChain` is needed. */
  utxos(
    request: UtxoRequest & { readonly sourceChain: string },
    terms?: Terms,
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
  /** The newest container, null for an index that says that it has none (no proof of an empty history: a node that bootstraps says the same). */
  lastAccepted(index: IndexName, terms?: Terms): Promise<Answer<Container> | null>;
  /** Containers from an index on; fewer only at the end. @param count 1,024 at most */
  range<T = readonly Container[]>(
    index: IndexName,
    from: bigint,
    count: number,
    terms?: ReadTerms<readonly Container[], T>,
  ): Promise<Answer<T>>;
}
