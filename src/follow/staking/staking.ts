import type { Logger } from 'pino';
import type { Network } from '../../avalanche/networks.js';
import type { Reader } from '../../storage/reader.js';
import type { Batch } from '../../storage/session.js';
import type { KindRows } from '../pipeline.js';
import { StakingMachine, type WatchState } from './machine.js';
import { metricRows } from './metric-rows.js';
import { emptyState, StakingState, type StakingRules, type StoredState } from './state.js';
import { readState, takeChanges } from './store.js';
import { lastPaidDay, type SubnetDay } from './subnet-fees.js';
import { noTrouble, type Difference, type Trouble } from './trouble.js';

/** What a batch writes of the state. */
export interface StakingWrites {
  readonly rows: readonly KindRows[];
  readonly state: (batch: Batch) => Promise<void>;
  /** The day on which the state was taken from a node, to be stored; null: it was not. */
  readonly seededDay: number | null;
}

/** Where a chain begins that was not followed yet. */
export interface Beginning {
  readonly height: bigint;
  /** The chain's time before its first block, Unix seconds. */
  readonly time: () => Promise<number>;
}

/** The state of stakers and L1 validators of a network: loaded on first use, written with each batch. */
export class Staking {
  private machine: StakingMachine | null = null;
  /** The day on which the state was taken from a node; null if it was not taken by this process. */
  private seededDay: number | null = null;

  constructor(
    private readonly rules: StakingRules & { readonly network: Network },
    private readonly log: Logger,
    private readonly watch?: WatchState,
  ) {}

  /**
   * Takes over the state after a block from a node. Days up to this one are not published: they are
   * incomplete.
   */
  seed(state: StoredState): StakingMachine {
    this.seededDay = lastPaidDay(state.time);
    return (this.machine = this.machineOf(state, noTrouble));
  }

  /** Something has proved that the state is not the chain's. */
  differ(text: string): void {
    this.machine?.differ(text);
  }

  /** The state; null where none is stored. */
  async stored(reader: Reader): Promise<StakingMachine | null> {
    this.machine ??= await this.read(reader);
    return this.machine;
  }

  /** @param beginning the first block that is followed, for a network whose state is not stored */
  async open(reader: Reader, beginning: Beginning): Promise<StakingMachine> {
    const stored = this.machine ?? (await this.read(reader));
    // A chain that begins with its first block, perhaps again, has no state before.
    if (stored && (stored === this.machine || beginning.height > 0n)) return (this.machine = stored);
    return (this.machine = await this.begin(beginning, decidedFor(stored)));
  }

  /**
   * What was changed since the last call, to be written with the rows of its blocks.
   *
   * @param isPast whether a later state is stored, which stays until this one has come as far
   * @param seeded the day on which it was taken from a node, as it is stored; null: it was not
   */
  take(isPast: boolean, seeded: number | null): StakingWrites {
    const { machine } = this;
    if (!machine) throw new Error('the state was not opened');
    const { network } = this.rules;
    const { state, difference } = machine;
    const { ended, running } = state.fees.takeChanged();
    const seededDay = this.seededDay ?? seeded;
    const isWanted = ({ day }: SubnetDay) => state.l1.isKnown && (seededDay === null || day > seededDay);
    if (difference && ended.some(isWanted)) machine.withhold(difference.height);
    const said = (days: readonly SubnetDay[]) =>
      difference === null ? metricRows(network, days.filter(isWanted)) : [];
    if (isPast) state.forgetGone();
    if (isPast) return { rows: said(ended), state: () => Promise.resolve(), seededDay };
    return {
      rows: said([...ended, ...running]),
      seededDay,
      state: takeChanges(network, state, machine.trouble, running),
    };
  }

  /** The next call reads what is stored. */
  forget(): void {
    this.machine = null;
    this.seededDay = null;
  }

  private async read(reader: Reader): Promise<StakingMachine | null> {
    const stored = await readState(reader, this.rules.network);
    return stored && this.machineOf(stored.state, stored);
  }

  private async begin({ height, time }: Beginning, trouble: Trouble): Promise<StakingMachine> {
    const { rules } = this;
    const first = await time();
    const known = { knowsStakers: height === 0n, knowsL1Validators: height === 0n || first < rules.etnaTime };
    return this.machineOf(emptyState(first, known), trouble);
  }

  private machineOf(stored: StoredState, trouble: Trouble): StakingMachine {
    const state = new StakingState(this.rules, stored);
    return new StakingMachine(state, trouble, (...found) => this.tell(...found), this.watch);
  }

  private tell({ height, text }: Difference, isDoubt: boolean): void {
    const at = { pipeline: 'p', height: height.toString() };
    if (isDoubt)
      this.log.warn(
        at,
        `p: rewards are in doubt since block ${height}: ${text}. What Moraine computes is written, until its state is compared with a node's at the newest block`,
      );
    else
      this.log.error(
        at,
        `p: the state of stakers differs from the chain's since block ${height}: ${text}. Transactions are written; estimated rewards and subnet metrics are not`,
      );
  }
}

/**
 * What is known before a chain is begun again. Where the head has decided against our state, and nodes said
 * otherwise what stakes were paid, they were right: what they say is written this time.
 */
const decidedFor = (stored: StakingMachine | null): Trouble =>
  stored?.difference && (stored.trouble.doubt || stored.trouble.withheldSince === 0n)
    ? { ...noTrouble, difference: stored.difference, withheldSince: 0n }
    : noTrouble;
