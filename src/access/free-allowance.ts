import { BoundedMap } from './bounded-map.js';

/** Free requests of one caller: so many a second, and so many at once after a while without any, as a page has files. */
const PER_SECOND = 10;
const AT_ONCE = 40;
/** Some 200 bytes each. Who is forgotten begins with all of them again. */
const CALLERS = 10_000;

interface Allowance {
  left: number;
  at: number;
}

/**
 * What each caller may ask for free of charge: pages for everybody are made once and still take a connection, the event
 * loop and the network. Each process counts for itself, so that a health check waits for nobody.
 */
export class FreeAllowance {
  private readonly allowances = new BoundedMap<Allowance>(CALLERS);

  /** @param now milliseconds of a clock that never steps */
  constructor(private readonly now: () => number) {}

  /** Whether one more request of the caller is free. @param kind of page; each has an allowance of its own */
  take(identity: string, kind: string): boolean {
    const name = `${kind} ${identity}`;
    const now = this.now();
    let allowance = this.allowances.get(name);
    if (!allowance) this.allowances.set(name, (allowance = { left: AT_ONCE, at: now }));
    const since = ((now - allowance.at) / 1000) * PER_SECOND;
    allowance.left = Math.min(AT_ONCE, allowance.left + since);
    allowance.at = now;
    if (allowance.left < 1) return false;
    allowance.left -= 1;
    return true;
  }
}
