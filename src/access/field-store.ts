import { Store, type Identity } from 'graphql-rate-limit';
import type { CallLog } from './call-log.js';
import type { FieldLimit } from './field-limits.js';

/**
 * What graphql-rate-limit knows of the calls of one field by the callers of one plan. The library reads,
 * compares and writes back in separate steps, so that parallel calls would all see room. Here reading and
 * recording are one atomic step, and nothing is written back. A call that the library will refuse is not
 * recorded, because otherwise a caller that keeps asking would never be served again.
 */
export class FieldStore extends Store {
  constructor(
    private readonly log: CallLog,
    private readonly limit: FieldLimit,
    private readonly now: () => number,
  ) {
    super();
  }

  getForIdentity({ contextIdentity, fieldIdentity }: Identity) {
    const calls = Number(fieldIdentity.slice(fieldIdentity.lastIndexOf(':') + 1));
    return this.log.append(contextIdentity, calls, this.now());
  }

  setForIdentity(): void {
    // getForIdentity has recorded it already.
  }

  /** Takes back calls that getForIdentity recorded. */
  async takeBack(caller: string, calls: number): Promise<void> {
    await this.log.takeBack(caller, calls);
  }

  /** Whole seconds, at least 1, until there is room for so many calls when no other is made. */
  async retrySeconds(caller: string, calls: number): Promise<number> {
    const now = this.now();
    const earlier = [...(await this.log.append(caller, 0, now))].sort((a, b) => a - b);
    const last = earlier[earlier.length + calls - this.limit.calls - 1] ?? -Infinity;
    return Math.max(1, Math.ceil((last - now) / 1000 + this.limit.seconds));
  }
}
