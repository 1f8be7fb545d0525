import type { Observer } from '../storage/reader.js';
import type { RequestTrace } from './tracing.js';

/** Longest name of an operation that is logged, characters; clients choose the name. */
const OPERATION_LENGTH = 64;

/**
 * What one request did, for its log line and its trace. Passed as an argument instead of with
 * AsyncLocalStorage, which costs 2 to 8 % of a REST list on Node 20 (docs/decisions/0015-seeing.md).
 */
export class RequestRecord implements Observer {
  /** @param asLogged masks what a client's text may contain that must not be logged */
  constructor(private readonly asLogged: (text: string) => string) {}

  /** Reads sent to the database only for this request; without what requests share (composite sets, keys). */
  statements = 0;
  /** Rows that those returned. */
  rows = 0;
  /** Name of the GraphQL operation, shortened; undefined for REST and for operations without one. */
  operation: string | undefined;
  /** The calculated cost; undefined for REST, and for documents whose cost could not be calculated. */
  cost: number | undefined;
  /** Set while traces are exported. */
  trace: RequestTrace | undefined;

  noteStatement(name: string, outcome: Promise<unknown>): void {
    this.statements += 1;
    const ended = this.trace?.statement(name);
    outcome.then(
      (found) => {
        const rows = rowsOf(found);
        this.rows += rows;
        ended?.(rows);
      },
      (error: unknown) => ended?.(0, error),
    );
  }

  /** Notes the name of the operation and its calculated cost, whether it is then run or refused. */
  weigh(name: string | undefined, cost: number): void {
    this.operation = name && this.asLogged(name).slice(0, OPERATION_LENGTH);
    this.cost = cost;
  }
}

const rowsOf = (found: unknown) => (Array.isArray(found) ? found.length : Number(found !== null));
