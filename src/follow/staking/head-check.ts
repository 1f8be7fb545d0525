import type { Logger } from 'pino';
import type { Network } from '../../avalanche/networks.js';
import type { Database } from '../../storage/prisma.js';
import type { Answer } from '../node/apis.js';
import { NodeError } from '../node/error.js';
import { majorityOf } from '../node/majority.js';
import type { Nodes } from '../node/nodes.js';
import { pause } from '../pauses.js';
import type { StakingMachine } from './machine.js';
import { nodeState } from './node-state.js';
import { presentState, stateDifference, type PresentState } from './present.js';
import { stillDoubted } from './reward-doubts.js';
import { troubleColumns } from './store.js';
import type { Difference } from './trouble.js';
import { keepUptimes } from './uptimes.js';

/** Milliseconds between two comparisons. */
const EVERY_MS = 600_000;
/** Milliseconds until the next try of a comparison, if the node was at another block. */
const AGAIN_MS = 2000;
/** How often a difference must be seen in a row: a node may have accepted a block in between. */
const CONFIRMED = 3;
const PAUSE_MS = 300;

export interface HeadCheckDeps {
  readonly network: { readonly network: Network };
  readonly nodes: Pick<Nodes, 'platform' | 'endpoints' | 'setAside'>;
  readonly prisma: Pick<Database, 'followStaking' | '$executeRawUnsafe'>;
  readonly log: Logger;
}

/** A node's state, and how it differs from ours, for people; null: not at all. */
interface Comparison {
  readonly theirs: PresentState;
  readonly difference: string | null;
}

/** Undefined: the node was not at our block all the time. */
type Compared = Comparison | undefined;

/**
 * The result of a comparison: the state matches the nodes', or differs; nodes contradict each other, as a
 * text for people says; or they were not at our block.
 */
type Outcome = Comparison | { readonly disputed: string } | 'not-comparable';

/** Compares our state with a node's at the newest block: at the start, and every ten minutes. */
export class HeadCheck {
  private due = -Infinity;
  /** What was in doubt at the last comparison. */
  private doubt: Difference | null = null;

  constructor(private readonly deps: HeadCheckDeps) {}

  /** The next call compares. */
  reset(): void {
    this.due = -Infinity;
  }

  /**
   * Compares if it is time to.
   *
   * @param height of the newest block that the state contains
   * @throws the signal's reason; what the database throws
   */
  async run(machine: StakingMachine, height: bigint, signal: AbortSignal): Promise<void> {
    // The head decides of a new doubt: it is compared as soon as everything is stored.
    if (performance.now() < this.due && machine.trouble.doubt === this.doubt) return;
    this.doubt = machine.trouble.doubt;
    this.due = performance.now() + AGAIN_MS;
    const outcome = await this.confirmed(machine, height, signal);
    if (outcome === 'not-comparable') return;
    this.due = performance.now() + EVERY_MS;
    if ('disputed' in outcome) this.deps.log.warn({ pipeline: 'p' }, outcome.disputed);
    else await this.keep(machine, height, outcome, signal);
    this.doubt = machine.trouble.doubt;
  }

  private async confirmed(machine: StakingMachine, height: bigint, signal: AbortSignal): Promise<Outcome> {
    for (let times = 1; ; times += 1) {
      const outcome = await this.compare(machine, height, signal);
      if (outcome === 'not-comparable' || times === CONFIRMED) return outcome;
      if ('difference' in outcome && outcome.difference === null) return outcome;
      await pause(PAUSE_MS, signal);
      signal.throwIfAborted();
    }
  }

  /** What more than half of the nodes that answer say counts, and the others are set aside. */
  private async compare({ state }: StakingMachine, height: bigint, signal: AbortSignal): Promise<Outcome> {
    const { nodes } = this.deps;
    const ours = presentState(state);
    const asked = await Promise.all(
      nodes.endpoints().map(({ name }) => this.compareWith(name, ours, height, signal)),
    );
    const each = asked.flat();
    const most = majorityOf(each, isAlike);
    const said = each.find(({ value }) => typeof value?.difference === 'string');
    if (!most || most.value === undefined) {
      const isDisputed = said !== undefined && each.some(({ value }) => value?.difference === null);
      if (!isDisputed) return 'not-comparable';
      const disputed = `p: ${said.endpoint} says another state of stakers than Moraine and another node: ${said.value?.difference}. Nothing is concluded from that; leave out the wrong node`;
      return { disputed };
    }
    for (const { endpoint, value } of each)
      if (value !== undefined && !isAlike(value, most.value))
        nodes.setAside(endpoint, `most nodes say another state of stakers after block ${height}`);
    return most.value;
  }

  private async compareWith(
    endpoint: string,
    ours: PresentState,
    height: bigint,
    signal: AbortSignal,
  ): Promise<Answer<Compared>[]> {
    const { log, nodes } = this.deps;
    try {
      const theirs = await nodeState(nodes.platform, ours, height, { signal, patienceMs: 0, endpoint });
      const value = theirs ? { theirs, difference: stateDifference(ours, theirs) } : undefined;
      return [{ endpoint, value }];
    } catch (error) {
      if (!(error instanceof NodeError)) throw error;
      log.debug({ err: error }, 'the state of stakers could not be compared');
      return [];
    }
  }

  private async keep(
    machine: StakingMachine,
    height: bigint,
    { difference, theirs }: Comparison,
    signal: AbortSignal,
  ): Promise<void> {
    const { network, nodes, prisma } = this.deps;
    if (difference === null) {
      const doubted = await stillDoubted(nodes.platform, machine.trouble.doubtedRewards, signal);
      this.agree(machine, height, doubted);
    } else machine.differ(difference, height);
    await prisma.followStaking.updateMany({
      where: network,
      data: {
        ...troubleColumns(machine.trouble),
        ...(difference === null && { checkedHeight: height, checkedAt: new Date() }),
      },
    });
    await keepUptimes(prisma, network.network, theirs);
  }

  private agree(machine: StakingMachine, height: bigint, doubted: readonly string[]): void {
    const { log } = this.deps;
    const at = { pipeline: 'p', height: height.toString() };
    if (machine.agree(doubted))
      log.info(at, `p: the state of stakers matches the node's again at block ${height}, and is used again`);
    else log.debug(at, `p: the state of stakers matches the node's at block ${height}`);
  }
}

const isAlike = (one: Compared, other: Compared) => typeof one?.difference === typeof other?.difference;
