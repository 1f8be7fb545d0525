import { expect } from 'vitest';
import { ZERO_ID } from '../../src/avalanche/codec/ids.js';
import type { Facts, OutputFact, TransactionFact } from './question-facts.js';
import { newestFirst } from './sample.js';
import { isShared, partsOf, stateOf } from './state-model.js';

/** How the answer to a question of docs/recipes.md is checked: by looking at everything. */
interface Question {
  /** Variables for which a network has an answer; those of the page are the sample's. */
  variables: (facts: Facts) => Record<string, unknown>;
  /** @param now seconds */
  check: (data: any, facts: Facts, variables: any, now: number) => void;
}

const DAY = 86_400;
const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
const largestFirst = (a: bigint, b: bigint) => (a > b ? -1 : a < b ? 1 : 0);
const sumOf = (rows: readonly { amount: string }[]) =>
  rows.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
const amountsOf = (rows: readonly { amount: unknown }[]) => rows.map(({ amount }) => String(amount));
const hashesOf = (rows: readonly { txHash: string }[]) => rows.map(({ txHash }) => txHash);
const ownedBy = ({ outputs }: Facts, address: string) =>
  outputs.filter(({ addresses }) => addresses.includes(address));
const sorted = (all: readonly TransactionFact[]) => all.toSorted(newestFirst);

const outputsById = new WeakMap<Facts, Map<string, OutputFact>>();

/** The outputs of a transaction's list. */
function outputsIn(facts: Facts, list: readonly { utxoId: string }[]): OutputFact[] {
  const known = outputsById.get(facts) ?? new Map(facts.outputs.map((row) => [row.utxoId, row]));
  outputsById.set(facts, known);
  return list.flatMap(({ utxoId }) => known.get(utxoId) ?? []);
}

/** Of all texts the one that is met most. */
function mostMet(texts: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].sort(([a, one], [b, other]) => other - one || byText(a, b))[0]![0];
}

const busiest = (facts: Facts) => mostMet(facts.outputs.flatMap(({ addresses }) => addresses));
const rewardsOf = (facts: Facts) => facts.outputs.filter(({ rewardType }) => rewardType !== undefined);
const mostRewarded = (facts: Facts) => mostMet(rewardsOf(facts).flatMap(({ addresses }) => addresses));
const staking = ({ transactions }: Facts) =>
  transactions.filter(({ txType }) => /^Add.*(?:Validator|Delegator)Tx$/.test(txType));
const endings = ({ transactions }: Facts) =>
  transactions.filter(({ txType }) => txType === 'RewardValidatorTx');

/** The amounts of outputs in a state that one signature spends, the largest first. */
const inState = (rows: readonly OutputFact[], state: string, now: number) =>
  rows
    .filter((row) => stateOf(row, now) === state)
    .map(({ amount }) => BigInt(amount))
    .sort(largestFirst)
    .map(String);

function checkBalances(
  nodes: any[],
  facts: Facts,
  address: string,
  expected: (rows: OutputFact[]) => object,
): void {
  const rows = ownedBy(facts, address);
  const assets = new Set(rows.map(({ assetId }) => assetId).filter((id) => facts.fungible.has(id)));
  const found = nodes.filter(({ asset }) => facts.fungible.has(asset.assetId));
  expect(found.map(({ asset }) => asset.assetId).sort()).toEqual([...assets].sort());
  for (const node of found)
    expect(node).toMatchObject(expected(rows.filter(({ assetId }) => assetId === node.asset.assetId)));
}

/** The transactions that ended a stake and paid an address between two times. */
function paidTo(facts: Facts, address: string, since = 0, until = Infinity): TransactionFact[] {
  const paid = new Set(
    rewardsOf(facts)
      .filter(({ addresses }) => addresses.includes(address))
      .map(({ utxoId }) => utxoId),
  );
  const all = endings(facts).filter(({ emittedUtxos }) =>
    emittedUtxos.some(({ utxoId }) => paid.has(utxoId)),
  );
  return sorted(all.filter(({ blockTimestamp: time }) => time >= since && time < until));
}

