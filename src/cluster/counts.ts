import type { CallLog } from '../access/call-log.js';
import type { FieldLimit } from '../access/field-limits.js';
import type { LimitStore } from '../access/limit-store.js';
import type { PlanWindows } from '../access/plans.js';
import type { Outcome } from '../access/windows.js';
import { LineError, topic, type Line } from './line.js';

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

/** Counts in `store` for the process at the other end of the line. */
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

/**
 * Counts in the primary process, so that limits are exact over all processes of a gateway. While that process
 * does not answer, this one counts for itself, because a request must not wait for a limit.
 */
export class PrimaryCounts implements LimitStore {
  /** As of the last answer. */
  size = 0;

  /** @param own counts while the primary process is silent */
  constructor(
    private readonly line: Line,
    private readonly own: LimitStore,
  ) {}

  step(
    identity: string,
    { requests, seconds, perDay }: PlanWindows,
    cost: number,
    charge: boolean,
  ): Promise<Outcome> {
    const plan = { requests, seconds, perDay };
    return this.shared(
      async () => {
        const { outcome, clients } = await this.line.ask(step, { identity, plan, cost, charge });
        this.size = clients;
        return outcome;
      },
      () => this.own.step(identity, plan, cost, charge),
    );
  }

  callLog(log: string, limit: FieldLimit): CallLog {
    const own = this.own.callLog(log, limit);
    return {
      append: (caller, calls, now) =>
        this.shared(
          () => this.line.ask(append, { log, limit, caller, calls, now }),
          () => own.append(caller, calls, now),
        ),
      takeBack: (caller, calls) =>
        this.shared(
          async () => void (await this.line.ask(takeBack, { log, limit, caller, calls })),
          () => own.takeBack(caller, calls),
        ),
    };
  }

  close(): void {
    this.own.close();
  }

  private async shared<T>(there: () => Promise<T>, here: () => T | Promise<T>): Promise<T> {
    // The first wait without an answer is the last one: later calls do not wait until the other end answers
    // again.
    if (this.line.isSilent) return here();
    try {
      return await there();
    } catch (error) {
      if (!(error instanceof LineError)) throw error;
      return here();
    }
  }
}
