import type { NodeErrorClass } from './error.js';

/** What came instead of an answer. */
export interface Failure {
  /**
   * `connection`: no reply. `http`: a status other than 200. `rpc`: the node's own error. `answer`: a reply that is not
   * what was asked for.
   */
  readonly on: 'connection' | 'http' | 'rpc' | 'answer';
  /** The path that was asked, without what the operator wrote before it. */
  readonly path: string;
  /** Of a connection the error's code, of http the status, of rpc the error's code, of an answer the kind of it. */
  readonly code: string | number;
  /** What the other side or the socket said. */
  readonly text: string;
  /** Milliseconds that the server asked for (Retry-After). */
  readonly retryAfterMs?: number;
}

/** When a line of the table fits, and what else follows from it. All conditions must fit. */
export interface ErrorTerms {
  readonly codes?: readonly (string | number)[];
  readonly text?: RegExp;
  readonly path?: RegExp;
  /**
   * The endpoint's path rests for a growing pause; with `slower` it also gets half as many calls at a time; with
   * `doubted` it rests when this comes several times in a row; with `distrusted` it rests with all its paths.
   */
  readonly endpoint?: 'rests' | 'slower' | 'doubted' | 'distrusted';
  /** The same call fails there until somebody changes something: it is not tried again in this call. */
  readonly lasting?: true;
  /** How often all endpoints are asked before it counts; as often as the call's patience allows when absent. */
  readonly rounds?: number;
  /** A batch that fails so is halved. */
  readonly halves?: true;
}

/** A line of the table. */
export interface ErrorRow extends ErrorTerms {
  readonly on: Failure['on'];
  /** The reason of the NodeError, and the outcome in metrics. */
  readonly name: string;
  readonly class: NodeErrorClass;
  /** For people; the node's own text follows it. */
  readonly says: string;
}

/** Makes the lines of one kind of failure. */
export const rowsOn =
  (on: Failure['on']) =>
  (name: string, failureClass: NodeErrorClass, says: string, terms: ErrorTerms = {}): ErrorRow => ({
    on,
    name,
    class: failureClass,
    says,
    ...terms,
  });
