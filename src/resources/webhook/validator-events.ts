import { transactionTypes } from '../../avalanche/chain/transactions.js';
import { blockchainIds, type Network } from '../../avalanche/networks.js';
import type { FeedEntry } from '../../live/entry.js';
import { parseJson } from '../../json.js';
import type { Reader } from '../../storage/reader.js';
import type { TransactionNode } from '../transaction/fields.js';
import { findTransactions } from '../transaction/list.js';
import { subEventsOf, type SubEvent } from './fields.js';
import { eventOf, findTargets, type MadeEvent, type EntryContext, type Target } from './targets.js';

/** An event of a validator that follows from a transaction. */
interface ValidatorEvent {
  readonly subEvent: SubEvent;
  readonly nodeId: string;
  readonly subnetId: string;
  readonly validationId?: string;
  readonly transaction: TransactionNode;
}

/** The primary network as a subnet, and the P-chain: the same id. */
const PRIMARY = blockchainIds.mainnet.p;

/** The events of validators that follow from an entry of transactions of the P-chain. */
export async function validatorEvents(
  storage: Reader,
  { network, chain, keys }: FeedEntry,
  context: EntryContext,
): Promise<MadeEvent[]> {
  if (!network || chain !== 'p') return [];
  const transactions = await findTransactions(
    storage,
    keys.map((txHash) => ({ network, chain, txHash })),
  );
  const found = await newsOf(
    storage,
    network,
    transactions.filter((each) => each !== null),
  );
  const subjects = [...new Set(found.flatMap(({ nodeId, subnetId }) => [nodeId, subnetId]))];
  const targets = await findTargets(storage, 'validator_activity', network, subjects, context);
  return found.flatMap((each) =>
    targets
      .filter((target) => isFor(target, each))
      .map((target) => {
        const { subEvent, nodeId, subnetId, validationId, transaction } = each;
        const what = { network, chainId: PRIMARY, nodeId, subnetId, validationId };
        return eventOf(target, subEvent, { ...what, transaction: parseJson(transaction.text) });
      }),
  );
}

/** Whether a webhook wants to know of an event of this node and subnet. */
export function isFor(
  { metadata, keys }: Pick<Target, 'metadata' | 'keys'>,
  { subEvent, nodeId, subnetId }: Pick<ValidatorEvent, 'subEvent' | 'nodeId' | 'subnetId'>,
): boolean {
  return (
    subEventsOf(metadata).includes(subEvent) &&
    keys.includes(metadata.keyType === 'nodeId' ? nodeId : subnetId) &&
    (metadata.nodeIds?.includes(nodeId) ?? true) &&
    (metadata.subnetIds?.includes(subnetId) ?? true)
  );
}

async function newsOf(
  storage: Reader,
  network: Network,
  transactions: readonly TransactionNode[],
): Promise<ValidatorEvent[]> {
  const ends = transactions.filter((each) => stakeOf(each) === 'ends' && each.stakingTxHash);
  const staking = await findTransactions(
    storage,
    ends.map(({ stakingTxHash }) => ({ network, chain: 'p', txHash: stakingTxHash ?? '' })),
  );
  const stakes = new Map(ends.map((end, index) => [end.txHash, staking[index]]));
  return transactions.flatMap((transaction) => {
    const stake = stakeOf(transaction);
    if (stake === null) return l1EventsOf(transaction);
    const { nodeId, subnetId } = (stake === 'ends' ? stakes.get(transaction.txHash) : transaction) ?? {};
    if (!nodeId) return [];
    return [{ subEvent: subEventOf[stake], nodeId, subnetId: subnetId ?? PRIMARY, transaction }];
  });
}

const subEventOf = {
  validates: 'validator_stake',
  delegates: 'delegator_stake',
  ends: 'reward_distribution',
} as const;

const stakeOf = ({ chainTxType }: TransactionNode) =>
  chainTxType !== null && chainTxType in transactionTypes
    ? transactionTypes[chainTxType as keyof typeof transactionTypes].stake
    : null;

function l1EventsOf(transaction: TransactionNode): ValidatorEvent[] {
  const subEvent = l1SubEvents[transaction.chainTxType ?? ''];
  if (!subEvent) return [];
  return (transaction.l1ValidatorDetails ?? [])
    .filter(({ weight }) => subEvent !== 'l1_validator_removed' || BigInt(weight) === 0n)
    .map(({ validationId, nodeId, subnetId }) => ({ subEvent, validationId, nodeId, subnetId, transaction }));
}

const l1SubEvents: Readonly<Record<string, SubEvent>> = {
  IncreaseL1ValidatorBalanceTx: 'l1_validator_balance_increased',
  DisableL1ValidatorTx: 'l1_validator_disabled',
  SetL1ValidatorWeightTx: 'l1_validator_removed',
};