function checkPaid(nodes: any[], facts: Facts, expected: readonly TransactionFact[]): void {
  expect(hashesOf(nodes)).toEqual(hashesOf(expected));
  for (const [index, { emittedUtxos }] of expected.entries()) {
    const shown = nodes[index].emittedUtxos.nodes as { amount: unknown; addresses: string[] }[];
    const made = outputsIn(facts, emittedUtxos);
    expect(shown.map(({ amount, addresses }) => `${String(amount)} ${addresses.join()}`).sort()).toEqual(
      made.map(({ amount, addresses }) => `${amount} ${addresses.join()}`).sort(),
    );
  }
}

/** The transactions that made outputs. */
const makersOf = ({ transactions }: Facts) =>
  new Map(transactions.flatMap((one) => one.emittedUtxos.map(({ utxoId }) => [utxoId, one] as const)));

/** How many transactions stand behind each other before one, up to three. */
function hopsFrom(facts: Facts, one: TransactionFact, makers = makersOf(facts), most = 3): number {
  const before = one.consumedUtxos
    .slice(0, most === 3 ? 10 : 5)
    .flatMap(({ utxoId }) => makers.get(utxoId) ?? []);
  if (most === 0 || before.length === 0) return 0;
  return 1 + Math.max(...before.map((each) => hopsFrom(facts, each, makers, most - 1)));
}

