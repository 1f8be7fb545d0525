import { unlessAborted } from '../../stop.js';
import type { ErrorRow } from './error-row.js';
import { rowNamed } from './error-table.js';
import { Failed } from './failed.js';
import type { NodeRequest, Question } from './question.js';

interface JudgeOptions {
  /** Milliseconds after which the call failed. */
  readonly tookMs: number;
  /** Puts a question to the same endpoint. */
  readonly ask: (question: Question<unknown>) => Promise<unknown>;
  /** Puts the same question once more; nothing follows for the endpoint. */
  readonly again: () => Promise<unknown>;
  /** Whether the endpoint is to be asked nothing. */
  readonly isResting: () => boolean;
  /** Ends the judging: the failure is what it was. */
  readonly signal: AbortSignal | undefined;
}

/** Failures of a call that took a node, or a server before it, too long. */
const endings: ReadonlySet<string> = new Set(['timeout', 'connection-lost', 'unavailable', 'node-busy']);

/** Kinds of answers that may be the fault of a call, not of the endpoint. */
const broken: ReadonlySet<string | number> = new Set(['wrong', 'shape']);

/**
 * Finds out whether an endpoint refuses one call, or all calls like it: nothing else says whether a call will
 * ever be answered. That the endpoint names its head proves nothing: a node that traces nothing does so too.
 * So when a call has failed, the last similar call that was answered is asked again.
 */
export class SimilarCalls {
  private readonly last = new Map<string, Question<unknown>>();
  private readonly highest = new Map<string, Question<unknown>>();
  /** One is judged at a time: several would be the load that a limit refuses. */
  private judging: Promise<unknown> = Promise.resolve();

  /** @param silenceMs calls that fail sooner were not endless */
  constructor(private readonly silenceMs: number) {}

  /** The endpoint has answered. */
  answered<T>({ similar, ...answered }: Question<T>, value: T): void {
    // To trace a block without transactions is no work, and shows nothing.
    if (typeof similar !== 'string' || (Array.isArray(value) && value.length === 0)) return;
    const question = answered;
    this.last.set(similar, question);
    const highest = this.highest.get(similar);
    if (!highest || heightOf(question) >= heightOf(highest)) this.highest.set(similar, question);
  }

  /** The failure of a call, as one of that call alone where a similar one is answered now. */
  async judge(question: NodeRequest, given: Failed, options: JudgeOptions): Promise<Failed> {
    const { tookMs, signal } = options;
    const failed = ofCall(question, given);
    const isLate = endings.has(failed.row.name) && tookMs >= this.silenceMs;
    // A similar call has none itself: it must not wait for the judging that asks it.
    if (!question.similar || !(isLate || failed.row.mayBeCall)) return failed;
    const judged = this.judging.then(() => this.isAlone(question, failed, isLate, options));
    this.judging = judged;
    const isAlone = await (signal ? unlessAborted(signal, judged).catch(() => false) : judged);
    return isAlone ? failed.ofCallAlone() : failed;
  }

  private async isAlone(
    question: NodeRequest,
    { row }: Failed,
    isLate: boolean,
    { ask, again, isResting, signal }: JudgeOptions,
  ): Promise<boolean> {
    const similar = this.similarTo(question, row);
    if (!similar || isResting() || signal?.aborted) return false;
    try {
      await ask(similar);
    } catch (error) {
      // After an endless call a quick refusal is as good as an answer: meanwhile the node may have dropped
      // the state.
      return isLate && error instanceof Failed && error.row.class !== 'wait';
    }
    if (isLate) return true;
    // Right after the similar call no limit refuses it: it would have refused that one.
    return again().then(
      () => false,
      (error: unknown) => error instanceof Failed && ofCall(question, error).row.name === row.name,
    );
  }

  private similarTo(question: NodeRequest, { name }: ErrorRow): Question<unknown> | undefined {
    const { similar } = question;
    if (typeof similar !== 'string') return similar;
    // A node that does not have a block yet answers those before it.
    const other = (name === 'not-found' ? this.highest : this.last).get(similar);
    if (!other || JSON.stringify(other.calls) === JSON.stringify(question.calls)) return undefined;
    return name === 'not-found' && heightOf(other) <= heightOf(question) ? undefined : other;
  }
}

const heightOf = ({ needs }: NodeRequest): bigint => needs?.height ?? -1n;

/** The failure of a question with similar ones: a broken answer may be the fault of the call. */
function ofCall({ similar, method }: NodeRequest, failed: Failed): Failed {
  const { row, failure } = failed;
  if (row.name === 'call-failed' && method !== 'eth_call') return new Failed(failure, rowNamed('node-error'));
  return similar && failure.on === 'answer' && broken.has(failure.code)
    ? new Failed({ ...failure, code: 'broken' })
    : failed;
}
