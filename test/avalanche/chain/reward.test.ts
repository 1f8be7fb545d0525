import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { potentialReward, primaryRewardRates, splitReward } from '../../../src/avalanche/chain/reward.js';
import { realData } from '../../harness/seed.js';

const file = new URL('mainnet.p-chain.validators-genesis.ndjson', realData);
/** What mainnet's genesis distributed, nAVAX. */
const GENESIS_SUPPLY = 359_999_999_999_990_210n;

test.runIf(existsSync(file))(
  'mainnet’s first 75 validators were promised what is computed, each with the supply that the ones before left',
  () => {
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    expect(lines).toHaveLength(75);
    let supply = GENESIS_SUPPLY;
    for (const line of lines) {
      const one = JSON.parse(line) as { start: number; end: number; weight: string; potentialReward: string };
      const rates = primaryRewardRates(one.start, Infinity);
      const reward = potentialReward(rates, BigInt(one.end - one.start), BigInt(one.weight), supply);
      expect(reward.toString()).toBe(one.potentialReward);
      supply += reward;
    }
  },
);

const amounts = fc.bigInt(1n, 720_000_000n * 1_000_000_000n);

test('a reward is never more than what is left until the cap', () => {
  fc.assert(
    fc.property(amounts, amounts, fc.bigInt(0n, 400n * 86_400n), (weight, supply, seconds) => {
      const rates = primaryRewardRates(0, Infinity);
      const reward = potentialReward(rates, seconds, weight, supply);
      expect(reward >= 0n && reward <= rates.cap - supply).toBe(true);
    }),
  );
});

test('both parts of a reward are all of it, and the validator’s is rounded up, by less than a million in large ones', () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 2n ** 64n - 1n), fc.integer({ min: 0, max: 1_000_000 }), (total, shares) => {
      const { validator, delegator } = splitReward(total, shares);
      expect(validator + delegator).toBe(total);
      const over = validator * 1_000_000n - total * BigInt(shares);
      const bound = total * BigInt(1_000_000 - shares) < 2n ** 64n ? 1n : 1_000_000n;
      expect(over >= 0n && over < bound * 1_000_000n).toBe(true);
    }),
  );
});

test.each([
  [-1, 100_000],
  [0, 100_000],
  [86_400, 99_723],
  [45 * 86_400, 87_500],
  [90 * 86_400 - 1, 75_001],
  [90 * 86_400, 75_000],
  [400 * 86_400, 75_000],
])('%i seconds after Helicon the lower rate is %i parts of a million', (seconds, rate) => {
  const helicon = 1_800_000_000;
  expect(primaryRewardRates(helicon + seconds, helicon)).toMatchObject({
    min: BigInt(rate),
    max: 120_000n,
  });
});
