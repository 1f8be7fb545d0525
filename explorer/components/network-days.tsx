import { ArrowRightLeft, Coins, Flame, MessageSquare, ShieldCheck } from 'lucide';
import { useMemo } from 'preact/hooks';
import { Chart } from '../charts/chart.js';
import { dayOf } from '../charts/csv.js';
import type { NetworkDaysQuery } from '../generated/graphql.js';
import { directoryPath, type NetworkName } from '../paths.js';
import { AVAX, OfAvax } from './amount.js';
import { Part } from './answer.js';
import { Figures } from './facts.js';

type Day = NonNullable<NetworkDaysQuery['networkStats']>['nodes'][number];

const heads = [
  { title: 'Transactions', icon: ArrowRightLeft },
  { title: 'Fees burned', icon: Flame },
  { title: 'Active validators', icon: ShieldCheck },
  { title: 'Interchain messages', icon: MessageSquare },
  { title: 'Staked', icon: Coins, isLong: true },
];

/** While the days are awaited: what is below does not move when they come. */
const AWAITED = { value: '…', note: '\u00A0' };

/**
 * Figures of the newest whole day, and of who validates.
 *
 * @param days undefined while they are awaited
 */
export function Numbers({ days, network }: { days: NetworkDaysQuery | undefined; network: NetworkName }) {
  const all = days?.networkStats?.nodes ?? [];
  const last = all.find(({ isRunning }) => !isRunning) ?? all[0];
  if (days && !last) return null;
  const values = last && valuesOf(last, days?.subnet?.totals, network);
  return (
    <Figures figures={heads.map((head, index) => Object.assign({}, head, values?.[index] ?? AWAITED))} />
  );
}

type Totals = NonNullable<NetworkDaysQuery['subnet']>['totals'];

function valuesOf(last: Day, totals: Totals | undefined, network: NetworkName) {
  const day = `on ${dayOf(last.timestamp)} (UTC)`;
  const now = totals ? 'now' : day;
  const count = (value: number | string) => Number(value).toLocaleString('en');
  return [
    { value: count(last.txCount), note: day },
    { value: <OfAvax amount={last.amountBurned} />, note: day },
    {
      value: (
        <a href={directoryPath(network, 'validators')}>
          {count(totals?.activeValidators ?? last.validatorCount)}
        </a>
      ),
      note: now,
    },
    {
      value: <a href={directoryPath(network, 'messages')}>{count(last.messageCount)}</a>,
      note: day,
    },
    { value: <OfAvax amount={totals?.weight ?? sumOf(last)} />, note: now },
  ];
}

const sumOf = ({ validatorWeight, delegatorWeight }: Day) =>
  String(BigInt(validatorWeight) + BigInt(delegatorWeight));

/** 30 whole days, from the first to the last. */
export function Charts({ days }: { days: readonly Day[] }) {
  // A chart is drawn anew when its days are other ones, and what is above it changes all the time.
  const [transactions, fees] = useMemo(() => {
    const whole = days.filter(({ isRunning }) => !isRunning).slice(0, 30);
    const series = (value: (day: Day) => number | string) =>
      whole.map((day) => ({ timestamp: day.timestamp, value: String(value(day)) })).reverse();
    return [series(({ txCount }) => txCount), series(({ amountBurned }) => amountBurned)];
  }, [days]);
  if (transactions.length === 0) return null;
  return (
    <div class="columns">
      <Part title="Transactions by day">
        <Chart
          title="Transactions by day"
          days={transactions}
          shape="bars"
          none="No whole day is indexed yet."
        />
      </Part>
      <Part title="Fees burned by day">
        <Chart
          title="Fees burned by day"
          days={fees}
          asset={AVAX}
          shape="bars"
          none="No whole day is indexed yet."
        />
      </Part>
    </div>
  );
}
