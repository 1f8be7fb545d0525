import type { LimitStore } from '../access/limit-store.js';
import { PrimaryCounts } from './counts.js';
import { LineError, topic, type Line, type Topic } from './line.js';

/** The other processes of a gateway, as one of them sees them. */
export interface Siblings {
  /** Where limits are counted for all. */
  readonly counts: LimitStore;
  /** The metrics of all processes as one text. @throws LineError when the primary process does not answer */
  metrics: () => Promise<string>;
  /** What the other processes answer; who does not in time is left out. */
  ask: <Question, Answer>(topic: Topic<Question, Answer>, question: Question) => Promise<Answer[]>;
  /** Answers the others from now on. */
  answer: <Question, Answer>(
    topic: Topic<Question, Answer>,
    reply: (question: Question) => Answer | Promise<Answer>,
  ) => void;
}

/** Milliseconds for what the primary process itself asks of the others, which may hang, a second before the next scrape included. */
const GATHERING_MS = 4000;

/** Asked of the primary process: its answer is that of all processes. */
export const metricsOfAll = topic<null, string>('metrics of all', GATHERING_MS);
/** Told to the primary process: this one serves. */
export const serves = topic<{ url: string }, null>('serves');
/** Asked of the primary process, which passes it on to all processes but the one that asks. */
export const askOthers = topic<{ name: string; question: unknown }, unknown[]>('others', GATHERING_MS);
/** Told by the primary process: end in an orderly way. */
export const end = topic<null, null>('end');

/** The others, by way of the primary process at the other end of the line. @param own counts while that one is silent */
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
