import { MultiBar, Presets, type SingleBar } from 'cli-progress';
import type { Logger } from 'pino';
import { printable, shorten } from '../errors.js';
import { Rate } from './rate.js';
import type { PipelineView } from './view.js';

/** Milliseconds between two pictures of a terminal, and between two lines of a log. */
const DRAW_MS = 500;
const LINE_MS = 30_000;
/** Longest note in a table, characters. */
const SHOWN_NOTE = 60;

/**
 * Shows how far pipelines are, until the returned function is called.
 *
 * @param terminal for a table; null: lines of the log
 */
export function showProgress(
  views: readonly PipelineView[],
  terminal: NodeJS.WriteStream | null,
  log: Logger,
): () => void {
  const rates = new Map(views.map((view) => [view, new Rate()]));
  const show = terminal ? table(views, rates, terminal) : lines(views, rates, log);
  const timer = setInterval(() => {
    for (const [view, rate] of rates) if (view.next !== null) rate.note(view.next, performance.now());
    show.draw();
  }, DRAW_MS);
  return () => {
    clearInterval(timer);
    show.draw();
    show.stop();
  };
}

interface Shown {
  draw: () => void;
  stop: () => void;
}

type Rates = ReadonlyMap<PipelineView, Rate>;

function table(views: readonly PipelineView[], rates: Rates, output: NodeJS.WriteStream): Shown {
  const bars = new MultiBar(
    {
      stream: output,
      format: '{name} {bar} {done} of {head} | {rate} blocks/s | {left}',
      barsize: 20,
      hideCursor: true,
      autopadding: true,
    },
    Presets.shades_classic,
  );
  const rows = new Map<PipelineView, SingleBar>(
    views.map((view) => [view, bars.create(1, 0, factsOf(view, rates.get(view)))]),
  );
  return {
    draw() {
      for (const [view, bar] of rows) {
        const { first } = view;
        bar.setTotal(Math.max(1, Number((view.head ?? 0n) + 1n - first)));
        bar.update(Math.max(0, Number((view.next ?? first) - first)), factsOf(view, rates.get(view)));
      }
    },
    stop: () => bars.stop(),
  };
}

function lines(views: readonly PipelineView[], rates: Rates, log: Logger): Shown {
  let last = performance.now();
  return {
    draw() {
      if (performance.now() - last < LINE_MS) return;
      last = performance.now();
      for (const view of views) {
        const { name, done, head, rate, left } = factsOf(view, rates.get(view));
        log.info({ pipeline: view.name }, `${name.trim()}: ${done} of ${head}, ${rate} blocks/s, ${left}`);
      }
    },
    stop: () => undefined,
  };
}

/** What a row of the table says. */
function factsOf({ name, next, head, note, state }: PipelineView, rate = new Rate()) {
  const count = (value: bigint | null) => value?.toLocaleString('en') ?? '–';
  const behind = next === null || head === null ? null : head + 1n - next;
  const left = behind === null ? '' : behind <= 0n ? 'up to date' : timeLeft(rate.secondsFor(behind));
  return {
    name: name.padEnd(8),
    done: count(next === null ? null : next - 1n),
    head: count(head),
    rate: Math.round(rate.perSecond).toLocaleString('en'),
    left: note === null ? left : `${state}: ${shorten(printable(note), SHOWN_NOTE)}`,
  };
}

function timeLeft(seconds: number | null): string {
  if (seconds === null) return 'time left unknown';
  const whole = Math.ceil(seconds);
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return `${parts.map((part) => String(part).padStart(2, '0')).join(':')} left`;
}
