import { bareArrayText, type CopyValue } from '../../storage/copy.js';
import type { Batch } from '../../storage/session.js';
import type { Network } from '../../avalanche/networks.js';
import type { HoldingKind } from './holding.js';
import type { UtxoChange } from './import-balances.js';
import { isSpent } from './import-merge.js';
import { ownerId, ownersOf } from './import-owners.js';
import type { UtxoRecord } from './import-row.js';

/** A change of an output that has its row. */
export interface StoredChange extends UtxoChange {
  /** Row id. */
  id: string;
}

/** What identifies a holding, in the order of its columns; the asset by its id. */
type HoldingKey = readonly [
  ...[addressId: string, kind: HoldingKind, createdOn: string, consumedOn: string],
  ...[until: string, opens: string, shared: 't' | 'f', assetId: string],
];

/** An output in a holding: its time, sort key and row id, by which it is found there, and its amount. */
type Member = readonly [time: string, sortKey: string, id: string, amount: string];

/** The change of a holding. */
interface Turnover {
  key: HoldingKey;
  added: Member[];
  removed: Member[];
}

/**
 * Makes the holdings of addresses, and their lists of outputs, agree with changes of outputs. Addresses and assets must
 * have their rows. Must run under the network's import lock, like the write of the outputs themselves.
 *
 * @param addressIds row ids of every address that owns, or owned, one of the outputs
 */
export async function writeHoldings(
  client: Batch,
  network: Network,
  addressIds: ReadonlyMap<string, string>,
  changes: readonly StoredChange[],
): Promise<void> {
  const turnovers = turnoversOf(changes, addressIds);
  if (turnovers.size === 0) return;
  const ids = await growHoldings(client, network, [...turnovers.values()]);
  await removeMembers(client, ids, turnovers);
  await client.copy(
    'holding_output',
    ['holding_id', 'time', 'tie', 'utxo_row_id', 'amount'],
    addedRows(ids, turnovers),
  );
}

/** @returns row ids by what identifies a holding */
async function growHoldings(
  client: Batch,
  network: Network,
  turnovers: readonly Turnover[],
): Promise<Map<string, string>> {
  const column = (place: number) => bareArrayText(turnovers.map(({ key }) => key[place] ?? null));
  const { rows } = await client.query<[string, string]>({
    text: `INSERT INTO address_holding AS h
       (address_id, kind, created_on, consumed_on, until, opens, shared, asset_row_id, outputs, amount)
     SELECT address_id, kind, created_on, consumed_on, until, opens, shared, asset.id, outputs, amount
     FROM unnest($2::bigint[], $3::holding_kind[], $4::primary_chain[], $5::primary_chain[], $6::numeric[],
         $7::numeric[], $8::boolean[], $9::text[], $10::bigint[], $11::numeric[])
       AS growth(address_id, kind, created_on, consumed_on, until, opens, shared, asset_id, outputs, amount)
     JOIN asset ON asset.network = $1 AND asset.asset_id = growth.asset_id
     ON CONFLICT (address_id, kind, created_on, until, opens, consumed_on, asset_row_id, shared)
     DO UPDATE SET outputs = h.outputs + excluded.outputs, amount = h.amount + excluded.amount
     RETURNING concat_ws(' ', address_id, kind, created_on, consumed_on, until, opens, shared,
       (SELECT a.asset_id FROM asset a WHERE a.id = h.asset_row_id)), id::text`,
    values: [
      network,
      ...[0, 1, 2, 3, 4, 5, 6, 7].map(column),
      bareArrayText(turnovers.map(({ added, removed }) => added.length - removed.length)),
      bareArrayText(turnovers.map(({ added, removed }) => sumOf(added) - sumOf(removed))),
    ],
    rowMode: 'array',
  });
  return new Map(rows);
}

async function removeMembers(
  client: Batch,
  ids: ReadonlyMap<string, string>,
  turnovers: ReadonlyMap<string, Turnover>,
): Promise<void> {
  const shrunk = [...turnovers].filter(([, { removed }]) => removed.length > 0);
  if (shrunk.length === 0) return;
  const gone = shrunk.flatMap(([key, { removed }]) =>
    removed.map((member) => [ids.get(key) ?? null, ...member]),
  );
  const column = (place: number) => bareArrayText(gone.map((each) => each[place] ?? null));
  await client.query(
    `DELETE FROM holding_output m USING unnest($1::bigint[], $2::numeric[], $3::bigint[], $4::bigint[])
       AS gone(holding_id, time, tie, utxo_row_id)
     WHERE m.holding_id = gone.holding_id AND m.time = gone.time AND m.tie = gone.tie
       AND m.utxo_row_id = gone.utxo_row_id`,
    [0, 1, 2, 3].map(column),
  );
  await client.query('DELETE FROM address_holding WHERE id = ANY($1::bigint[]) AND outputs = 0', [
    bareArrayText(shrunk.map(([key]) => ids.get(key) ?? null)),
  ]);
}

function* addedRows(
  ids: ReadonlyMap<string, string>,
  turnovers: ReadonlyMap<string, Turnover>,
): Generator<CopyValue[]> {
  for (const [key, { added }] of turnovers) {
    const id = ids.get(key) ?? null;
    for (const member of added) yield [id, ...member];
  }
}

function turnoversOf(
  changes: readonly StoredChange[],
  addressIds: ReadonlyMap<string, string>,
): Map<string, Turnover> {
  const found = new Map<string, Turnover>();
  for (const { id, before, after } of changes) {
    // Changes that move no output between holdings, such as a correction of its consumer only.
    if (before && sameMembers(before, after)) continue;
    if (before) addMembers(found, addressIds, before, id, 'removed');
    addMembers(found, addressIds, after, id, 'added');
  }
  return found;
}

function sameMembers(before: UtxoRecord, after: UtxoRecord): boolean {
  if (isSpent(before) || isSpent(after)) return isSpent(before) === isSpent(after);
  const [a, b] = [before, after].map((record) =>
    [record.addresses, timeOf(record), record.amount, ...natureOf(record)].join(' '),
  );
  return a === b;
}

function addMembers(
  found: Map<string, Turnover>,
  addressIds: ReadonlyMap<string, string>,
  record: UtxoRecord,
  id: string,
  side: 'added' | 'removed',
): void {
  if (isSpent(record)) return;
  const nature = natureOf(record);
  const member: Member = [timeOf(record), record.tie, id, record.amount];
  for (const address of ownersOf(record)) {
    const addressId = ownerId(addressIds, address);
    const key: HoldingKey = [addressId, ...nature];
    const text = key.join(' ');
    let turnover = found.get(text);
    if (!turnover) found.set(text, (turnover = { key, added: [], removed: [] }));
    turnover[side].push(member);
  }
}

/** What identifies the holding of an output among those of its owner: see the model AddressHolding. */
function natureOf(
  record: UtxoRecord,
): HoldingKey extends readonly [string, ...infer Nature] ? Nature : never {
  const { created_on: created, consumed_on: consumed } = record;
  const { kind, until, opens } = locksOf(record);
  return [
    kind,
    created,
    consumed,
    until.toString(),
    opens.toString(),
    isShared(record) ? 't' : 'f',
    record.asset_id,
  ];
}

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
function isShared(record: UtxoRecord): boolean {
  return record.threshold === null ? ownersOf(record).length > 1 : BigInt(record.threshold) > 1n;
}

function timeOf({ block_timestamp: time }: UtxoRecord): string {
  return time ?? '0';
}

function sumOf(members: readonly Member[]): bigint {
  return members.reduce((sum, [, , , amount]) => sum + BigInt(amount), 0n);
}
