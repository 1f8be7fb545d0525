import type { RequestTrace } from './tracing.js';

/** Longest name of an operation that is written, characters; the name is the client's. */
const OPERATION_LENGTH = 64;

/** What one request did, for its log line and its trace. */
export class RequestRecord {
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

  /** Notes which operation is asked for and what it was reckoned to cost, whether it is then run or refused. */
  weigh(name: string | undefined, cost: number): void {
    this.operation = name?.slice(0, OPERATION_LENGTH);
    this.cost = cost;
  }
}
