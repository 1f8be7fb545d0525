import type { MembershipTable, SumTable } from '../../write/derived/table.js';
import { holdings } from './import-holdings.js';
import type { OwnedUtxo } from './import-owners.js';

/** What lists of outputs are read from: see the model UtxoOwner. */
const owners: MembershipTable<OwnedUtxo> = {
  name: 'utxo_owner',
  key: { utxo_row_id: 'bigint', address_id: 'bigint', chain: 'primary_chain' },
  values: { asset_row_id: 'integer', spent: 'boolean', time: 'numeric', amount: 'numeric', tie: 'bigint' },
  memberships({ id, record, assetRowId, isSpent, everybody, owners, chains }) {
    const values = [assetRowId, isSpent, record.block_timestamp ?? '0', record.amount, record.tie];
    return [everybody, ...owners].flatMap((address) =>
      chains.map((chain) => [id, address, chain, ...values]),
    );
  },
};

const none = [0n, 0n, 0n];

/** See the model AddressBalance. */
const balances: SumTable<OwnedUtxo> = {
  name: 'address_balance',
  key: { address_id: 'bigint', chain: 'primary_chain', asset_row_id: 'integer' },
  sums: {
    ...{ outputs: 'bigint', unspent: 'numeric', received: 'numeric' },
    ...{ created_outputs: 'bigint', created_unspent: 'numeric', created_received: 'numeric' },
  },
  summands({ record, assetRowId, amount, isSpent, owners, chains }) {
    const shown = [1n, isSpent ? 0n : amount, amount];
    return owners.flatMap((owner) =>
      chains.map((chain) => ({
        key: [owner, chain, assetRowId],
        sums: [...shown, ...(chain === record.created_on ? shown : none)],
      })),
    );
  },
};

const SECONDS_PER_DAY = 86_400;
/** The largest day of the column; later times count as this day. */
const LATEST_DAY = 2_147_483_647;

/** See the model AddressDay. */
const days: SumTable<OwnedUtxo> = {
  name: 'address_day',
  key: { address_id: 'bigint', asset_row_id: 'integer', day: 'integer' },
  sums: { received: 'numeric', sent: 'numeric' },
  summands({ record, assetRowId, amount, isSpent, owners }) {
    const created = dayOf(record.block_timestamp);
    const spent = Math.max(created, dayOf(record.consuming_block_timestamp));
    return owners.flatMap((owner) => [
      { key: [owner, assetRowId, created], sums: [amount, 0n] },
      ...(isSpent ? [{ key: [owner, assetRowId, spent], sums: [0n, amount] }] : []),
    ]);
  },
};

/** An unknown time counts as 0. */
function dayOf(seconds: string | null): number {
  return Math.min(Math.floor(Number(seconds) / SECONDS_PER_DAY), LATEST_DAY);
}

/** The tables that are derived from outputs alone; their addresses and assets must have rows. */
export const derivedFromUtxos = [owners, balances, holdings, days] as const;
