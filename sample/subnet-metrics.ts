import { DAY_SECONDS } from '../src/avalanche/seconds.js';
import type { SubnetMetricLine } from '../src/resources/subnet-metric/import.js';
import type { L1 } from './l1s.js';
import { seededRandom } from './random.js';

const DAYS = 91;
const FIRST_DAY = Date.UTC(2026, 7, 1) / 1000;
/** What a validator pays in a day, in nAVAX. */
const DAILY_FEE = 512n * BigInt(DAY_SECONDS);
/**
 * The last L1 pays more than any real L1, so that its running total passes 2^53, above which a JSON number
 * cannot represent every integer.
 */
const EXAGGERATION = 400_000n;

/**
 * Daily fees, their running total and the paying validators of each L1; values are strings, for exactness.
 */
export function* makeSubnetMetrics(l1s: readonly L1[]): Iterable<SubnetMetricLine> {
  for (const [index, { subnetId, chainName }] of l1s.entries()) {
    const random = seededRandom(`metrics of ${chainName}`);
    const factor = index === l1s.length - 1 ? EXAGGERATION : 1n;
    let validators = random.int(3, 9);
    let cumulative = 0n;
    for (let day = 0; day < DAYS; day++) {
      if (random.chance(0.1)) validators = Math.max(1, validators + random.int(-1, 1));
      const missed = BigInt(random.int(0, 30_000_000));
      const daily = (BigInt(validators) * DAILY_FEE - missed) * factor;
      cumulative += daily;
      const timestamp = FIRST_DAY + day * DAY_SECONDS;
      yield { subnetId, metric: 'perSubnetDailyFeesPaid', timestamp, value: daily.toString() };
      yield { subnetId, metric: 'perSubnetCumulativeFeesPaid', timestamp, value: cumulative.toString() };
      yield { subnetId, metric: 'perSubnetPayingValidators', timestamp, value: validators.toString() };
    }
  }
}
