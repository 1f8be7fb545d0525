import type { SumTable } from '../../write/derived/table.js';
import type { HoldingKind } from './holding.js';
import type { OwnedUtxo } from './import-owners.js';
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
    return owners.map((owner) => ({
      key: [owner, ...nature, isShared(record, owners), assetRowId],
      sums: [1n, counted],
      member,
    }));
  },
};

function locksOf(record: UtxoRecord): { kind: HoldingKind; until: bigint; opens: bigint } {
  const free = { until: 0n, opens: 0n };
  if (record.created_on !== record.consumed_on) return { kind: 'in_flight', ...free };
  if (record.staked === 'true') return { kind: 'staked', ...free };
  const platform = BigInt(record.platform_locktime ?? 0);
  const stakeable = BigInt(record.stakeable_locktime ?? 0);
  if (stakeable > platform) return { kind: 'stakeable', until: stakeable, opens: platform };
  if (platform > 0n) return { kind: 'platform', until: platform, opens: 0n };
  return { kind: 'plain', ...free };
}

// The number of owners who have to sign may be unknown: then all of them are assumed to.
function isShared({ threshold }: UtxoRecord, owners: readonly string[]): boolean {
  return threshold === null ? owners.length > 1 : BigInt(threshold) > 1n;
}