/** The questions by the names of their operations. */
export const questions: Record<string, Question> = {
  WalletHistory: {
    variables: (facts) => ({ addresses: [busiest(facts)] }),
    check(data, facts, { addresses }) {
      const isOwn = (row: OutputFact) => row.addresses.some((each) => addresses.includes(each));
      const own = new Set(facts.outputs.filter(isOwn).map(({ utxoId }) => utxoId));
      const touches = ({ consumedUtxos, emittedUtxos }: TransactionFact) =>
        [...consumedUtxos, ...emittedUtxos].some(({ utxoId }) => own.has(utxoId));
      const expected = sorted(facts.transactions.filter(touches)).slice(0, 25);
      const edges = data.transactions.edges as any[];
      expect(hashesOf(edges.map(({ node }) => node))).toEqual(hashesOf(expected));
      for (const [index, one] of expected.entries()) {
        const of = (list: { utxoId: string }[], assetId: string) =>
          sumOf(outputsIn(facts, list).filter((row) => isOwn(row) && row.assetId === assetId)).toString();
        for (const { asset, received, sent, fee } of edges[index].effect.assets) {
          if (!facts.fungible.has(asset.assetId)) continue;
          if (asset.assetId === facts.avax && fee !== null)
            expect(fee, one.txHash).toBe((one.burned ?? 0n).toString());
          expect(received, one.txHash).toBe(of(one.emittedUtxos, asset.assetId));
          if (sent !== null) expect(sent, one.txHash).toBe(of(one.consumedUtxos, asset.assetId));
        }
      }
    },
  },

  Portfolio: {
    variables: (facts) => ({ address: busiest(facts) }),
    check({ address: shown }, facts, { address }, now) {
      checkBalances(shown.balances.nodes, facts, address, (rows) => {
        const { total: single, ...singleSignature } = partsOf(
          rows.filter((row) => !isShared(row)),
          now,
        );
        const { total: multi, ...multiSignature } = partsOf(rows.filter(isShared), now);
        const unspent = (BigInt(single) + BigInt(multi)).toString();
        return { unspent, received: sumOf(rows).toString(), singleSignature, multiSignature };
      });
      const { p } = facts.ids;
      const spendable = inState(
        ownedBy(facts, address).filter((row) => row.createdOnChainId === p),
        'SPENDABLE',
        now,
      );
      expect(shown.utxos.totalCount).toBe(spendable.length);
      expect(amountsOf(shown.utxos.nodes)).toEqual(spendable.slice(0, 10));
    },
  },

  SpendingAndUnlocking: {
    variables: (facts) => ({ address: busiest(facts) }),
    check({ address: shown }, facts, { address }, now) {
      checkBalances(shown.balances.nodes, facts, address, (rows) => {
        const parts = partsOf(
          rows.filter((row) => !isShared(row)),
          now,
        );
        const { spendable, lockedPlatform, lockedStakeable, nextUnlockTimestamp } = parts;
        return { singleSignature: { spendable, lockedPlatform, lockedStakeable, nextUnlockTimestamp } };
      });
      const single = ownedBy(facts, address).filter((row) => !isShared(row));
      for (const [name, state] of Object.entries({
        spendable: 'SPENDABLE',
        locked: 'LOCKED_PLATFORM',
        stakeable: 'LOCKED_STAKEABLE',
      }))
        expect(amountsOf(shown[name].nodes), state).toEqual(inState(single, state, now).slice(0, 25));
    },
  },

  BalanceHistory: {
    variables(facts) {
      const times = ownedBy(facts, busiest(facts)).map(({ blockTimestamp }) => blockTimestamp);
      const dateOf = (time: number) => new Date(time * 1000).toISOString().slice(0, 10);
      const [first, last] = [Math.min(...times), Math.max(...times)];
      return {
        address: busiest(facts),
        firstDate: dateOf(first),
        lastDate: dateOf(last + DAY),
        time: Math.floor((first + last) / 2),
      };
    },
    check({ address: shown }, facts, { address, firstDate, lastDate, time }) {
      const rows = ownedBy(facts, address);
      const avax = rows.filter(({ assetId }) => assetId === facts.avax);
      const gone = ({ consumingTxHash, consumingBlockTimestamp, blockTimestamp }: OutputFact) =>
        consumingTxHash === undefined ? Infinity : Math.max(consumingBlockTimestamp ?? 0, blockTimestamp);
      const days = [];
      for (let start = Date.parse(firstDate) / 1000; start <= Date.parse(lastDate) / 1000; start += DAY) {
        const isOf = (at: number) => at >= start && at < start + DAY;
        const made = avax.filter(({ blockTimestamp }) => blockTimestamp < start + DAY);
        days.push({
          timestamp: start,
          received: sumOf(made.filter(({ blockTimestamp }) => isOf(blockTimestamp))).toString(),
          sent: sumOf(avax.filter((row) => isOf(gone(row)))).toString(),
          balance: sumOf(made.filter((row) => gone(row) >= start + DAY)).toString(),
        });
      }
      expect(shown.balanceHistory.nodes).toEqual(days);
      const { p } = facts.ids;
      const then = rows
        .filter(
          ({ createdOnChainId, consumedOnChainId }) => createdOnChainId === p || consumedOnChainId === p,
        )
        .filter((row) => row.blockTimestamp <= time && gone(row) > time);
      const { nodes, pageInfo } = shown.utxos;
      const known = new Map(then.map((row) => [row.utxoId, row]));
      for (const { utxoId, amount } of nodes) expect(known.get(utxoId)?.amount).toBe(String(amount));
      if (!pageInfo.hasNextPage) expect(nodes).toHaveLength(then.length);
    },
  },

  TraceOfFunds: {
    variables: (facts) => ({
      blockchainId: 'p-chain',
      txHash: sorted(facts.transactions).find((one) => one.chain === 'p' && hopsFrom(facts, one) === 3)
        ?.txHash,
    }),
    check({ transaction }, facts, { txHash }) {
      const byHash = new Map(facts.transactions.map((one) => [one.txHash, one]));
      const makers = makersOf(facts);
      let hops = 0;
      const follow = (shown: any, depth: number) => {
        const one = byHash.get(shown.txHash)!;
        hops = Math.max(hops, depth);
        if (depth === 3) return;
        expect(shown.consumedUtxos.nodes.map(({ utxoId }: OutputFact) => utxoId)).toEqual(
          one.consumedUtxos.slice(0, depth === 0 ? 10 : 5).map(({ utxoId }) => utxoId),
        );
        for (const { utxoId, amount, creatingTransaction } of shown.consumedUtxos.nodes) {
          const output = facts.outputs.find((row) => row.utxoId === utxoId);
          if (output) expect(String(amount)).toBe(output.amount);
          expect(creatingTransaction?.txHash ?? null).toBe(makers.get(utxoId)?.txHash ?? null);
          if (creatingTransaction) follow(creatingTransaction, depth + 1);
        }
      };
      expect(transaction.txHash).toBe(txHash);
      follow(transaction, 0);
      expect(hops).toBe(3);
    },
  },

  NewestBlocks: {
    variables: () => ({ blockchainId: 'p-chain' }),
    check({ blocks }, facts) {
      const newest = facts.blocks.toSorted((a, b) => Number(b.number) - Number(a.number)).slice(0, 10);
      expect(blocks.nodes).toMatchObject(
        newest.map(({ number, hash, timestamp, txCount }) => ({ number, hash, timestamp, txCount })),
      );
    },
  },

  BlockAndNeighbours: {
    variables: ({ blocks }) => ({
      blockchainId: 'p-chain',
      number: blocks.findLast(({ txCount }) => txCount > 1)?.number,
    }),
    check({ block }, facts, { number }) {
      const byNumber = facts.blocks.toSorted((a, b) => Number(a.number) - Number(b.number));
      const at = byNumber.findIndex((each) => each.number === number);
      const expected = (each: (typeof byNumber)[number] | undefined) =>
        each && {
          number: each.number,
          hash: each.hash,
          timestamp: each.timestamp,
          transactions: {
            nodes: sorted(
              facts.transactions.filter(
                ({ chain, blockNumber }) => chain === 'p' && blockNumber === each.number,
              ),
            ).map(({ txHash, txType }) => ({ txHash, txType })),
          },
        };
      expect(block).toMatchObject({
        ...expected(byNumber[at]),
        previous: expected(byNumber[at - 1]) ?? null,
        next: expected(byNumber[at + 1]) ?? null,
      });
      expect(block.transactions.nodes.length).toBeGreaterThan(1);
    },
  },

  ValidatorIncome: {
    variables: (facts) => ({ nodeId: mostMet(staking(facts).flatMap(({ nodeId }) => nodeId ?? [])) }),
    check({ validator }, facts, { nodeId }) {
      const own = staking(facts).filter((one) => one.nodeId === nodeId);
      const ofType = (part: string) => hashesOf(sorted(own.filter(({ txType }) => txType.includes(part))));
      expect(hashesOf(validator.stakingPeriods.nodes)).toEqual(ofType('Validator').slice(0, 10));
      expect(hashesOf(validator.delegations.nodes)).toEqual(ofType('Delegator').slice(0, 10));
      const begun = new Set(hashesOf(own));
      const ended = endings(facts).filter(({ stakingTxHash }) => begun.has(stakingTxHash ?? ''));
      checkPaid(validator.rewards.nodes, facts, sorted(ended).slice(0, 20));
    },
  },

  WhoValidates: {
    variables: () => ({ primary: ZERO_ID }),
    check({ subnet }, { validators }) {
      const all = validators
        .filter(({ subnetId }) => subnetId === ZERO_ID)
        .map((one) => ({ ...one, weight: one.ownWeight + one.delegatedWeight }))
        .sort((a, b) => largestFirst(a.weight, b.weight) || byText(b.nodeId, a.nodeId));
      const weight = all.reduce((sum, one) => sum + one.weight, 0n).toString();
      expect(subnet.totals).toMatchObject({ activeValidators: all.length, weight });
      expect(subnet.currentValidators.nodes).toMatchObject(
        all.slice(0, 25).map((one) => ({
          nodeId: one.nodeId,
          weight: Number(one.weight),
          ownWeight: Number(one.ownWeight),
          potentialReward: one.potentialReward.toString(),
        })),
      );
    },
  },

  WhoValidatesSubnet: {
    variables: ({ l1Validators }) => ({ subnetId: mostMet(l1Validators.map(({ subnetId }) => subnetId)) }),
    check({ subnet }, { validators, l1Validators }, { subnetId }) {
      const stakers = validators.filter((one) => one.subnetId === subnetId);
      const active = l1Validators
        .filter((one) => one.subnetId === subnetId && one.balance > 0n)
        .sort((a, b) => largestFirst(a.balance, b.balance) || byText(b.validationId, a.validationId));
      expect(subnet.activeValidators).toBe(stakers.length + active.length);
      expect(subnet.currentValidators.nodes.map(({ nodeId }: { nodeId: string }) => nodeId).sort()).toEqual(
        stakers.map(({ nodeId }) => nodeId).sort(),
      );
      expect(subnet.currentL1Validators.nodes).toMatchObject(
        active.slice(0, 25).map(({ validationId, nodeId, weight, balance }) => {
          return { validationId, nodeId, weight: Number(weight), balance: Number(balance) };
        }),
      );
    },
  },

  Rewards: {
    variables: (facts) => ({ address: mostRewarded(facts) }),
    check({ address: shown }, facts, { address }) {
      const ended = new Set(endings(facts).map(({ stakingTxHash }) => stakingTxHash));
      const pending = staking(facts).filter(
        ({ txHash, rewardAddresses }) => rewardAddresses?.includes(address) && !ended.has(txHash),
      );
      expect(
        shown.pendingRewards.nodes.map(({ nodeId, isDelegation }: any) => [nodeId, isDelegation]),
      ).toEqual(
        sorted(pending)
          .slice(0, 25)
          .map(({ nodeId, txType }) => [nodeId, txType.includes('Delegator')]),
      );
      checkPaid(shown.rewardTransactions.nodes, facts, paidTo(facts, address).slice(0, 25));
    },
  },

  RewardsOfAYear: {
    variables(facts) {
      // Half of them are in it.
      const times = paidTo(facts, mostRewarded(facts)).map(({ blockTimestamp }) => blockTimestamp);
      const until = times[Math.floor(times.length / 2)] as number;
      return { address: mostRewarded(facts), since: until - 365 * DAY, until };
    },
    check({ address: shown }, facts, { address, since, until }) {
      const expected = paidTo(facts, address, since, until);
      expect(expected.length).toBeGreaterThan(1);
      checkPaid(shown.rewardTransactions.nodes, facts, expected.slice(0, 50));
    },
  },

  OutputsOfAllChains: {
    variables: (facts) => ({ address: busiest(facts) }),
    check({ address: shown }, facts, { address }, now) {
      const unspent = ownedBy(facts, address).filter((row) => stateOf(row, now) !== null);
      expect(shown.utxos.totalCount).toBe(unspent.length);
      const amounts = unspent.map(({ amount }) => BigInt(amount)).sort(largestFirst);
      expect(amountsOf(shown.utxos.nodes)).toEqual(amounts.slice(0, 25).map(String));
      const ids = new Set(unspent.map(({ utxoId }) => utxoId));
      for (const { utxoId } of shown.utxos.nodes) expect(ids).toContain(utxoId);
    },
  },

  SubnetFees: {
    variables: ({ fees }) => ({ subnetId: mostMet(fees.map(({ subnetId }) => subnetId)), since: '0' }),
    check({ subnetMetric }, { fees }, { subnetId }) {
      const days = fees
        .filter((each) => each.subnetId === subnetId)
        .map(({ timestamp, value }) => ({ timestamp, value }));
      const byTime = (all: { timestamp: number }[]) => all.toSorted((a, b) => a.timestamp - b.timestamp);
      expect(days.length).toBeGreaterThan(0);
      expect(byTime(subnetMetric.nodes)).toEqual(byTime(days));
    },
  },

  CrossChainMessages: {
    variables: ({ messages }) => ({ contract: mostMet(messages.map(({ from }) => from)) }),
    check({ icmMessages }, { messages }, { contract }) {
      const sent = messages.filter(({ from }) => from === contract);
      const { nodes, pageInfo } = icmMessages;
      expect(nodes.length).toBe(Math.min(sent.length, 20));
      expect(pageInfo.hasNextPage).toBe(sent.length > 20);
      const known = new Map(sent.map((one) => [one.messageId, one]));
      for (const { messageId, sourceTransaction, destinationTransaction } of nodes)
        expect([sourceTransaction?.txHash ?? null, destinationTransaction?.txHash ?? null]).toEqual([
          known.get(messageId)?.sourceTxHash,
          known.get(messageId)?.destinationTxHash,
        ]);
    },
  },

  Days: {
    variables: () => ({}),
    check({ networkStats }, facts) {
      const dayOf = ({ blockTimestamp }: TransactionFact) => Math.floor(blockTimestamp / DAY) * DAY;
      const partiesOf = ({ consumedUtxos, emittedUtxos }: TransactionFact) =>
        outputsIn(facts, [...consumedUtxos, ...emittedUtxos]).flatMap(({ addresses }) => addresses);
      const since = new Map<string, number>();
      for (const one of facts.transactions)
        for (const address of partiesOf(one))
          since.set(address, Math.min(since.get(address) ?? Infinity, dayOf(one)));
      expect(networkStats.nodes.length).toBeGreaterThan(0);
      for (const { timestamp, ...shown } of networkStats.nodes) {
        const own = facts.transactions.filter((one) => dayOf(one) === timestamp);
        const active = new Set(own.flatMap(partiesOf));
        const burned = own.reduce((sum, one) => sum + (one.burned ?? 0n), 0n);
        expect(shown, String(timestamp)).toMatchObject({
          txCount: own.length,
          amountBurned: burned.toString(),
          activeAddresses: active.size,
          newAddresses: [...active].filter((address) => since.get(address) === timestamp).length,
        });
      }
    },
  },

  Holders: {
    variables: (facts) => ({
      assetId: mostMet(
        facts.outputs
          .map(({ assetId }) => assetId)
          .filter((id) => facts.fungible.has(id) && id !== facts.avax),
      ),
    }),
    check({ asset }, facts, { assetId }, now) {
      const { x } = facts.ids;
      const held = new Map<string, bigint>();
      for (const row of facts.outputs) {
        if (row.assetId !== assetId || stateOf(row, now) === null) continue;
        if (row.createdOnChainId !== x && row.consumedOnChainId !== x) continue;
        for (const address of row.addresses)
          held.set(address, (held.get(address) ?? 0n) + BigInt(row.amount));
      }
      const sums = [...held.values()].filter((sum) => sum > 0n).sort(largestFirst);
      const { nodes } = asset.holders;
      expect(nodes.map(({ unspent }: any) => unspent)).toEqual(sums.slice(0, 25).map(String));
      for (const { address, unspent } of nodes) expect(held.get(address.address)?.toString()).toBe(unspent);
    },
  },

  Search: {
    variables: () => ({ text: 'avax' }),
    check({ search }, facts) {
      expect(search.problem).toBeNull();
      const found = search.candidates.find((each: { network: string }) => each.network === 'fuji');
      expect(found).toMatchObject({
        kind: 'ASSET',
        match: 'NAME',
        isIndexed: true,
        node: { assetId: facts.avax },
      });
    },
  },
};
