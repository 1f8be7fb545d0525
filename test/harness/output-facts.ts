import fc from 'fast-check';
import { idOf } from './ledger-rows.js';

/**
 * What the rows of one output may say, consistent with one history: created, perhaps staked until it is
 * spent.
 */
export const fact = fc.record(
  {
    blockNumber: fc.constant('5'),
    blockTimestamp: fc.constant(50),
    threshold: fc.constant(1),
    platformLocktime: fc.constant(4_294_967_296),
    consumer: fc.boolean(),
    staked: fc.boolean(),
  },
  { requiredKeys: ['consumer'] },
);
type Fact = typeof fact extends fc.Arbitrary<infer T> ? T : never;

/** The fields of an import row for a fact. */
export const fieldsOf = ({ consumer, ...fields }: Fact) => ({
  ...fields,
  ...(consumer ? { consumingTxHash: idOf('eater') } : {}),
});

/** The columns of an output for which these facts were imported, in whatever order. */
export function knownFrom(known: readonly Fact[]): object {
  const consumer = known.some((each) => each.consumer);
  // Spent unless every row with the consumer says staked, and none says that staking has ended.
  const spent =
    consumer &&
    (known.some((each) => each.staked === false) ||
      known.some((each) => each.consumer && each.staked !== true));
  return {
    spent,
    states: 1,
    consuming_tx_hash: consumer ? idOf('eater') : null,
    block_number: known.some((each) => each.blockNumber) ? '5' : null,
    block_timestamp: known.some((each) => each.blockTimestamp) ? '50' : null,
    threshold: known.some((each) => each.threshold) ? '1' : null,
    platform_locktime: known.some((each) => each.platformLocktime) ? '4294967296' : null,
  };
}
