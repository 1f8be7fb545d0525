import type { LimitStore } from '../access/limit-store.js';
import { PrimaryCounts } from './counts.js';
import { LineError, topic, type Line, type Topic } from './line.js';

/** The other processes of a gateway, as one of them sees them. */
export interface Siblings {
  /** Where limits are counted for all. */
  readonly counts: LimitStore;
  /** The metrics of all processes as one text. @throws LineError when the primary process does not answer */
  metrics: () => Promise<string>;
  /** The answers of the other processes, without those that do not answer in time. */
  ask: <Question, Answer>(topic: Topic<Question, Answer>, question: Question) => Promise<Answer[]>;
  /** Answers the others from now on. */
  answer: <Question, Answer>(
    topic: Topic<Question, Answer>,
    reply: (question: Question) => Answer | Promise<Answer>,
  ) => void;
}

/**
 * How long to wait for what the primary process itself asks the others, milliseconds: they may hang, and the
 * next scrape needs a second more.
 */
const GATHERING_MS = 4000;

/** A question to the primary process: it answers for all processes. */
export const metricsOfAll = topic<null, string>('metrics of all', GATHERING_MS);
/** To the primary process: this process serves now. */
export const serves = topic<{ url: string }, null>('serves');
/** A question to the primary process, which passes it to all processes but the one that asks. */
export const askOthers = topic<{ name: string; question: unknown }, unknown[]>('others', GATHERING_MS);
/**
 * Tells the primary process that this one was asked to end. The answer: whether a replacement serves first.
 */
export const renew = topic<null, boolean>('renew');
/** From the primary process: end in an orderly way; `replaced` when a replacement serves. */
export const end = topic<{ replaced: boolean }, null>('end');

/**
 * The others, through the primary process at the other end of the line. @param own counts while that process
 * is silent
 */
export function siblingsOn(line: Line, own: LimitStore): Siblings {
  return {
    counts: new PrimaryCounts(line, own),
    metrics: () => line.ask(metricsOfAll, null),
    ask: <Question, Answer>({ name }: Topic<Question, Answer>, question: Question) =>
      line.ask(askOthers, { name, question }).catch(nobody) as Promise<Answer[]>,
    answer: (about, reply) => line.answer(about, reply),
  };
}

function nobody(error: unknown): [] {
  if (error instanceof LineError) return [];
  throw error;
}
