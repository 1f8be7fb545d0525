import type { NodeErrorClass } from './error.js';

/** What came instead of an answer. */
export interface Failure {
  /**
   * `connection`: no reply. `http`: a status other than 200. `rpc`: the node's own error. `answer`: a reply
   * that is not what was asked for.
   */
  readonly on: 'connection' | 'http' | 'rpc' | 'answer';
  /** The path that was asked, without what the operator wrote before it. */
  readonly path: string;
  /** Of a connection or rpc the error's code, of http the status, of an answer its kind. */
  readonly code: string | number;
  /** Of http: the code of the JSON-RPC error in the reply. */
  readonly rpcCode?: number;
  /** What the other side or the socket said. */
  readonly text: string;
  /** Milliseconds that the server asked for (Retry-After). */
  readonly retryAfterMs?: number;
  /** It is that of one call of a batch, whose other calls may have been answered. */
  readonly isOfOneCall?: boolean;
}

/** What follows from a failure. */
export interface ErrorRule {
  /**
   * `rests`: a growing cooldown for this path of the endpoint. `slower`: also half as many calls at a time.
   * `doubted`: a cooldown after several in a row. `distrusted`: a cooldown for all paths of the endpoint.
   */
  readonly endpoint?: 'rests' | 'slower' | 'doubted' | 'distrusted';
  /** The call fails there until the operator changes something: it is not tried again there. */
  readonly lasting?: true;
  /** How often all endpoints are asked before it is thrown; absent: until the patience of the call ends. */
  readonly rounds?: number;
  /** No other endpoint is asked: all say the same. */
  readonly same?: true;
  /**
   * When a batch that fails so is asked in halves: at once; when it has failed twice, because a server that
   * limits calls may take it after a pause; last, when every endpoint was asked; or never. See `halvesOf`
   * when absent.
   */
  readonly halves?: 'at once' | 'later' | 'last' | 'never';
  /** The call itself may be why: it is, where the endpoint answers a similar one (similar-calls.ts). */
  readonly mayBeCall?: true;
}

/** A line of the table. */
export interface ErrorRow extends ErrorRule {
  readonly on: Failure['on'];
  /** The reason of the NodeError, and the outcome in metrics. */
  readonly name: string;
  readonly class: NodeErrorClass;
  /** For people; the node's own text follows it. */
  readonly says: string;
  /** When the line fits; always when absent. */
  readonly codes?: readonly (string | number)[];
  readonly text?: RegExp;
  readonly path?: RegExp;
}

type Conditions = Pick<ErrorRow, 'codes' | 'text' | 'path'>;

/**
 * The default: at once, unless there was no reply, or each call of the batch would be refused for the same
 * reason.
 */
export const halvesOf = ({ halves, lasting, on }: ErrorRow): NonNullable<ErrorRow['halves']> =>
  halves ?? (on === 'connection' ? 'never' : lasting ? 'last' : 'at once');

/** Makes the lines of one kind of failure. */
export const rowsOn =
  (on: Failure['on']) =>
  (
    name: string,
    failureClass: NodeErrorClass,
    says: string,
    rule: ErrorRule & Conditions = {},
  ): ErrorRow => ({
    on,
    name,
    class: failureClass,
    says,
    ...rule,
  });
