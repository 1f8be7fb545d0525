import { BoundedMap } from './bounded-map.js';

/**
 * Free requests of one caller: so many a second, and so many at once after a while without any, because a
 * page has files.
 */
const PER_SECOND = 10;
const AT_ONCE = 40;
/** Some 200 bytes each. A caller that is forgotten has all of them again. */
const CALLERS = 10_000;

interface Allowance {
  left: number;
  at: number;
}

/**
 * What each caller may request free of charge: pages for everybody are made once, but each request takes a
 * connection, time of the event loop and network. Each process counts for itself, so that a health check
 * never waits.
 */
export class FreeAllowance {
  private readonly allowances = new BoundedMap<Allowance>(CALLERS);

  /** @param now milliseconds of a clock that never steps */
  constructor(private readonly now: () => number) {}

  /**
   * Whether one more request of the caller is free.
   *
   * @param kind of page; each has its own allowance
   * @param weight as how many requests it counts
   */
  take(identity: string, kind: string, weight = 1): boolean {
    const name = `${kind} ${identity}`;
    const now = this.now();
    let allowance = this.allowances.get(name);
    if (!allowance) this.allowances.set(name, (allowance = { left: AT_ONCE, at: now }));
    const since = ((now - allowance.at) / 1000) * PER_SECOND;
    allowance.left = Math.min(AT_ONCE, allowance.left + since);
    allowance.at = now;
    if (allowance.left < weight) return false;
    allowance.left -= weight;
    return true;
  }
}
