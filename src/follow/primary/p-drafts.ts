import { isOfType } from '../../avalanche/chain/transactions.js';
import type { PTransaction } from '../../avalanche/codec/types.js';
import type { Applied } from './p-blocks.js';
import { l1BalanceOf, pDetails, type Stake } from './p-details.js';
import { estimatedReward } from './p-estimates.js';
import { rewardOutputs } from './p-rewards.js';
import type { PrimaryNetwork } from './network.js';
import type { Row } from './rows.js';
import { madeOn, type Draft, type MadeOutput } from './transaction-rows.js';

/**
 * A P-chain transaction as rows have it.
 *
 * @param estimates whether our state of stakers is the chain's
 */
export function pDraft(network: PrimaryNetwork, applied: Applied, estimates: boolean): Draft {
  const { transaction, block, position, committed, l1 } = applied;
  const stake = committed ? stakeOf(network, transaction, block.time) : null;
  const reward = estimates ? estimatedReward(applied.started) : null;
  const details = { network: network.network, l1, stake, estimatedReward: reward };
  return {
    transaction,
    block,
    position,
    made:
      transaction.base === null
        ? rewardOutputs(applied, network.avaxAssetId)
        : [...ownOutputs(network, transaction, stake), ...returnedOutputs(l1)],
    l1Balance: l1BalanceOf(transaction),
    // Its inputs did not pay for this output: without it the fee would seem smaller.
    debited: returnedOutputs(l1).map(({ utxo: { assetId, output } }) => ({ assetId, amount: output.amount })),
    stakes: stake !== null,
    details: { ...pDetails(transaction, details), ...endingDetails(applied) },
  };
}

/** The period of an accepted staker. From Durango on it starts when it is accepted. */
export function stakeOf(network: PrimaryNetwork, transaction: PTransaction, time: number): Stake | null {
  if (transaction.type === 'AddAutoRenewedValidatorTx')
    return { start: time, end: BigInt(time) + transaction.period };
  if (!('validator' in transaction)) return null;
  const { start, end } = transaction.validator;
  return { start: time >= network.durangoTime ? time : Number(start), end };
}

/**
 * The stake of an aborted proposal is returned at the same output indexes, unlocked (avalanchego
 * vms/platformvm/txs/executor/proposal_tx_executor.go).
 */
function ownOutputs(network: PrimaryNetwork, transaction: PTransaction, stake: Stake | null): MadeOutput[] {
  return transaction.outputs.map((utxo) => ({
    utxo,
    made: {
      ...madeOn(network, 'p', utxo.role, transaction),
      ...(stake !== null && utxo.role === 'stake' ? { stake } : {}),
    },
  }));
}

const onP = { createdOn: 'p', consumedOn: 'p' } as const;

const returnedOutputs = (l1: Applied['l1']): MadeOutput[] =>
  l1?.returned ? [{ utxo: l1.returned, made: onP }] : [];

function endingDetails({ transaction, ending }: Applied): Row {
  if (!isOfType(transaction, 'stake', 'ends')) return {};
  const staking = ending?.staking;
  const staker = staking && 'validator' in staking ? staking : undefined;
  return {
    stakingTxHash: transaction.stakingTxId,
    ...(staker ? { nodeId: staker.validator.nodeId, subnetId: staker.subnetId } : {}),
  };
}
