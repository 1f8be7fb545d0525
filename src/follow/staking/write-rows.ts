import type { Network } from '../../avalanche/networks.js';
import { noDelegators } from '../../state/delegations.js';
import type { StateRows } from '../../state/staking.js';
import type { Batch } from '../../storage/session.js';
import { withDelegations } from './staker.js';
import { noteAll, StakingState, type StakingRules, type StoredState } from './state.js';
import { stakerFrom, takeChanges } from './store.js';
import { noTrouble } from './trouble.js';

/**
 * Writes who stakes on a P-chain that no node has, as the state after a block is written; what is stored
 * already, not again.
 */
export async function writeStateRows(
  batch: Batch,
  network: Network,
  rules: StakingRules,
  { time, accrued, l1Validators, feeDays, ...rows }: StateRows,
): Promise<void> {
  const stored: StoredState = {
    time,
    knowsStakers: true,
    knowsL1Validators: true,
    fee: { excess: 0n, accrued },
    stakers: withDelegations(rows.stakers.map((row) => stakerFrom({ ...row, ...noDelegators }))),
    supplies: new Map(rows.supplies.map(({ subnetId, ...supply }) => [subnetId, supply])),
    l1Validators,
    today: [],
    feeDays,
  };
  const state = new StakingState(rules, stored);
  noteAll(stored, state.changes);
  await takeChanges(network, state, noTrouble, [])(batch);
}
