import type { Observer } from '../storage/reader.js';
import type { RequestTrace } from './tracing.js';

/** Longest name of an operation that is written, characters; the name is the client's. */
const OPERATION_LENGTH = 64;

/**
 * What one request did, for its log line and its trace. Handed down by hand instead of by AsyncLocalStorage, which costs
 * 2 to 8 % of a REST list on Node 20 (docs/decisions/0015-seeing.md).
 */
export class RequestRecord implements Observer {
  /** @param asLogged masks what a client's text may hold that is no business of a log */
  constructor(private readonly asLogged: (text: string) => string) {}

  /** Reads sent to the database for this request alone; what requests share (composite sets, keys) is not in it. */
  statements = 0;
  /** Rows that those brought. */
  rows = 0;
  /** Name of the GraphQL operation, shortened; undefined for REST and for operations without one. */
  operation: string | undefined;
  /** What the limits of documents reckoned; undefined for REST, and for what could not be weighed. */
  cost: number | undefined;
  /** Set while traces are exported. */
  trace: RequestTrace | undefined;

  noteStatement(name: string, asked: Promise<unknown>): void {
    this.statements += 1;
    const ended = this.trace?.statement(name);
    asked.then(
      (found) => {
        const rows = rowsOf(found);
        this.rows += rows;
        ended?.(rows);
      },
      (error: unknown) => ended?.(0, error),
    );
  }

  /** Notes which operation is asked for and what it was reckoned to cost, whether it is then run or refused. */
  weigh(name: string | undefined, cost: number): void {
    this.operation = name && this.asLogged(name).slice(0, OPERATION_LENGTH);
    this.cost = cost;
  }
}

const rowsOf = (found: unknown) => (Array.isArray(found) ? found.length : Number(found !== null));
