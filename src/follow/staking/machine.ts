import type { Genesis, PTransaction } from '../../avalanche/codec/types.js';
import { Disagreement } from './disagreement.js';
import type { Ended } from './ended.js';
import type { L1Effect } from './l1-effect.js';
import type { Staker } from './staker.js';
import type { StakingState } from './state.js';
import { MOST_DOUBTED, type Difference, type Trouble } from './trouble.js';

/** Is given the state after a block. */
export type WatchState = (height: bigint, state: StakingState) => void;

/** What a transaction did to the state. */
export interface Effect {
  readonly l1: L1Effect | null;
  /** The staker that it made and that stakes at once. */
  readonly started: Staker | null;
}

/**
 * The P-chain's state machine: blocks move its time, and their transactions change who stakes and who
 * validates L1s. What no block contains follows from it: rewards, balances as fees reduce them, supplies.
 *
 * A transaction that does not fit proves that the state is wrong. It is kept as the difference, and the
 * machine continues as well as it can: the ledger does not depend on it, but nothing more is published from a
 * state that differs.
 */
export class StakingMachine {
  private known: Trouble;
  private height = 0n;

  /**
   * @param trouble that was found before
   * @param tell is given the first difference that is found, and the first doubt
   * @param watch is given the state after each block that is no proposal
   */
  constructor(
    readonly state: StakingState,
    trouble: Trouble,
    private readonly tell: (found: Difference, isDoubt: boolean) => void = () => undefined,
    private readonly watch: WatchState = () => undefined,
  ) {
    this.known = trouble;
    state.differ = (text) => this.differ(text);
  }

  /** Unix seconds. */
  get time(): number {
    return this.state.time;
  }

  get difference(): Difference | null {
    return this.known.difference;
  }

  get trouble(): Trouble {
    return this.known;
  }

  /** Whether what it says of stakers is the chain's, as far as is known. */
  get isTrusted(): boolean {
    return this.state.stakers !== null && this.difference === null;
  }

  /** Keeps the first difference. */
  differ(text: string, height = this.height): void {
    if (this.difference) return;
    const difference = { text, height };
    this.known = { ...this.known, difference };
    this.tell(difference, false);
  }

  /**
   * Keeps the first doubt, until the state is compared.
   *
   * @param reward that is to be asked for again, where the state cannot show that it was right
   */
  doubt(text: string, height: bigint, reward: string | null): void {
    const { doubtedRewards: known } = this.known;
    if (reward !== null && known.length < MOST_DOUBTED && !known.includes(reward))
      this.known = { ...this.known, doubtedRewards: [...known, reward] };
    if (this.known.doubt) return;
    const doubt = { text, height };
    this.known = { ...this.known, doubt };
    this.tell(doubt, true);
  }

  /**
   * Rows that follow from the state were not written, and are not written later.
   *
   * @param height of the first block of which they were
   */
  withhold(height: bigint): void {
    this.known = { ...this.known, withheldSince: this.known.withheldSince ?? height };
  }

  /**
   * The state was compared with a node's and is the same.
   *
   * @param doubtedRewards those that were asked for again, and are still said otherwise
   * @returns whether that was not known before
   */
  agree(doubtedRewards: readonly string[]): boolean {
    const { difference, doubt: known } = this.known;
    const doubt = doubtedRewards.length > 0 ? known : null;
    this.known = { ...this.known, difference: null, doubt, doubtedRewards };
    return difference !== null || doubt !== known;
  }

  /** Estimated rewards are not written now. */
  leaveOut(): void {
    if (this.difference) this.known = { ...this.known, isLeftOut: true };
  }

  /** Whether estimated rewards were left out since the last call, and can be written now. */
  takeLeftOut(): boolean {
    if (!this.isTrusted || !this.known.isLeftOut) return false;
    this.known = { ...this.known, isLeftOut: false };
    return true;
  }

  /** The state of genesis. @returns its validators */
  begin(genesis: Genesis): readonly Staker[] {
    this.state.time = genesis.time;
    return this.attempt(() => this.state.stakers?.begin(genesis) ?? [], []);
  }

  /** The next block. */
  at(height: bigint): void {
    this.height = height;
  }

  /** The chain's time moves. @returns the stakers that have started */
  advance(time: number): readonly Staker[] {
    const { state } = this;
    if (time === state.time) return [];
    const started = this.attempt(() => state.stakers?.advance(time) ?? [], []);
    state.l1.advance(state.time, time);
    state.time = time;
    return started;
  }

  apply(transaction: PTransaction): Effect {
    const { stakers, l1, time } = this.state;
    return {
      l1: this.attempt(() => l1.apply(transaction, time), null),
      started: this.attempt(() => stakers?.apply(transaction, time) ?? null, null),
    };
  }

  /** After the transactions of a block. */
  settle(): void {
    this.state.l1.settle(this.time);
  }

  /**
   * Shows the state after a block. A node that has accepted a proposal has applied nothing of it before its
   * decision.
   */
  show(): void {
    this.watch(this.height, this.state);
  }

  /** @returns null when it is not known */
  end(stakingTxId: string, isRewarded: boolean): Ended | null {
    return this.attempt(() => this.state.stakers?.end(stakingTxId, isRewarded, this.time) ?? null, null);
  }

  private attempt<T>(work: () => T, otherwise: T): T {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof Disagreement)) throw error;
      this.differ(error.message);
      return otherwise;
    }
  }
}
