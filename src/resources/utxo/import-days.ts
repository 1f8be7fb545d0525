import { bareArrayText } from '../../storage/copy.js';
import type { Network } from '../../avalanche/networks.js';
import type { Batch } from '../../storage/session.js';
import type { UtxoChange } from './import-balances.js';
import { isSpent } from './import-merge.js';
import { ownerId, ownersOf } from './import-owners.js';
import type { UtxoRecord } from './import-row.js';

const SECONDS_PER_DAY = 86_400;
/** The largest day of the column; later times count as this day. */
const LATEST_DAY = 2_147_483_647;

/** The increase of an address's day; negative where it falls. */
interface Growth {
  /** Row id. */
  addressId: string;
  assetId: string;
  day: number;
  received: bigint;
  sent: bigint;
}

/**
 * Adds changes of outputs to the days of addresses: see the model AddressDay. Addresses and assets must have their
 * rows. Must run under the network's import lock, like the write of the outputs themselves.
 *
 * @param addressIds row ids of every address that owns, or owned, one of the outputs
 */
export async function writeDays(
  client: Batch,
  network: Network,
  addressIds: ReadonlyMap<string, string>,
  changes: readonly UtxoChange[],
): Promise<void> {
  const all = growthOf(changes, addressIds);
  if (all.length === 0) return;
  await client.query(
    `INSERT INTO address_day AS d
     SELECT growth.address_id, asset.id, growth.day, growth.received, growth.sent
     FROM unnest($2::bigint[], $3::text[], $4::integer[], $5::numeric[], $6::numeric[])
       AS growth(address_id, asset_id, day, received, sent)
     JOIN asset ON asset.network = $1 AND asset.asset_id = growth.asset_id
     ON CONFLICT (address_id, asset_row_id, day) DO UPDATE SET
       received = d.received + excluded.received, sent = d.sent + excluded.sent`,
    [
      network,
      ...keysOf(all),
      bareArrayText(all.map(({ received }) => received)),
      bareArrayText(all.map(({ sent }) => sent)),
    ],
  );
  await dropEmpty(client, network, all);
}

function keysOf(all: readonly Growth[]): string[] {
  return [
    bareArrayText(all.map(({ addressId }) => addressId)),
    bareArrayText(all.map(({ assetId }) => assetId)),
    bareArrayText(all.map(({ day }) => day)),
  ];
}

// The times of an output may have been corrected.
async function dropEmpty(client: Batch, network: Network, all: readonly Growth[]): Promise<void> {
  const shrunk = all.filter(({ received, sent }) => received < 0n || sent < 0n);
  if (shrunk.length === 0) return;
  await client.query(
    `DELETE FROM address_day d
     USING unnest($2::bigint[], $3::text[], $4::integer[]) AS shrunk(address_id, asset_id, day)
     JOIN asset ON asset.network = $1 AND asset.asset_id = shrunk.asset_id
     WHERE d.address_id = shrunk.address_id AND d.asset_row_id = asset.id AND d.day = shrunk.day
       AND d.received = 0 AND d.sent = 0`,
    [network, ...keysOf(shrunk)],
  );
}

function growthOf(changes: readonly UtxoChange[], addressIds: ReadonlyMap<string, string>): Growth[] {
  const found = new Map<string, Growth>();
  const add = (record: UtxoRecord, sign: 1n | -1n) => {
    const amount = sign * BigInt(record.amount);
    const created = dayOf(record.block_timestamp);
    const spent = isSpent(record) ? Math.max(created, dayOf(record.consuming_block_timestamp)) : null;
    for (const address of ownersOf(record)) {
      const addressId = ownerId(addressIds, address);
      growthAt(found, addressId, record.asset_id, created).received += amount;
      if (spent !== null) growthAt(found, addressId, record.asset_id, spent).sent += amount;
    }
  };
  for (const { before, after } of changes) {
    if (before) add(before, -1n);
    add(after, 1n);
  }
  return [...found.values()].filter(({ received, sent }) => received !== 0n || sent !== 0n);
}

/** An unknown time counts as 0. */
function dayOf(seconds: string | null): number {
  return Math.min(Math.floor(Number(seconds) / SECONDS_PER_DAY), LATEST_DAY);
}

function growthAt(found: Map<string, Growth>, addressId: string, assetId: string, day: number): Growth {
  const key = `${addressId} ${assetId} ${day}`;
  let growth = found.get(key);
  if (!growth) {
    growth = { addressId, assetId, day, received: 0n, sent: 0n };
    found.set(key, growth);
  }
  return growth;
}
