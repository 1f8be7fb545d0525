import type { Logger } from 'pino';
import type { Network } from '../../avalanche/networks.js';
import type { Database } from '../../storage/prisma.js';
import type { PlatformApi } from '../node/apis.js';
import { NodeError } from '../node/error.js';
import { pause } from '../pauses.js';
import type { StakingMachine } from './machine.js';
import { nodeState } from './node-state.js';
import { presentState, stateDifference } from './present.js';
import { troubleColumns } from './store.js';

/** Milliseconds between two comparisons. */
const EVERY_MS = 600_000;
/** Milliseconds until the next try of a comparison, if the node was at another block. */
const AGAIN_MS = 2000;
/** How often a difference must be seen in a row: a node may have accepted a block in between. */
const CONFIRMED = 3;
const PAUSE_MS = 300;

export interface HeadCheckDeps {
  readonly network: { readonly network: Network };
  readonly nodes: { readonly platform: PlatformApi };
  readonly prisma: Pick<Database, 'followStaking'>;
  readonly log: Logger;
}

/** The result of a comparison: the state matches the node's, differs, or the node was not at our block. */
type Outcome = { readonly difference: string | null } | 'not-comparable';

/** Compares our state with a node's at the newest block: at the start, and every ten minutes. */
export class HeadCheck {
  private due = -Infinity;

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
    if (performance.now() < this.due) return;
    this.due = performance.now() + AGAIN_MS;
    const outcome = await this.confirmed(machine, height, signal);
    if (outcome === 'not-comparable') return;
    this.due = performance.now() + EVERY_MS;
    await this.keep(machine, height, outcome.difference);
  }

  private async confirmed(machine: StakingMachine, height: bigint, signal: AbortSignal): Promise<Outcome> {
    for (let times = 1; ; times += 1) {
      const outcome = await this.compare(machine, height, signal);
      if (outcome === 'not-comparable' || outcome.difference === null || times === CONFIRMED) return outcome;
      await pause(PAUSE_MS, signal);
      signal.throwIfAborted();
    }
  }

  private async compare({ state }: StakingMachine, height: bigint, signal: AbortSignal): Promise<Outcome> {
    const { log, nodes } = this.deps;
    const ours = presentState(state);
    try {
      const theirs = await nodeState(nodes.platform, ours, height, { signal, patienceMs: 0 });
      return theirs === null ? 'not-comparable' : { difference: stateDifference(ours, theirs) };
    } catch (error) {
      if (!(error instanceof NodeError)) throw error;
      log.debug({ err: error }, 'the state of stakers could not be compared');
      return 'not-comparable';
    }
  }

  private async keep(machine: StakingMachine, height: bigint, difference: string | null): Promise<void> {
    const { network, prisma } = this.deps;
    if (difference === null) this.agree(machine, height);
    else machine.differ(difference, height);
    await prisma.followStaking.updateMany({
      where: network,
      data: {
        ...troubleColumns(machine.trouble),
        ...(difference === null && { checkedHeight: height, checkedAt: new Date() }),
      },
    });
  }

  private agree(machine: StakingMachine, height: bigint): void {
    const { log } = this.deps;
    const at = { pipeline: 'p', height: height.toString() };
    if (machine.agree())
      log.info(at, `p: the state of stakers matches the node's again at block ${height}, and is used again`);
    else log.debug(at, `p: the state of stakers matches the node's at block ${height}`);
  }
}
