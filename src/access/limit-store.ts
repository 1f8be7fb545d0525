import type { CallLog } from './call-log.js';
import type { FieldLimit } from './field-limits.js';
import type { PlanWindows } from './plans.js';
import type { SharedDocuments } from './shared-documents.js';
import type { Outcome } from './windows.js';

/** Where the counts are kept. */
export interface LimitStore {
  /**
   * Decides on one request of `identity` in one atomic step; with `charge` it is counted, without it is only
   * checked.
   *
   * @param cost negative: so many are given back
   */
  step(identity: string, plan: PlanWindows, cost: number, charge: boolean): Outcome | Promise<Outcome>;
  /** The calls of a field; the same ones for the same name. */
  callLog(name: string, limit: FieldLimit): CallLog;
  /** Clients remembered in this process. */
  readonly size: number;
  /** Whether Redis counts now; undefined for a store that does not use Redis. */
  readonly redisUsed?: boolean;
  /** What gateways share of clients' documents; undefined for a store that is not shared. */
  readonly documents?: SharedDocuments;
  close(): void;
}
