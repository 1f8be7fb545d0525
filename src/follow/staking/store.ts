import type { Network } from '../../avalanche/networks.js';
import { nameL1Validators } from '../../state/l1-validators.js';
import * as tables from '../../state/staking.js';
import { rowsOf, valuesOf, type RowOf } from '../../state/table.js';
import type { Reader } from '../../storage/reader.js';
import type { Batch } from '../../storage/session.js';
import { upsertRows } from '../../write/upsert.js';
import { idHexOf, isWaiting, type Staker } from './staker.js';
import type { StakingState, StoredState } from './state.js';
import { lastPaidDay, type SubnetDay } from './subnet-fees.js';
import type { Difference, Trouble } from './trouble.js';

const { stakingTable, stakerTable, supplyTable, l1ValidatorTable, subnetFeeTable } = tables;
const { paidFeeTable, feeDayTable, stakeTotalTable } = tables;

const NAME_CHANGED = nameL1Validators('f.network = $1::network AND f.validation_id = ANY($2::text[])');

const readStaking = rowsOf(stakingTable);
const readStakers = rowsOf(stakerTable);
const readSupplies = rowsOf(supplyTable);
const readL1Validators = rowsOf(l1ValidatorTable, 'weight > 0');
const readFees = rowsOf(subnetFeeTable, 'day = $2::int');

/** What is stored of a network, if its P-chain was begun. */
export interface Stored extends Trouble {
  readonly state: StoredState;
}

/** Reads the state of stakers and L1 validators; null where none is stored. */
export async function readState(reader: Pick<Reader, 'read'>, network: Network): Promise<Stored | null> {
  const [known] = await readStaking(reader, network);
  if (!known) return null;
  const { chainTime: time, knowsStakers, knowsL1Validators, excess, accrued } = known;
  const { withheldSince, doubtedRewards, isLeftOut } = known;
  const stakers = await readStakers(reader, network);
  const supplies = await readSupplies(reader, network);
  return {
    difference: foundAt(known.difference, known.differentSince),
    doubt: foundAt(known.doubt, known.doubtedSince),
    doubtedRewards,
    withheldSince,
    isLeftOut,
    state: {
      time,
      knowsStakers,
      knowsL1Validators,
      fee: { excess, accrued },
      stakers: stakers.map(stakerFrom),
      supplies: new Map(supplies.map(({ subnetId, ...known }) => [subnetId, known])),
      l1Validators: await readL1Validators(reader, network),
      today: await readFees(reader, network, lastPaidDay(time)),
    },
  };
}

const foundAt = (text: string | null, height: bigint | null): Difference | null =>
  text === null ? null : { text, height: height ?? 0n };

/** A staker of its row. */
export function stakerFrom({ startTime: start, endTime: end, ...row }: RowOf<typeof stakerTable>): Staker {
  const staker = { ...row, idHex: idHexOf(row.txId), start, end, nextTime: 0 };
  return { ...staker, nextTime: isWaiting(staker) ? start : end };
}

/** The columns of what is known against the state. */
export const troubleColumns = ({ difference, doubt, doubtedRewards, withheldSince, isLeftOut }: Trouble) => ({
  doubtedRewards,
  withheldSince,
  isLeftOut,
  difference: difference?.text ?? null,
  differentSince: difference?.height ?? null,
  doubt: doubt?.text ?? null,
  doubtedSince: doubt?.height ?? null,
});

/** Takes what of the state is not stored yet. @returns what writes it in a batch's transaction */
export function takeChanges(
  network: Network,
  state: StakingState,
  trouble: Trouble,
  running: readonly SubnetDay[],
): (batch: Batch) => Promise<void> {
  const { changes, stakers, l1, l1Validators } = state;
  const now = [...changes.stakers].map((txId) => [txId, stakers?.set.get(txId)] as const);
  const put = now.flatMap(([, one]) =>
    one ? [valuesOf(stakerTable, { ...one, network, startTime: one.start, endTime: one.end })] : [],
  );
  const removed = now.flatMap(([txId, staker]) => (staker ? [] : [txId]));
  const { put: changedTotals, gone: emptied } = stakers?.set.totals.take() ?? { put: [], gone: [] };
  const totals = changedTotals.map((one) => valuesOf(stakeTotalTable, { ...one, network }));
  const supplies = [...changes.supplies].flatMap((subnetId) => {
    const known = stakers?.supplies.get(subnetId);
    return known ? [valuesOf(supplyTable, { ...known, network, subnetId })] : [];
  });
  const changedL1 = [...changes.l1Validators].flatMap((id) => l1Validators.changed(id) ?? []);
  const l1Rows = changedL1.map((one) => valuesOf(l1ValidatorTable, { ...one, network }));
  const fees = running.map((one) => valuesOf(subnetFeeTable, { ...one, network }));
  const paidFees = changes.paidFees.map((one) => valuesOf(paidFeeTable, { ...one, network }));
  const feeDays = changes.feeDays.map((one) => valuesOf(feeDayTable, { ...one, network }));
  const staking = valuesOf(stakingTable, {
    ...l1.fee,
    network,
    chainTime: state.time,
    knowsStakers: stakers !== null,
    knowsL1Validators: l1.isKnown,
    price: l1.price,
    ...troubleColumns(trouble),
  });
  const replaced = changes.everything ? Object.values(tables).map(({ name }) => name) : [];
  changes.clear();
  l1Validators.forgetRemoved();
  return async (batch) => {
    for (const name of replaced)
      await batch.query(`DELETE FROM ${name} WHERE network = $1::network`, [network]);
    await upsertRows(batch, stakingTable, [staking]);
    await upsertRows(batch, stakerTable, put);
    if (removed.length > 0)
      await batch.query(
        `DELETE FROM ${stakerTable.name} WHERE network = $1::network AND tx_id = ANY($2::text[])`,
        [network, removed],
      );
    await upsertRows(batch, stakeTotalTable, totals);
    if (emptied.length > 0)
      await batch.query(
        `DELETE FROM ${stakeTotalTable.name} WHERE network = $1::network AND subnet_id = ANY($2::text[])`,
        [network, emptied],
      );
    await upsertRows(batch, supplyTable, supplies);
    await upsertRows(batch, l1ValidatorTable, l1Rows);
    if (l1Rows.length > 0)
      await batch.query(NAME_CHANGED, [network, changedL1.map(({ validationId }) => validationId)]);
    await upsertRows(batch, subnetFeeTable, fees);
    await upsertRows(batch, paidFeeTable, paidFees);
    await upsertRows(batch, feeDayTable, feeDays);
  };
}
