import { CalendarClock, Coins, HandCoins, Percent, Trophy, Users } from 'lucide';
import type { ValidatorQuery } from '../generated/others/graphql.js';
import { transactionPath } from '../paths.js';
import { OfAvax } from './amount.js';
import { Facts, Figures } from './facts.js';
import { Active } from './stakers.js';
import { Age, grouped, Id, Time } from './text.js';

type Now = NonNullable<ValidatorQuery['now']>['nodes'][number];

/** What it stakes on the primary network, what may still be delegated to it, and when that ends. */
export function ValidatorNow({ now, network }: { now: Now; network: string }) {
  return (
    <>
      <Figures
        figures={[
          {
            title: 'Stake with delegators',
            icon: Coins,
            tone: 'is-staked',
            value: <OfAvax amount={now.weight} />,
            note: (
              <>
                <OfAvax amount={now.ownWeight} /> are its own
              </>
            ),
          },
          {
            title: 'May still be delegated',
            icon: HandCoins,
            value: <OfAvax amount={now.delegationCapacity} />,
          },
          {
            title: 'Delegators',
            icon: Users,
            value: now.delegatorCount === null ? 'not known' : grouped(now.delegatorCount),
            note: (
              <>
                with <OfAvax amount={now.delegatedWeight} />
              </>
            ),
          },
          {
            title: 'Delegation fee',
            icon: Percent,
            value: now.delegationFeePercent === null ? 'none' : `${now.delegationFeePercent} %`,
            note: "of its delegators' rewards",
          },
          {
            title: 'Ends',
            icon: CalendarClock,
            value: <Age seconds={now.endTimestamp} />,
            note: <Time seconds={now.endTimestamp} />,
          },
          {
            title: 'Reward of its own stake',
            icon: Trophy,
            value: now.potentialReward === null ? 'not yet' : <OfAvax amount={now.potentialReward} />,
            note: 'if it was online',
          },
        ]}
      />
      <Facts
        facts={[
          ['State', <Active isActive={now.isActive} otherwise="waits for its start" />],
          ['Seen online', now.uptimePercent === null ? undefined : `${now.uptimePercent.toFixed(2)} %`],
          ['Since', <Time seconds={now.startTimestamp} withUtc />],
          [
            'Fees of ended delegations',
            now.delegateeReward === null ? undefined : <OfAvax amount={now.delegateeReward} />,
          ],
          [
            'Stake began with',
            now.txHash ? (
              <Id id={now.txHash} href={transactionPath(network, 'p-chain', now.txHash)} />
            ) : undefined,
          ],
        ]}
      />
    </>
  );
}
