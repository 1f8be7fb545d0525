import { printable, shorten } from '../../errors.js';
import { NodeError } from './error.js';
import type { ErrorRow, Failure } from './error-row.js';
import { rowOf } from './error-table.js';

/** Longest part of a node's own text in a message. */
const SHOWN_CHARACTERS = 200;
/** Part of it in which secrets are looked for: much longer, so that none is cut in two where it is shown. */
const READ_CHARACTERS = 4_000;

/** Thrown inside the client: a failure on its way to become a NodeError. */
export class Failed extends Error {
  /**
   * @param row its line of the error table
   * @param method of the call that failed, if that is another than the caller's: one that is sent first
   */
  constructor(
    readonly failure: Failure,
    readonly row: ErrorRow = rowOf(failure),
    private readonly method?: string,
  ) {
    super(failure.text);
  }

  /** The same failure, shown as that of a call which is sent before others. */
  withMethod(method: string): Failed {
    return new Failed(this.failure, this.row, method);
  }

  /** The same failure of a call that alone is refused. */
  ofCallAlone(): Failed {
    const { on, name, says } = this.row;
    const alone = `${says}, although it answers similar calls`;
    return new Failed(this.failure, { on, name, class: 'refused', says: alone, rounds: 3 });
  }

  /**
   * @param endpoint the printable name of the endpoint
   * @param method of the call
   * @param hide takes the address's secrets out of a text, because servers repeat what they were sent
   */
  toNodeError(endpoint: string, method: string, hide: (text: string) => string): NodeError {
    const { row, failure } = this;
    const theirs = printable(hide(failure.text.slice(0, READ_CHARACTERS)).trim());
    const status = failure.on === 'http' ? `HTTP ${failure.code}${theirs === '' ? '' : ' '}` : '';
    const quoted = status + shorten(theirs, SHOWN_CHARACTERS);
    const text = `${endpoint}, ${this.method ?? method}: ${row.says}${quoted === '' ? '' : ` (${quoted})`}`;
    return new NodeError(row.class, row.name, text, endpoint);
  }
}

/** A reply that is not what was asked for. */
export function wrongAnswer(path: string, code: string, text: string): Failed {
  return new Failed({ on: 'answer', path, code, text });
}
