import type { ErrorRow } from './error-row.js';
import { Failed } from './failed.js';
import type { Question } from './question.js';

/** Failures with which a call ends that a node, or a server before it, worked on for too long. */
const endings: ReadonlySet<string> = new Set(['timeout', 'connection-lost', 'unavailable', 'node-busy']);

const isLate = ({ name }: ErrorRow, tookMs: number, silenceMs: number) =>
  endings.has(name) && tookMs >= silenceMs;

/**
 * Finds out whether it is a call's own fault that an endpoint never answers it. The head says nothing of that: a node that traces
 * nothing in time names it at once. So the last question that may be endless and was not is asked again.
 */
export class EndlessCalls {
  private ended: Question<unknown> | null = null;

  /** @param silenceMs calls that fail sooner were not endless */
  constructor(private readonly silenceMs: number) {}

  /** The endpoint has answered. */
  answered<T>({ mayBeEndless = false, ...question }: Question<T>, value: T): void {
    // The traces of no transactions are no work.
    if (!mayBeEndless || (Array.isArray(value) && value.length === 0)) return;
    this.ended = question;
  }

  /**
   * The failure of a call, or `unanswered` where another one of its kind is answered now.
   *
   * @param tookMs milliseconds after which it failed
   * @param ask puts a question to the same endpoint
   */
  async judge(
    { mayBeEndless = false, path }: Pick<Question<unknown>, 'mayBeEndless' | 'path'>,
    failed: Failed,
    tookMs: number,
    ask: (question: Question<unknown>) => Promise<unknown>,
  ): Promise<Failed> {
    if (!mayBeEndless || !this.ended || !isLate(failed.row, tookMs, this.silenceMs)) return failed;
    try {
      await ask(this.ended);
    } catch (error) {
      // Another failure is an answer: it may have forgotten a state meanwhile, and says so. The rest is a signal's end.
      if (!(error instanceof Failed) || error.row.class === 'wait') return failed;
    }
    return new Failed({ on: 'answer', path, code: 'unanswered', text: failed.failure.text });
  }
}
