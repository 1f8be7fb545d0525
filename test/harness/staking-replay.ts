import { isDeepStrictEqual } from 'node:util';
import { decodePBlock } from '../../src/avalanche/codec/block.js';
import type { Genesis, PBlock, PTransaction } from '../../src/avalanche/codec/types.js';
import { rebuildGenesis } from '../../src/avalanche/codec/genesis-bytes.js';
import { decodeUtxo } from '../../src/avalanche/codec/outputs.js';
import type { Applied, PItem } from '../../src/follow/primary/p-blocks.js';
import type { StakingMachine } from '../../src/follow/staking/machine.js';
import { noTrouble } from '../../src/follow/staking/trouble.js';
import type { PresentState } from '../../src/follow/staking/present.js';
import type { StakingRules } from '../../src/follow/staking/state.js';
import * as own from './staking-code.js';
import { setsOf, weightsOf, type SetAt } from './validator-sets.js';
import { callsOf, checkedBytes, jsonOf, type Call } from '../avalanche/codec/recorded.js';

/** The state machine and the checks of it: those of this repository, or changed ones. */
export type StakingCode = typeof own;

const PRIMARY = '11111111111111111111111111111111LpoYY';

/** What a recorded node has of the P-chain, as the state of stakers takes it. */
export interface StakingRecord {
  readonly genesis: Genesis;
  readonly rules: StakingRules;
  readonly items: readonly PItem[];
  /** Outputs of getRewardUTXOs by the staking transaction, in the order of their index. */
  readonly rewards: ReadonlyMap<string, PItem['ending']>;
  /** What the node said of its state at the end. */
  readonly end: PresentState;
  /** Validators of subnets after blocks, by height. */
  readonly sets: ReadonlyMap<number, readonly SetAt[]>;
}

/** The blocks of a recorded network. @param shift seconds that all its times are later */
export function stakingRecord(network: string, shift = 0): StakingRecord {
  const genesis = rebuildGenesis(jsonOf(network, 'genesis.json'));
  const calls = callsOf(network, 'p-state');
  const answers = callsOf(network, 'p');
  const blocks = answers
    .filter(({ method }) => method === 'platform.getBlockByHeight')
    .map(({ result }) => later(decodePBlock(checkedBytes(result['block'])), shift));
  const known = new Map<string, PTransaction>(genesis.validators.map((one) => [one.id, one]));
  for (const { transactions, proposal } of blocks)
    for (const one of [...transactions, ...(proposal ? [proposal] : [])]) known.set(one.id, one);
  const rewards = new Map(
    answers
      .filter(({ method }) => method === 'platform.getRewardUTXOs')
      .map(({ args, result }) => {
        const staking = known.get(args['txID'] as string) as PTransaction;
        const utxos = (result['utxos'] as string[]).map((hex) => decodeUtxo(checkedBytes(hex)));
        return [
          args['txID'] as string,
          { staking, rewards: utxos.sort((a, b) => a.outputIndex - b.outputIndex) },
        ];
      }),
  );
  const items = blocks.map((block) => ({
    block,
    height: block.height,
    time: block.time,
    id: block.id,
    parent: block.parent,
    size: 0,
    mayEndBatch: block.type !== 'proposal',
    source: 'recording',
    proposer: null,
    ending:
      block.proposal && 'stakingTxId' in block.proposal
        ? (rewards.get(block.proposal.stakingTxId) ?? null)
        : null,
  }));
  const rules = rulesOf(network, calls, genesis.avaxAssetId, shift);
  return {
    genesis: { ...genesis, time: genesis.time + shift },
    rules,
    items,
    rewards,
    end: endOf(calls),
    sets: setsOf(calls),
  };
}

/** The state machine at the beginning of a recorded network. */
export function beginMachine({ rules, genesis }: StakingRecord, code = own): StakingMachine {
  const known = { knowsStakers: true, knowsL1Validators: true };
  const stored = code.emptyState(genesis.time, known);
  const machine = new code.StakingMachine(new code.StakingState(rules, stored), noTrouble);
  machine.begin(genesis);
  return machine;
}

/**
 * Applies all blocks.
 *
 * @param after called with the height of each block after which the state is that of a node at this height
 */
