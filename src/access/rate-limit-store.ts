import { Store } from 'graphql-rate-limit';
import type { Charge } from './charge.js';

/** The `max` to give graphql-rate-limit together with a ChargeStore. Not 0: it would mean its default, 5. */
export const chargeStoreMax = 1;

// Later than any clock, so that the library's own window never drops it.
const earlierCall = [Infinity];

/**
 * A Store of graphql-rate-limit for one call of its limiter. The library reads, counts and writes back in separate
 * steps, so that parallel calls all see room; here the read is the whole atomic step, and nothing is written back.
 * The answer is the count that makes the library agree: none of `chargeStoreMax` calls used, or all.
 */
export class ChargeStore extends Store {
  constructor(
    private readonly charge: Charge,
    private readonly cost: number,
  ) {
    super();
  }

  async getForIdentity(): Promise<readonly number[]> {
    const decision = await this.charge.take(this.cost);
    return decision.admitted ? [] : earlierCall;
  }

  setForIdentity(): void {
    // getForIdentity counted already.
  }
}
