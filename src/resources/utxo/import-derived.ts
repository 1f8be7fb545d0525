import { dayOf } from '../../avalanche/seconds.js';
import type { CopyValue } from '../../storage/copy.js';
import type { MembershipTable, Summand, SumTable } from '../../write/derived/table.js';
import { holdings } from './import-holdings.js';
import type { OwnedUtxo } from './import-owners.js';

/** What lists of outputs are read from: see the model UtxoOwner. */
const owners: MembershipTable<OwnedUtxo> = {
  name: 'utxo_owner',
  key: { utxo_row_id: 'bigint', address_id: 'bigint', chain: 'primary_chain' },
  values: { asset_row_id: 'integer', spent: 'boolean', time: 'numeric', amount: 'numeric', tie: 'bigint' },
  memberships({ id, record, assetRowId, isSpent, everybody, owners, chains }) {
    const { amount, tie } = record;
    const time = record.block_timestamp ?? '0';
    const rows: CopyValue[][] = [];
    for (const chain of chains) {
      rows.push([id, everybody, chain, assetRowId, isSpent, time, amount, tie]);
      for (const owner of owners) rows.push([id, owner, chain, assetRowId, isSpent, time, amount, tie]);
    }
    return rows;
  },
};

/** See the model AddressBalance. */
const balances: SumTable<OwnedUtxo> = {
  name: 'address_balance',
  key: { address_id: 'bigint', chain: 'primary_chain', asset_row_id: 'integer' },
  sums: {
    outputs: 'bigint',
    unspent: 'numeric',
    received: 'numeric',
    created_outputs: 'bigint',
    created_unspent: 'numeric',
    created_received: 'numeric',
  },
  summands({ record, assetRowId, counted, isSpent, owners, chains }) {
    const unspent = isSpent ? 0n : counted;
    const created = [1n, unspent, counted, 1n, unspent, counted];
    const consumed = [1n, unspent, counted, 0n, 0n, 0n];
    const found: Summand[] = [];
    for (const owner of owners)
      for (const chain of chains)
        found.push({
          key: [owner, chain, assetRowId],
          sums: chain === record.created_on ? created : consumed,
        });
    return found;
  },
};

/** The largest day of the column; later times count as this day. */
const LATEST_DAY = 2_147_483_647;

/** See the model AddressDay. */
const days: SumTable<OwnedUtxo> = {
  name: 'address_day',
  key: { address_id: 'bigint', asset_row_id: 'integer', day: 'integer' },
  sums: { received: 'numeric', sent: 'numeric' },
  summands({ record, assetRowId, counted, isSpent, owners }) {
    const created = storedDay(record.block_timestamp);
    const spent = Math.max(created, storedDay(record.consuming_block_timestamp));
    const found: Summand[] = [];
    for (const owner of owners) {
      found.push({ key: [owner, assetRowId, created], sums: [counted, 0n] });
      if (isSpent) found.push({ key: [owner, assetRowId, spent], sums: [0n, counted] });
    }
    return found;
  },
};

/** An unknown time counts as 0. */
const storedDay = (seconds: string | null) => Math.min(dayOf(Number(seconds)), LATEST_DAY);

/** The tables that are derived from outputs alone; their addresses and assets must have rows. */
export const derivedFromUtxos = [owners, balances, holdings, days] as const;
