import { isOfType } from '../../avalanche/chain/transactions.js';
import type { OutputOwners, PTransaction, Utxo } from '../../avalanche/codec/types.js';
import { madeOutput } from '../staking/made-output.js';
import { spendingOwner } from '../../state/owner.js';
import type { MadeOutput } from './transaction-rows.js';
import type { Applied, PaidEnding, Unpaid } from './p-blocks.js';

type RewardType = 'VALIDATOR' | 'DELEGATOR' | 'VALIDATOR_FEE';

/** What the end of a staker paid, and for what. */
export interface Reward {
  readonly utxo: Utxo;
  readonly rewardType: RewardType;
}

/**
 * What the end of a staker paid, as outputs of its RewardValidatorTx (avalanchego
 * vms/platformvm/txs/executor/proposal_tx_executor.go): as the node reports them. Where our state computes
 * the same outputs, it adds their types.
 */
export function rewardOutputs(applied: Applied, avaxAssetId: string): MadeOutput[] {
  const { ending, committed } = applied;
  if (ending === null) return [];
  const own = computedRewards(applied, avaxAssetId);
  const isSame = own !== null && rewardDifference(own, ending.rewards) === null;
  const guessed = isSame ? own.map(({ rewardType }) => rewardType) : rewardTypes(ending, committed);
  return ending.rewards.map((utxo, index) => ({
    utxo,
    made: { createdOn: 'p', consumedOn: 'p', rewardType: guessed[index] as RewardType },
  }));
}

/** What our state says that the end of a staker paid, byte by byte; null when it does not know. */
export function computedRewards(
  { transaction, ending, ended }: Pick<Unpaid, 'transaction' | 'ending' | 'ended'>,
  avaxAssetId: string,
): Reward[] | null {
  if (ending === null || ended === null) return null;
  const { staking } = ending;
  const { pay, feeOwner } = ended;
  const [stake] = staking.outputs.filter(({ role }) => role === 'stake');
  const assetId = stake?.assetId ?? avaxAssetId;
  // Rewards of a validator that begins again belong to the transaction that ends its period.
  const { id: txId, outputs } = isRenewal(transaction) ? transaction : staking;
  const parts = [
    { amount: pay.own, owner: rewardOwner(staking), rewardType: ownType(staking) },
    { amount: pay.fee, owner: feeOwner && spendingOwner(feeOwner), rewardType: 'VALIDATOR_FEE' as const },
  ];
  return parts
    .filter(({ amount }) => amount > 0n)
    .map(({ amount, owner, rewardType }, index) => ({
      utxo: madeOutput({ txId, outputIndex: outputs.length + index }, assetId, amount, owner ?? nobody),
      rewardType,
    }));
}

/** How what a node says was paid differs from what our state says, for people; null when it does not. */
export function rewardDifference(computed: readonly Reward[], paid: readonly Utxo[]): string | null {
  const isSame =
    computed.length === paid.length &&
    computed.every(({ utxo }, index) => Buffer.compare(utxo.bytes, (paid[index] as Utxo).bytes) === 0);
  if (isSame) return null;
  const amounts = (outputs: readonly Utxo[]) =>
    outputs.map(({ output }) => output.amount).join(' and ') || 'nothing';
  const [theirs, own] = [amounts(paid), amounts(computed.map(({ utxo }) => utxo))];
  return theirs === own
    ? `the node paid ${theirs} to other owners than Moraine computes`
    : `the node paid ${theirs}, and Moraine computes ${own}`;
}

export const isRenewal = ({ type }: PTransaction): boolean => type === 'RewardAutoRenewedValidatorTx';

const nobody: OutputOwners = { locktime: 0n, threshold: 0, addresses: [] };

/** The first output is the staker's own reward, the second the validator's fee; alone either can come. */
function rewardTypes({ staking, rewards }: PaidEnding, committed: boolean): RewardType[] {
  const own = ownType(staking);
  if (rewards.length === 2) return [own, 'VALIDATOR_FEE'];
  const [only] = rewards;
  if (!only) return [];
  if (!committed) return ['VALIDATOR_FEE'];
  return [isPaidTo(only, rewardOwner(staking)) ? own : 'VALIDATOR_FEE'];
}

const ownType = (staking: PTransaction): RewardType =>
  isOfType(staking, 'stake', 'delegates') ? 'DELEGATOR' : 'VALIDATOR';

function rewardOwner(staking: PTransaction): OutputOwners | null {
  if ('rewardsOwner' in staking) return staking.rewardsOwner;
  return 'validatorRewardsOwner' in staking ? staking.validatorRewardsOwner : null;
}

function isPaidTo({ output: { owners } }: Utxo, expected: OutputOwners | null): boolean {
  if (expected === null) return true;
  return (
    owners.threshold === expected.threshold &&
    owners.locktime === expected.locktime &&
    owners.addresses.length === expected.addresses.length &&
    owners.addresses.every(
      (address, index) => Buffer.compare(address, expected.addresses[index] as Uint8Array) === 0,
    )
  );
}
