import { recordMerger } from '../../fields/column.js';
import { utxoFields } from './fields.js';
import type { UtxoRecord } from './import-row.js';

const keepKnown = recordMerger(utxoFields);

/** Whether an output counts as spent: it has a consumer, and is not locked in an active stake. */
export function isSpent({ staked, consuming_tx_hash: consumer }: StakeState): boolean {
  return consumer !== null && staked !== 'true';
}

type StakeState = Pick<UtxoRecord, 'staked' | 'consuming_tx_hash'>;

/**
 * Merges a second row of an output. Values that only one of them knows are kept; if both know one, the newer
 * counts. But staking ends and spending is final, so these change one way whatever the order of the rows:
 * `staked: false` outlasts true, and an output that was once spent is not staked again by a row that does not
 * say it was spent.
 */
export function mergeUtxo(older: UtxoRecord, newer: UtxoRecord): UtxoRecord {
  const consumer = newer.consuming_tx_hash ?? older.consuming_tx_hash;
  // A consumer and its block belong together: another consumer does not inherit the first one's block.
  const consumed = older.consuming_tx_hash === null || older.consuming_tx_hash === consumer ? older : newer;
  const [number, time] = mergeBlock(blockOf(older), blockOf(newer));
  const [consumingNumber, consumingTime] = mergeBlock(consumingBlockOf(consumed), consumingBlockOf(newer));
  return {
    ...keepKnown(older, newer),
    staked: mergeStaked(older, newer),
    block_number: number,
    block_timestamp: time,
    consuming_block_number: consumingNumber,
    consuming_block_timestamp: consumingTime,
  };
}

/** A block as two rows know it; null is unknown. */
type KnownBlock = readonly [number: string | null, time: string | null];

const blockOf = (record: UtxoRecord): KnownBlock => [record.block_number, record.block_timestamp];
const consumingBlockOf = (record: UtxoRecord): KnownBlock => [
  record.consuming_block_number,
  record.consuming_block_timestamp,
];

// The row with the block has its time: sources without blocks give the time of acceptance.
function mergeBlock(older: KnownBlock, newer: KnownBlock): KnownBlock {
  const [first, second] = older[0] !== null && newer[0] === null ? [older, newer] : [newer, older];
  return [first[0] ?? second[0], first[1] ?? second[1]];
}

function mergeStaked(older: StakeState, newer: StakeState): UtxoRecord['staked'] {
  if (older.staked === 'false' || newer.staked === 'false') return 'false';
  // It was spent, by a row that says nothing of staking.
  if (isSpent(older) || isSpent(newer)) return null;
  return newer.staked ?? older.staked;
}

/** Whether two records of one output are equal. */
export function sameUtxo(a: UtxoRecord, b: UtxoRecord): boolean {
  return (Object.keys(a) as (keyof UtxoRecord)[]).every((column) => a[column] === b[column]);
}
