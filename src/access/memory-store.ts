import { BoundedMap } from './bounded-map.js';
import { MemoryCallLog } from './call-log.js';
import type { FieldLimit } from './field-limits.js';
import type { LimitStore } from './limit-store.js';
import type { PlanWindows } from './plans.js';
import { type Usage, type BlockRules, dayMs, newUsage, type Outcome, step } from './windows.js';

// About 240 bytes each with the name, 46 MiB in all (bench/limiter.ts). With less than half as many clients
// in a day none is forgotten early.
const defaultCapacity = 200_000;

/**
 * Counts in this process. Not rate-limiter-flexible: its memory limiter reads the system's clock, charges
 * refused requests, has one window and starts a timer for each client (docs/decisions/0004-rate-limiter.md).
 */
export class MemoryStore implements LimitStore {
  private readonly usages: BoundedMap<Usage>;
  private readonly callLogs = new Map<string, MemoryCallLog>();
  private agedAt: number;
  private readonly retention: number;

  constructor(
    private readonly rules: BlockRules,
    private readonly now: () => number,
    capacity = defaultCapacity,
  ) {
    this.usages = new BoundedMap(capacity);
    this.agedAt = now();
    // After this long without a request every window is over and every block has ended.
    this.retention = dayMs + 2 * rules.longest;
  }

  /** Clients remembered at present, at most. */
  get size(): number {
    return this.usages.size;
  }

  step(identity: string, plan: PlanWindows, cost: number, charge: boolean): Outcome {
    const now = this.now();
    if (now - this.agedAt >= this.retention) {
      this.usages.age();
      this.agedAt = now;
    }
    let usage = this.usages.get(identity);
    if (!usage) {
      usage = newUsage();
      // A check for the headers is not worth remembering.
      if (charge) this.usages.set(identity, usage);
    }
    return step(usage, plan, this.rules, { cost, now, charge });
  }

  callLog(name: string, limit: FieldLimit): MemoryCallLog {
    let log = this.callLogs.get(name);
    if (!log) this.callLogs.set(name, (log = new MemoryCallLog(limit)));
    return log;
  }

  close(): void {
    // Nothing to close.
  }
}
