import type { PTransaction } from '../../src/avalanche/codec/types.js';
import type { StakingRecord } from './staking-replay.js';

/** What L1 validators of subnets paid by day, and which of them did: `subnet day` → sum and validators. */
export interface PaidDays {
  readonly fees: Map<string, bigint>;
  readonly payers: Map<string, Set<string>>;
  /** What each of them paid: `validation day` and `node day`. */
  readonly ofEach: Map<string, bigint>;
}

interface Member {
  readonly subnetId: string;
  readonly nodeId: string;
  /** Null: not active. */
  balance: bigint | null;
}

/** Lives every second of a recorded network by itself: nothing of it is the follower's. */
export function paidDays({ items, rules, genesis }: StakingRecord): PaidDays {
  const { target, minPrice, excessConversionConstant } = rules.fee!;
  const members = new Map<string, Member>();
  const paid: PaidDays = { fees: new Map(), payers: new Map(), ofEach: new Map() };
  const active = () => [...members].filter(([, { balance }]) => balance !== null);
  const after = (excess: bigint) => {
    const next = excess + BigInt(active().length) - target;
    return next < 0n ? 0n : next;
  };
  const price = (excess: bigint) => exponential(minPrice, excess, excessConversionConstant);
  let excess = 0n;
  let now = genesis.time;
  for (const { block } of items) {
    const time = block.time ?? now;
    for (; now < time; now += 1) {
      if (time < rules.etnaTime) continue;
      excess = after(excess);
      const cost = price(excess);
      for (const [id, member] of active()) {
        const day = Math.floor(now / 86_400);
        const key = `${member.subnetId} ${day}`;
        for (const each of [`${id} ${day}`, `${member.nodeId} ${day}`])
          paid.ofEach.set(each, (paid.ofEach.get(each) ?? 0n) + cost);
        paid.fees.set(key, (paid.fees.get(key) ?? 0n) + cost);
        paid.payers.set(key, (paid.payers.get(key) ?? new Set()).add(id));
        member.balance! -= cost;
      }
    }
    for (const transaction of block.transactions) apply(members, transaction);
    if (now < rules.etnaTime) continue;
    const next = price(after(excess));
    for (const [, member] of active()) if (member.balance! < next) member.balance = null;
  }
  return paid;
}

function apply(members: Map<string, Member>, transaction: PTransaction): void {
  const join = (id: string, subnetId: string, nodeId: string, balance: bigint) =>
    members.set(id, { subnetId, nodeId, balance: balance === 0n ? null : balance });
  if (transaction.type === 'ConvertSubnetToL1Tx')
    for (const { validationId, nodeId, balance } of transaction.validators)
      join(validationId, transaction.subnetId, nodeId, balance);
  if (transaction.type === 'RegisterL1ValidatorTx') {
    const { validationId, subnetId, nodeId } = transaction.warp.message as {
      validationId: string;
      subnetId: string;
      nodeId: string;
    };
    join(validationId, subnetId, nodeId, transaction.balance);
  }
  if (transaction.type === 'IncreaseL1ValidatorBalanceTx') {
    const member = members.get(transaction.validationId)!;
    member.balance = (member.balance ?? 0n) + transaction.balance;
  }
  if (transaction.type === 'DisableL1ValidatorTx') members.get(transaction.validationId)!.balance = null;
  if (transaction.type === 'SetL1ValidatorWeightTx') {
    const { validationId, weight } = transaction.warp.message as { validationId: string; weight: bigint };
    if (weight === 0n) members.delete(validationId);
  }
}

/** factor · e^(x / divisor) as ACP-103 writes it down, in whole numbers. */
function exponential(factor: bigint, x: bigint, divisor: bigint): bigint {
  let [total, part] = [0n, factor * divisor];
  for (let i = 1n; part > 0n; i += 1n) {
    total += part;
    part = (part * x) / (divisor * i);
  }
  return total / divisor;
}
