// A file of its own in the bundle: only pages with a chart load it.
import uPlot from 'uplot';

/** How values of days are joined: a level that lasts until the next day, or a bar for each day. */
export type Shape = 'level' | 'bars';

export interface Plot {
  destroy: () => void;
}

const HEIGHT = 220;
const DAY = 86_400;

/** A colour of the stylesheet, as it is now: it changes with the reader's dark mode. */
const colour = (name: string) => () =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim();

const short = new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 6 });

const dateOf = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10);

/** The room that labels need: those of 10^9 coins are longer than those of 1. */
const roomOf = (_plot: uPlot, labels: string[] | null) =>
  Math.max(40, ...(labels ?? []).map((label) => label.length * 8 + 20));

/**
 * Draws values of days into an element, as wide as that is.
 *
 * @param days Unix seconds, ascending
 * @param onDay called with the place of the day below the pointer; null if there is none
 */
export function draw(
  root: HTMLElement,
  days: readonly number[],
  values: readonly number[],
  shape: Shape,
  onDay: (day: number | null) => void,
): Plot {
  const axis: uPlot.Axis = {
    stroke: colour('--soft'),
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { stroke: colour('--line'), width: 1 },
  };
  const [first = 0, last = 0] = [days[0], days.at(-1)];
  const isLevel = shape === 'level';
  // A level lasts until its last day is over; a bar is as wide as its day.
  const end = last + DAY;
  const range: [number, number] = isLevel ? [first, end] : [first - DAY / 2, last + DAY / 2];
  const options: uPlot.Options = {
    width: root.clientWidth,
    height: HEIGHT,
    // Room for half of a date at the end.
    padding: [null, 36, null, null],
    // Days are those of UTC.
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, y: false },
    scales: {
      x: { range: () => range },
      y: { range: (_plot, _least, most) => [0, most > 0 ? most * 1.05 : 1] },
    },
    axes: [
      {
        ...axis,
        space: 90,
        size: 36,
        incrs: [1, 2, 7, 14, 30, 60, 90, 180, 365].map((count) => count * DAY),
        values: (_plot, splits) => splits.map(dateOf),
      },
      { ...axis, size: roomOf, values: (_plot, splits) => splits.map((value) => short.format(value)) },
    ],
    series: [
      {},
      {
        stroke: colour('--link'),
        fill: colour(isLevel ? '--area' : '--link'),
        width: isLevel ? 2 : 0,
        points: { show: false },
        paths: isLevel ? uPlot.paths.stepped?.({ align: 1 }) : uPlot.paths.bars?.({ size: [0.7, 60] }),
      },
    ],
    hooks: { setCursor: [({ cursor }) => onDay(cursor.idx ?? null)] },
  };
  const drawn: uPlot.AlignedData = isLevel
    ? [
        [...days, end],
        [...values, values.at(-1) ?? 0],
      ]
    : [[...days], [...values]];
  const plot = new uPlot(options, drawn, root);
  const fit = new ResizeObserver(() => plot.setSize({ width: root.clientWidth, height: HEIGHT }));
  fit.observe(root);
  const dark = window.matchMedia('(prefers-color-scheme: dark)');
  const paint = () => plot.redraw(false);
  dark.addEventListener('change', paint);
  return {
    destroy: () => {
      fit.disconnect();
      dark.removeEventListener('change', paint);
      plot.destroy();
    },
  };
}