export function replay(
  record: StakingRecord,
  machine: StakingMachine,
  after: (height: number) => void = () => undefined,
  code = own,
): Applied[] {
  const applied: Applied[] = [];
  for (let at = 0; at < record.items.length;) {
    const count = (record.items[at] as PItem).mayEndBatch ? 1 : 2;
    // A node at a proposal has not applied anything of it.
    if (count === 2) after(at);
    // The recording has what each end paid.
    applied.push(...(code.applyBlocks(record.items.slice(at, at + count), machine).applied as Applied[]));
    at += count;
    after(at - 1);
  }
  return applied;
}

/**
 * What the follower's own checks and a look at old heights find in a replay: in rewards, in what does not
 * fit, in sets of validators, in the state at the end.
 */
export function findings(record: StakingRecord, code = own): string[] {
  const machine = beginMachine(record, code);
  const sets: string[] = [];
  const compare = (height: number) => {
    for (const { subnetId, weights } of record.sets.get(height) ?? [])
      if (!isDeepStrictEqual(weightsOf(machine.state, subnetId), weights))
        sets.push(`the validators of ${subnetId} at ${height}`);
  };
  const applied = replay(record, machine, compare, code);
  const rewards = applied.flatMap((one) => {
    const computed = code.computedRewards(one, record.genesis.avaxAssetId);
    const difference = computed && one.ending && code.rewardDifference(computed, one.ending.rewards);
    return difference ?? [];
  });
  const last = code.stateDifference(code.presentState(machine.state), record.end);
  return [
    ...rewards,
    ...sets,
    ...(machine.difference ? [machine.difference.text] : []),
    ...(last ? [last] : []),
  ];
}

function later(block: PBlock, shift: number): PBlock {
  if (shift === 0 || block.time === null) return block;
  return { ...block, time: block.time + shift };
}

function rulesOf(network: string, calls: readonly Call[], avaxAssetId: string, shift: number): StakingRules {
  const [upgrades] = callsOf(network, 'info').filter(({ method }) => method === 'info.upgrades');
  const time = (name: string) => {
    const text = upgrades?.result[name] as string | undefined;
    return text === undefined ? Infinity : Date.parse(text) / 1000 + shift;
  };
  const config = calls.find(({ method }) => method === 'platform.getValidatorFeeConfig')!.result;
  const constant = (name: string) => BigInt(config[name] as number);
  return {
    avaxAssetId,
    cortinaTime: time('cortinaTime'),
    durangoTime: time('durangoTime'),
    etnaTime: time('etnaTime'),
    heliconTime: time('heliconTime'),
    fee: {
      target: constant('target'),
      minPrice: constant('minPrice'),
      excessConversionConstant: constant('excessConversionConstant'),
    },
  };
}

function endOf(calls: readonly Call[]): PresentState {
  const of = (method: string) => calls.filter((call) => call.method === `platform.${method}`);
  const subnetOf = ({ args }: Call) => (args['subnetID'] as string | undefined) ?? PRIMARY;
  const [fee] = of('getValidatorFeeState').map(({ result }) => result);
  const amount = (value: unknown) => (value === undefined || value === null ? null : BigInt(value as string));
  return {
    supplies: new Map(
      of('getCurrentSupply')
        .filter(({ result }) => 'supply' in result)
        .map((call) => [subnetOf(call), BigInt(call.result['supply'] as string)]),
    ),
    fee: {
      excess: BigInt(fee!['excess'] as number),
      time: Date.parse(fee!['timestamp'] as string) / 1000,
    },
    validators: new Map(
      of('getCurrentValidators')
        .filter(({ args }) => !('nodeIDs' in args))
        .map((call) => [
          subnetOf(call),
          (call.result['validators'] as Record<string, unknown>[]).map((one) => ({
            id: (one['validationID'] ?? one['txID']) as string,
            nodeId: one['nodeID'] as string,
            weight: BigInt(one['weight'] as string),
            potentialReward: amount(one['potentialReward']),
            delegateeReward: amount(one['accruedDelegateeReward']),
            delegatorWeight: amount(one['delegatorWeight']),
            balance: amount(one['balance']),
            uptime: null,
          })),
        ]),
    ),
  };
}
