import type { Network } from '../../avalanche/networks.js';
import type { Reader } from '../../storage/reader.js';
import type { Batch } from '../../storage/session.js';
import { upsertRows } from '../../write/upsert.js';
import type { Difference } from './machine.js';
import {
  clockFrom,
  l1ValidatorFrom,
  stakerFrom,
  statements,
  subnetDayFrom,
  supplyFrom,
  type ClockRow,
  type L1ValidatorRow,
  type StakerRow,
  type SubnetDayRow,
  type SupplyRow,
} from './read-rows.js';
import { lastPaidDay, type SubnetDay } from './subnet-fees.js';
import type { StakingState, StoredState } from './state.js';
import { tables } from './tables.js';
import { clockRow, l1ValidatorRow, stakerRow, subnetDayRow, supplyRow } from './write-rows.js';

/** What is stored of a network, if its P-chain was begun. */
export interface Stored {
  readonly state: StoredState;
  readonly difference: Difference | null;
}

/** Reads the state of stakers and L1 validators; null where none is stored. */
export async function readState(reader: Pick<Reader, 'read'>, network: Network): Promise<Stored | null> {
  const [clock] = await reader.read<ClockRow>(statements.clock, [network]);
  if (!clock) return null;
  const { difference, ...known } = clockFrom(clock);
  const stakers = await reader.read<StakerRow>(statements.stakers, [network]);
  const supplies = await reader.read<SupplyRow>(statements.supplies, [network]);
  const l1Validators = await reader.read<L1ValidatorRow>(statements.l1Validators, [network]);
  const today = await reader.read<SubnetDayRow>(statements.fees, [network, lastPaidDay(known.time)]);
  return {
    difference,
    state: {
      ...known,
      stakers: stakers.map(stakerFrom),
      supplies: new Map(supplies.map(supplyFrom)),
      l1Validators: l1Validators.map(l1ValidatorFrom),
      today: today.map(subnetDayFrom),
    },
  };
}

/** Takes what of the state is not stored yet. @returns what writes it in a batch's transaction */
export function takeChanges(
  network: Network,
  state: StakingState,
  difference: Difference | null,
  running: readonly SubnetDay[],
): (batch: Batch) => Promise<void> {
  const { changes, stakers, l1Validators } = state;
  const now = [...changes.stakers].map((txId) => [txId, stakers?.set.get(txId)] as const);
  const put = now.flatMap(([, staker]) => (staker ? [stakerRow(network, staker)] : []));
  const removed = now.flatMap(([txId, staker]) => (staker ? [] : [txId]));
  const supplies = [...changes.supplies].flatMap((subnetId) => {
    const supply = stakers?.supplies.get(subnetId);
    return supply ? [supplyRow(network, subnetId, supply)] : [];
  });
  const changedL1 = [...changes.l1Validators].flatMap((id) => l1Validators.changed(id) ?? []);
  const l1Rows = changedL1.map((one) => l1ValidatorRow(network, one));
  const fees = running.map((one) => subnetDayRow(network, one));
  const clock = clockRow(network, state, difference);
  const replaced = changes.everything ? Object.values(tables).map(({ name }) => name) : [];
  changes.clear();
  l1Validators.forgetRemoved();
  return async (batch) => {
    for (const name of replaced)
      await batch.query(`DELETE FROM ${name} WHERE network = $1::network`, [network]);
    await upsertRows(batch, tables.clock, [clock]);
    await upsertRows(batch, tables.stakers, put);
    if (removed.length > 0)
      await batch.query('DELETE FROM follow_staker WHERE network = $1::network AND tx_id = ANY($2::text[])', [
        network,
        removed,
      ]);
    await upsertRows(batch, tables.supplies, supplies);
    await upsertRows(batch, tables.l1Validators, l1Rows);
    await upsertRows(batch, tables.fees, fees);
  };
}
