import type { CallLog } from '../access/call-log.js';
import type { FieldLimit } from '../access/field-limits.js';
import type { LimitStore } from '../access/limit-store.js';
import type { PlanWindows } from '../access/plans.js';
import type { Outcome } from '../access/windows.js';
import { topic, type Line } from './line.js';

interface Step {
  identity: string;
  plan: PlanWindows;
  cost: number;
  charge: boolean;
}

/** Calls of a field by a caller; `log` is the name of the log. */
interface Calls {
  log: string;
  limit: FieldLimit;
  caller: string;
  calls: number;
}

const step = topic<Step, { outcome: Outcome; clients: number }>('step');
const append = topic<Calls & { now: number }, readonly number[]>('append');
const takeBack = topic<Calls, null>('take back');

/** Has the process at the other end of the line count in `store`. */
export function countFor(line: Line, store: LimitStore): void {
  line.answer(step, async ({ identity, plan, cost, charge }) => ({
    outcome: await store.step(identity, plan, cost, charge),
    clients: store.size,
  }));
  line.answer(append, ({ log, limit, caller, calls, now }) =>
    store.callLog(log, limit).append(caller, calls, now),
  );
  line.answer(takeBack, async ({ log, limit, caller, calls }) => {
    await store.callLog(log, limit).takeBack(caller, calls);
    return null;
  });
}

/** Counts in the primary process, so that limits are exact over all processes of a gateway. */
export class PrimaryCounts implements LimitStore {
  /** As the last answer told it. */
  size = 0;

  constructor(private readonly line: Line) {}

  async step(
    identity: string,
    { requests, seconds, perDay }: PlanWindows,
    cost: number,
    charge: boolean,
  ): Promise<Outcome> {
    const plan = { requests, seconds, perDay };
    const { outcome, clients } = await this.line.ask(step, { identity, plan, cost, charge });
    this.size = clients;
    return outcome;
  }

  callLog(log: string, limit: FieldLimit): CallLog {
    return {
      append: (caller, calls, now) => this.line.ask(append, { log, limit, caller, calls, now }),
      takeBack: async (caller, calls) => {
        await this.line.ask(takeBack, { log, limit, caller, calls });
      },
    };
  }

  close(): void {
    // The primary process counts on for the others.
  }
}
