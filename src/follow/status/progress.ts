import { MultiBar, Presets, type SingleBar } from 'cli-progress';
import type { DestinationStream, Logger } from 'pino';
import { printable, shorten } from '../../errors.js';
import { Rate } from './rate.js';
import type { PipelineView } from './view.js';

/** Milliseconds between two pictures of a terminal, and between two lines of a log. */
const DRAW_MS = 500;
const LINE_MS = 30_000;
/** Longest note in a table, characters. */
const SHOWN_NOTE = 60;

/** A terminal with a table at its end, above which lines of the log go. */
export class ProgressScreen implements DestinationStream {
  private bars: MultiBar | undefined;

  constructor(private readonly terminal: NodeJS.WriteStream) {}

  /** A line of the log. */
  write(text: string): void {
    if (this.bars) this.bars.log(text);
    else this.terminal.write(text);
  }

  begin(): MultiBar {
    this.bars = new MultiBar(
      {
        stream: this.terminal,
        format: '{name} {bar} {done} of {head} | {rate} blocks/s | {left}',
        barsize: 20,
        hideCursor: true,
        autopadding: true,
        // Lines of the log move the table.
        forceRedraw: true,
      },
      Presets.shades_classic,
    );
    return this.bars;
  }

  end(): void {
    this.bars?.stop();
    this.bars = undefined;
  }
}

/**
 * Shows how far pipelines are, until the returned function is called.
 *
 * @param screen for a table; null: lines of the log
 */
export function showProgress(
  views: readonly PipelineView[],
  screen: ProgressScreen | null,
  log: Logger,
): () => void {
  const rates = new Map<PipelineView, Rate>();
  const show = screen ? table(views, rates, screen) : lines(views, rates, log);
  const timer = setInterval(() => {
    for (const view of views) {
      const rate = rates.get(view) ?? new Rate();
      // Chains may come while others are followed.
      rates.set(view, rate);
      if (view.next !== null) rate.note(view.next, performance.now());
    }
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

function table(views: readonly PipelineView[], rates: Rates, screen: ProgressScreen): Shown {
  const bars = screen.begin();
  const rows = new Map<PipelineView, SingleBar>();
  const rowOf = (view: PipelineView) => {
    const row = rows.get(view) ?? bars.create(1, 0, factsOf(view, rates.get(view)));
    rows.set(view, row);
    return row;
  };
  views.forEach(rowOf);
  return {
    draw() {
      for (const view of views) {
        const bar = rowOf(view);
        const { first } = view;
        bar.setTotal(Math.max(1, Number((view.head ?? 0n) + 1n - first)));
        bar.update(Math.max(0, Number((view.next ?? first) - first)), factsOf(view, rates.get(view)));
      }
    },
    stop: () => screen.end(),
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
  const count = (value: bigint | null) => (value === null || value < 0n ? '–' : value.toLocaleString('en'));
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
