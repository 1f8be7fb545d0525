import { ArrowRightLeft, Coins, Flame, MessageSquare, ShieldCheck } from 'lucide';
import { Chart } from '../charts/chart.js';
import { dayOf } from '../charts/csv.js';
import type { NetworkDaysQuery } from '../generated/graphql.js';
import { directoryPath, type NetworkName } from '../paths.js';
import { AVAX, OfAvax } from './amount.js';
import { Part } from './answer.js';
import { Figures } from './figures.js';

type Day = NonNullable<NetworkDaysQuery['networkStats']>['nodes'][number];

/** Figures of the newest whole day, and of who validates. */
export function Numbers({ days, network }: { days: NetworkDaysQuery | undefined; network: NetworkName }) {
  const all = days?.networkStats?.nodes ?? [];
  const last = all.find(({ isRunning }) => !isRunning) ?? all[0];
  if (!last) return null;
  const totals = days?.subnet?.totals;
  const day = `on ${dayOf(last.timestamp)} (UTC)`;
  const count = (value: number | string) => Number(value).toLocaleString('en');
  return (
    <Figures
      figures={[
        { title: 'Transactions', icon: ArrowRightLeft, value: count(last.txCount), note: day },
        {
          title: 'Fees burned',
          icon: Flame,
          value: <OfAvax amount={last.amountBurned} />,
          note: day,
        },
        {
          title: 'Active validators',
          icon: ShieldCheck,
          value: (
            <a href={directoryPath(network, 'validators')}>
              {count(totals?.activeValidators ?? last.validatorCount)}
            </a>
          ),
          note: totals ? 'now' : day,
        },
        {
          title: 'Staked with them',
          icon: Coins,
          value: <OfAvax amount={totals?.weight ?? sumOf(last)} />,
          note: totals ? 'now' : day,
        },
        {
          title: 'Interchain messages',
          icon: MessageSquare,
          value: <a href={directoryPath(network, 'messages')}>{count(last.messageCount)}</a>,
          note: day,
        },
      ]}
    />
  );
}

const sumOf = ({ validatorWeight, delegatorWeight }: Day) =>
  String(BigInt(validatorWeight) + BigInt(delegatorWeight));

/** 30 whole days, from the first to the last. */
export function Charts({ days }: { days: readonly Day[] }) {
  const whole = days.filter(({ isRunning }) => !isRunning).slice(0, 30);
  if (whole.length === 0) return null;
  const series = (value: (day: Day) => number | string) =>
    whole.map((day) => ({ timestamp: day.timestamp, value: String(value(day)) })).reverse();
  return (
    <div class="columns">
      <Part title="Transactions by day">
        <Chart
          title="Transactions by day"
          days={series(({ txCount }) => txCount)}
          shape="bars"
          none="No whole day is indexed yet."
        />
      </Part>
      <Part title="Fees burned by day">
        <Chart
          title="Fees burned by day"
          days={series(({ amountBurned }) => amountBurned)}
          asset={AVAX}
          shape="bars"
          none="No whole day is indexed yet."
        />
      </Part>
    </div>
  );
}
