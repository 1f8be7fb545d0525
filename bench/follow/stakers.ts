import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { encodeCb58 } from '../../src/avalanche/cb58.js';
import { priorities } from '../../src/avalanche/chain/staker-order.js';
import { ZERO_ID } from '../../src/avalanche/codec/ids.js';
import type { L1Validator } from '../../src/follow/staking/l1-validators.js';
import { noTrouble } from '../../src/follow/staking/trouble.js';
import { idHexOf, type Staker } from '../../src/follow/staking/staker.js';
import { emptyState, StakingState, type StakingRules } from '../../src/follow/staking/state.js';
import { readState, takeChanges } from '../../src/follow/staking/store.js';
import { noDelegators } from '../../src/state/delegations.js';
import type { BenchChain } from './bench-chain.js';

export const STAKERS = 50_000;
export const L1_VALIDATORS = 5000;
/** Validators, each with as many delegators as it takes. */
const VALIDATORS = 1500;
const SUBNETS = 200;
/** Not the one that the bench follows. */
const NETWORK = 'mainnet';

/** How long the state of a large network takes to load, and its memory in MiB. */
export interface Loading {
  readonly seconds: number;
  readonly memory: number;
}

const rules: StakingRules = {
  cortinaTime: 0,
  durangoTime: 0,
  etnaTime: 0,
  heliconTime: Infinity,
  avaxAssetId: ZERO_ID,
  fee: { target: 10_000n, minPrice: 512n, excessConversionConstant: 1_246_488_515n },
};
const NOW = 1_790_000_000;

/**
 * Stores the state of a generated network as large as mainnet may become, and loads it as a follower does at
 * its start.
 */
export async function measureLoading({ storage }: Pick<BenchChain, 'storage'>): Promise<Loading> {
  const known = { knowsStakers: true, knowsL1Validators: true };
  const state = new StakingState(rules, emptyState(NOW, known));
  for (let number = 0; number < STAKERS; number += 1) {
    state.stakers?.set.put(stakerAt(number));
    state.changes.stakers.add(stakerAt(number).txId);
  }
  for (let number = 0; number < L1_VALIDATORS; number += 1) state.l1Validators.set(l1ValidatorAt(number));
  const write = takeChanges(NETWORK, state, noTrouble, []);
  await storage.session((session) => session.transaction(write));
  const collect = collector();
  collect();
  const before = process.memoryUsage().heapUsed;
  const begun = performance.now();
  const stored = await readState(storage, NETWORK);
  const loaded = stored && new StakingState(rules, stored.state);
  const seconds = (performance.now() - begun) / 1000;
  if (loaded?.stakers?.set.size !== STAKERS || loaded.l1Validators.size !== L1_VALIDATORS)
    throw new Error('another state was loaded than was stored');
  collect();
  return { seconds, memory: (process.memoryUsage().heapUsed - before) / 1024 ** 2 };
}

/** An id of a kind of thing by its number. */
function idAt(kind: number, number: number, bytes = 32): string {
  const id = Buffer.alloc(bytes, kind);
  id.writeUInt32BE(number, 8);
  return encodeCb58(id);
}

function stakerAt(number: number): Staker {
  const isValidator = number < VALIDATORS;
  const txId = idAt(1, number);
  const end = NOW + 1 + ((number * 7919) % 31_000_000);
  return {
    txId,
    txType: isValidator ? 'AddPermissionlessValidatorTx' : 'AddPermissionlessDelegatorTx',
    idHex: idHexOf(txId),
    subnetId: ZERO_ID,
    nodeId: `NodeID-${idAt(2, number % VALIDATORS, 20)}`,
    priority: isValidator ? priorities.validator : priorities.delegator,
    nextTime: end,
    start: NOW - 1_000_000,
    end,
    weight: 25_000_000_000n + BigInt(number),
    renewal: null,
    potentialReward: 1_000_000_000n,
    delegateeReward: isValidator ? 5n : 0n,
    shares: 20_000,
    feeOwner: isValidator ? { threshold: 1, addresses: ['00'.repeat(20)] } : null,
    ...noDelegators,
  };
}

const l1ValidatorAt = (number: number): L1Validator => ({
  validationId: idAt(3, number),
  subnetId: idAt(4, number % SUBNETS),
  weight: 100n,
  nodeId: `NodeID-${idAt(5, number, 20)}`,
  endFee: 1_000_000_000n + BigInt(number),
  owner: { threshold: 1, addresses: ['00'.repeat(20)] },
  activeSince: NOW - 1000,
  paidDay: null,
  sinceFee: null,
});

/** Node.js's garbage collector, which only a flag gives away. */
function collector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}
