// All that mutations of the state machine are tried with, in one place: see
// test/follow/staking/mutations.test.ts.
export { applyBlocks } from '../../src/follow/primary/p-blocks.js';
export { computedRewards, rewardDifference } from '../../src/follow/primary/p-rewards.js';
export { StakingMachine } from '../../src/follow/staking/machine.js';
export { presentState, stateDifference } from '../../src/follow/staking/present.js';
export { emptyState, StakingState } from '../../src/follow/staking/state.js';
