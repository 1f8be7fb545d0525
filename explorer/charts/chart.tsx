import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Amount, decimalOf, type AssetOfAmount } from '../components/amount.js';
import { Table } from '../components/table.js';
import { csvOf, dayOf, download, type DayValue } from './csv.js';
import type { Plot, Shape } from './plot.js';

/** How far below what is seen a chart is drawn already. */
const NEAR = '300px';

interface ChartProps {
  title: string;
  /** Ascending. */
  days: readonly DayValue[];
  /** What the values are amounts of; if omitted, they are counts. */
  asset?: AssetOfAmount;
  shape: Shape;
  /** What is said if there is no day. */
  none: string;
}

/** Values of days: a chart, a table of the same numbers, and a download. */
export function Chart({ title, days, asset, shape, none }: ChartProps) {
  if (days.length === 0) return <p>{none}</p>;
  const fileName = `${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.csv`;
  return (
    <>
      <Drawing title={title} days={days} asset={asset} shape={shape} />
      <details>
        <summary>The same numbers as a table</summary>
        <Table
          label={`${title}, as a table`}
          rows={[...days].reverse()}
          keyOf={({ timestamp }) => String(timestamp)}
          columns={[
            { title: 'Day (UTC)', cell: ({ timestamp }) => dayOf(timestamp) },
            { title, cell: ({ value }) => <Value value={value} asset={asset} /> },
          ]}
        />
      </details>
      <button type="button" onClick={() => download(fileName, csvOf(days, asset?.denomination))}>
        Download as CSV
      </button>
    </>
  );
}

const Value = ({ value, asset }: { value: string; asset?: AssetOfAmount }) =>
  asset ? <Amount amount={value} asset={asset} /> : <span>{decimalOf(value, 0)}</span>;

function Drawing({ title, days, asset, shape }: Omit<ChartProps, 'none'>) {
  const root = useRef<HTMLDivElement>(null);
  const [day, setDay] = useState<number | null>(null);
  const [isMissing, setMissing] = useState(false);
  const denomination = asset?.denomination ?? 0;
  const values = useMemo(
    () => days.map(({ value }) => Number(decimalOf(value, denomination).replaceAll(',', ''))),
    [days, denomination],
  );
  useEffect(() => {
    const element = root.current;
    if (!element) return;
    let plot: Plot | undefined;
    let isGone = false;
    const seconds = days.map(({ timestamp }) => Number(timestamp));
    const load = () =>
      import('./plot.js').then(
        ({ draw }) => {
          if (!isGone) plot = draw(element, seconds, values, shape, setDay);
        },
        () => setMissing(true),
      );
    // What draws it is as large as half of the first view, and most charts are below what is seen first.
    const near = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        near.disconnect();
        void load();
      },
      { rootMargin: NEAR },
    );
    near.observe(element);
    return () => {
      isGone = true;
      near.disconnect();
      plot?.destroy();
    };
  }, [days, values, shape]);
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return null;
  const span = `from ${dayOf(first.timestamp)} to ${dayOf(last.timestamp)}`;
  const shown = (day === null ? undefined : days[day]) ?? last;
  return (
    <figure>
      <div class="chart" ref={root} role="img" aria-label={`Chart: ${title}, ${span}`} />
      <figcaption>
        {isMissing && 'The chart could not be loaded; the table has its numbers. '}
        {dayOf(shown.timestamp)}: <Value value={shown.value} asset={asset} />
      </figcaption>
    </figure>
  );
}
