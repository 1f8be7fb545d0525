import type { OutputOwners, PTransaction, Utxo } from '../../avalanche/codec/types.js';
import type { MadeOutput } from './transaction-rows.js';
import type { Applied, Ending } from './p-blocks.js';

type RewardType = 'VALIDATOR' | 'DELEGATOR' | 'VALIDATOR_FEE';

/**
 * What the end of a staker paid, as outputs of its RewardValidatorTx (avalanchego
 * vms/platformvm/txs/executor/proposal_tx_executor.go).
 */
export function rewardOutputs({ committed, ending }: Pick<Applied, 'committed' | 'ending'>): MadeOutput[] {
  if (ending === null) return [];
  const types = rewardTypes(ending, committed);
  return ending.rewards.map((utxo, place) => ({
    utxo,
    made: { createdOn: 'p', consumedOn: 'p', rewardType: types[place] as RewardType },
  }));
}

/** The first output is the staker's own reward, the second the validator's fee; alone either can come. */
function rewardTypes({ staking, rewards }: Ending, committed: boolean): RewardType[] {
  const own: RewardType = isDelegator(staking) ? 'DELEGATOR' : 'VALIDATOR';
  if (rewards.length === 2) return [own, 'VALIDATOR_FEE'];
  const [only] = rewards;
  if (!only) return [];
  if (!committed) return ['VALIDATOR_FEE'];
  return [isPaidTo(only, rewardOwner(staking)) ? own : 'VALIDATOR_FEE'];
}

const isDelegator = ({ type }: PTransaction) =>
  type === 'AddDelegatorTx' || type === 'AddPermissionlessDelegatorTx';

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
      (address, place) => Buffer.compare(address, expected.addresses[place] as Uint8Array) === 0,
    )
  );
}
