import { topic, type Line } from './line.js';

/** Milliseconds between two beats. */
const BEAT_MS = 1000;
/**
 * Beats in a row without an answer after which a process counts as hanging: three times the longest work
 * without a pause that we know.
 */
const MOST_MISSED = 10;
/** The same for a process that has never answered: it is still loading, perhaps on a busy machine. */
const MOST_MISSED_AT_FIRST = 60;

const alive = topic<null, null>('alive');

/** Answers the beats of the other end. */
export function answerHeartbeat(line: Line): void {
  line.answer(alive, () => null);
}

/**
 * Asks the process at the other end of a line each second whether its event loop runs. It counts beats and
 * not time: beats that were not sent because this process itself stood still are not missed.
 *
 * @param hangs called once, when it has not answered so many beats
 */
export function watchHeartbeat(line: Line, hangs: (seconds: number) => void): void {
  let missed = 0;
  let most = MOST_MISSED_AT_FIRST;
  const beat = setInterval(() => {
    if (!line.isOpen) return clearInterval(beat);
    if (missed >= most) {
      clearInterval(beat);
      return hangs((missed * BEAT_MS) / 1000);
    }
    missed += 1;
    line.ask(alive, null).then(
      () => {
        missed = 0;
        most = MOST_MISSED;
      },
      () => undefined,
    );
  }, BEAT_MS).unref();
}
