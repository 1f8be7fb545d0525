import { createHash } from 'node:crypto';
import type { SumTable } from '../../write/derived/table.js';
import type { HoldingKind } from './holding.js';
import { ownersOf, type OwnedUtxo } from './import-owners.js';
import type { UtxoRecord } from './import-row.js';

/** Unspent outputs by what can be done with them: see the models AddressHolding and HoldingOutput. */
export const holdings: SumTable<OwnedUtxo> = {
  name: 'address_holding',
  key: {
    address_id: 'bigint',
    kind: 'holding_kind',
    created_on: 'primary_chain',
    consumed_on: 'primary_chain',
    until: 'numeric',
    opens: 'numeric',
    shared: 'boolean',
    asset_row_id: 'integer',
    owner_set: 'bigint',
  },
  sums: { outputs: 'bigint', amount: 'numeric' },
  members: {
    name: 'holding_output',
    parent: 'holding_id',
    key: { time: 'numeric', tie: 'bigint', utxo_row_id: 'bigint' },
    values: { amount: 'numeric' },
  },
  summands({ id, record, assetRowId, counted, isSpent, owners }) {
    if (isSpent) return [];
    const { created_on: created, consumed_on: consumed } = record;
    const { kind, until, opens } = locksOf(record);
    const nature = [kind, created, consumed, until.toString(), opens.toString()];
    const member = [record.block_timestamp ?? '0', record.tie, id, record.amount];
    const set = owners.length > 1 ? ownerSet(record) : '0';
    return owners.map((owner) => ({
      key: [owner, ...nature, isShared(record, owners), assetRowId, set],
      sums: [1n, counted],
      member,
    }));
  },
};

function locksOf(record: UtxoRecord): { kind: HoldingKind; until: bigint; opens: bigint } {
  const platform = BigInt(record.platform_locktime ?? 0);
  const stakeable = BigInt(record.stakeable_locktime ?? 0);
  const until = stakeable > platform ? stakeable : platform;
  if (record.created_on !== record.consumed_on) return { kind: 'in_flight', until, opens: 0n };
  if (record.staked === 'true') {
    const start = BigInt(record.utxo_start_timestamp ?? 0);
    return {
      kind: 'staked',
      until: until > BigInt(record.utxo_end_timestamp ?? 0) ? until : 0n,
      // Only before Durango a stake could wait for its start: today's have no time of their own.
      opens: start > BigInt(record.block_timestamp ?? 0) ? start : 0n,
    };
  }
  if (stakeable > platform) return { kind: 'stakeable', until, opens: platform };
  return { kind: platform > 0n ? 'platform' : 'plain', until, opens: 0n };
}

/** A number of the owners of an output: 8 bytes of a hash of their addresses, the same in any order. */
function ownerSet(record: UtxoRecord): string {
  const text = ownersOf(record).toSorted().join(',');
  return createHash('sha256').update(text).digest().readBigInt64BE().toString();
}

// The number of owners who have to sign may be unknown: then all of them are assumed to.
function isShared({ threshold }: UtxoRecord, owners: readonly string[]): boolean {
  return threshold === null ? owners.length > 1 : BigInt(threshold) > 1n;
}
