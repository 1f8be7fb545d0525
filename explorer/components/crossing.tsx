import { CheckCheck, CircleCheck, Coins, Send } from 'lucide';
import type { MessageQuery } from '../generated/others/graphql.js';
import { Amount } from './amount.js';
import { Figures } from './facts.js';
import { ChainWords, statusOf } from './messages.js';
import { Age } from './text.js';

type Message = NonNullable<MessageQuery['icmMessage']>;

/** How it crossed: what is known of both ends, in few words. */
export function Crossing({ of }: { of: Message }) {
  const { sourceTransaction: sent, destinationTransaction: delivered } = of;
  const took = sent && delivered && Number(delivered.timestamp) - Number(sent.timestamp);
  return (
    <Figures
      figures={[
        {
          title: 'Sent',
          icon: Send,
          value: sent ? <Age seconds={sent.timestamp} /> : 'not indexed',
          note: (
            <ChainWords chain={of.sourceChain} id={of.sourceEvmChainId} blockchain={of.sourceBlockchainId} />
          ),
        },
        {
          title: 'Delivered',
          icon: CheckCheck,
          tone: delivered ? 'is-spendable' : 'is-waiting',
          value: delivered ? <Age seconds={delivered.timestamp} /> : 'not yet',
          note: typeof took === 'number' && took >= 0 ? `after ${took} s` : statusOf(of.status),
        },
        {
          title: 'Executed',
          icon: CircleCheck,
          value: of.messageExecuted ? 'yes' : 'no',
          note: of.receiptDelivered ? 'its receipt is back' : 'its receipt is not back',
        },
        {
          title: 'Reward',
          icon: Coins,
          value: <Reward reward={of.rewardDetails} />,
          note: 'for who delivers it',
        },
      ]}
    />
  );
}

const Reward = ({ reward }: { reward: Message['rewardDetails'] }) => (
  <Amount
    amount={reward.value}
    asset={{ denomination: reward.decimals, symbol: reward.symbol, name: reward.name }}
  />
);
