import { compareStakers, isDelegator } from '../../avalanche/chain/staker-order.js';
import { StakeTotals } from './stake-totals.js';
import { isWaiting, type Staker } from './staker.js';

/** Stakers in the order of their next change, found by transaction and, if they validate, by node. */
export class StakerSet {
  readonly totals = new StakeTotals();
  private readonly byId = new Map<string, Staker>();
  private readonly validators = new Map<string, Staker>();
  private readonly queues: Record<'waiting' | 'staking', Staker[]> = { waiting: [], staking: [] };

  constructor(stakers: readonly Staker[] = []) {
    for (const staker of stakers) this.note(staker);
    this.queues.waiting = stakers.filter(isWaiting).sort(compareStakers);
    this.queues.staking = stakers.filter((staker) => !isWaiting(staker)).sort(compareStakers);
  }

  get size(): number {
    return this.byId.size;
  }

  get(txId: string): Staker | undefined {
    return this.byId.get(txId);
  }

  /** The validator of a subnet that a node is, whether it waits or not. */
  validator(subnetId: string, nodeId: string): Staker | undefined {
    return this.validators.get(`${subnetId} ${nodeId}`);
  }

  /** In their order. */
  get waiting(): readonly Staker[] {
    return this.queues.waiting;
  }

  /** In their order. */
  get staking(): readonly Staker[] {
    return this.queues.staking;
  }

  /** Adds a staker, or replaces the one with its transaction. */
  put(staker: Staker): void {
    this.remove(staker.txId);
    this.note(staker);
    const queue = this.queueOf(staker);
    queue.splice(indexOf(queue, staker), 0, staker);
  }

  remove(txId: string): void {
    const known = this.byId.get(txId);
    if (!known) return;
    this.byId.delete(txId);
    this.totals.count(known, -1);
    const name = nameOf(known);
    if (this.validators.get(name)?.txId === txId) this.validators.delete(name);
    const queue = this.queueOf(known);
    queue.splice(indexOf(queue, known), 1);
  }

  private note(staker: Staker): void {
    this.byId.set(staker.txId, staker);
    this.totals.count(staker, 1);
    if (!isDelegator(staker.priority)) this.validators.set(nameOf(staker), staker);
  }

  private queueOf(staker: Staker): Staker[] {
    return isWaiting(staker) ? this.queues.waiting : this.queues.staking;
  }
}

const nameOf = ({ subnetId, nodeId }: Staker) => `${subnetId} ${nodeId}`;

/** The first index whose staker does not change before this one. */
function indexOf(queue: readonly Staker[], staker: Staker): number {
  let [low, high] = [0, queue.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareStakers(queue[middle] as Staker, staker) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
