import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Batch } from '../../storage/session.js';
import { bareArrayText, type CopyValue } from '../../storage/copy.js';
import { takeIds } from '../../write/ids.js';
import type { Written } from '../../write/kind.js';
import { LAST_DAY } from './day.js';
import { holdingKey, type Holding } from './holding.js';
import { keccak256 } from '../../avalanche/keccak.js';

/** An address's balance of a holding from a day on, until its next row. */
export interface BalanceRow {
  holding: Holding;
  /** 40 lower-case hex digits. */
  address: string;
  /** Day number, see day.ts. */
  day: number;
  /** Decimal digits. */
  balance: string;
}

/**
 * Stores these balances; of two for the same holding, address and day the last one counts. A holding's
 * version changes from the first day with a changed balance, so that what is cached for earlier days stays
 * valid; if nothing changes nothing is written.
 *
 * Call it inside a transaction that excludes other writers of balances.
 */
export async function writeEvmBalances(client: Batch, rows: readonly BalanceRow[]): Promise<Written> {
  const latest = [...new Map(rows.map((row) => [rowKey(row), row])).values()];
  const holdings = await holdingIds(client, latest);
  const addresses = await addressIds(client, latest);
  const staged = [
    latest.map(({ holding }) => holdings.get(holdingKey(holding)) ?? null),
    latest.map(({ address }) => addresses.get(address) ?? null),
    latest.map(({ day }) => day),
    latest.map(({ balance }) => balance),
  ];
  const changed = await merge(client, staged.map(bareArrayText));
  return { written: changed, unchanged: rows.length - changed };
}

/** A text that is different for every balance. */
export const rowKey = ({ holding, address, day }: BalanceRow) => `${holdingKey(holding)}:${address}:${day}`;

/** Ids of holdings by their keys; new ones are added. */
async function holdingIds(client: Batch, rows: readonly BalanceRow[]): Promise<Map<string, string>> {
  const holdings = new Map(rows.map(({ holding }) => [holdingKey(holding), holding]));
  const wanted = [...holdings.values()];
  const { rows: known } = await client.query<{ key: string; id: string }>(
    `SELECT wanted.key, h.id::text
     FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[]) AS wanted(chain, kind, contract, key)
     JOIN evm_holding h ON h.evm_chain_id = wanted.chain AND h.kind = wanted.kind::evm_holding_kind
       AND h.contract = decode(wanted.contract, 'hex')`,
    [
      wanted.map(({ evmChainId }) => evmChainId.toString()),
      wanted.map(({ kind }) => kind),
      wanted.map(({ contract }) => contract),
      [...holdings.keys()],
    ],
  );
  const ids = new Map(known.map(({ key, id }) => [key, id]));
  return withNew(client, 'evm_holding', ids, holdings, (key) => {
    const { evmChainId, kind, contract } = holdings.get(key) as Holding;
    return { evm_chain_id: evmChainId, kind, contract: `\\x${contract}` };
  });
}

/**
 * Ids of addresses; new ones are added. Known ones are looked up first, because conflicts use up ids and sets
 * of ids should be dense.
 */
async function addressIds(client: Batch, rows: readonly BalanceRow[]): Promise<Map<string, string>> {
  const addresses = new Set(rows.map(({ address }) => address));
  const { rows: known } = await client.query<{ address: string; id: string }>(
    `SELECT wanted.address, a.id::text FROM unnest($1::text[]) AS wanted(address)
     JOIN evm_address a ON a.address = decode(wanted.address, 'hex')`,
    [[...addresses]],
  );
  const ids = new Map(known.map(({ address, id }) => [address, id]));
  return withNew(client, 'evm_address', ids, addresses, (address) => ({
    address: `\\x${address}`,
    checksummed: checksummed(address),
  }));
}

/** Adds a row for each key that has no id yet, in the order of the keys, and its id to the others. */
async function withNew(
  client: Batch,
  table: string,
  ids: Map<string, string>,
  keys: ReadonlySet<string> | ReadonlyMap<string, unknown>,
  rowOf: (key: string) => Record<string, CopyValue>,
): Promise<Map<string, string>> {
  const missing = [...keys.keys()].filter((key) => !ids.has(key));
  if (missing.length === 0) return ids;
  const added = await takeIds(client, table, missing.length);
  const rows = missing.map((key, index) => ({ id: added[index] ?? null, ...rowOf(key) }));
  await client.copy(
    table,
    Object.keys(rows[0] ?? {}),
    rows.map((row) => Object.values(row)),
  );
  for (const [index, key] of missing.entries()) ids.set(key, added[index] as string);
  return ids;
}

/**
 * An address of 40 lower-case hex digits with the checksum of EIP-55, in half the time that viem needs for a
 * new one: files have millions.
 */
function checksummed(digits: string): string {
  const hash = bytesToHex(keccak256(utf8ToBytes(digits)));
  return `0x${digits.replace(/[a-f]/g, (letter, index: number) => ((hash[index] ?? '0') >= '8' ? letter.toUpperCase() : letter))}`;
}

interface Touched {
  holding_id: number;
  day: number;
}

/**
 * The rows as a FROM item. Sent with each statement: neither a temporary table nor the result of a WITH can
 * be joined with a table that is on a worker of Citus.
 */
const STAGED = `unnest($1::int[], $2::int[], $3::int[], $4::numeric[]) AS staged(holding_id, address_id, day, balance)`;

const balanceColumns = ['holding_id', 'address_id', 'day', 'until_day', 'previous', 'balance'];

/** Merges the staged rows; returns how many of them changed something. */
async function merge(client: Batch, staged: readonly string[]): Promise<number> {
  const ask = async (text: string) => (await client.query<Touched>(text, [...staged])).rows;
  const updated = await ask(
    `UPDATE evm_balance old SET balance = staged.balance FROM ${STAGED}
     WHERE ${SAME_ADDRESS} AND old.day = staged.day AND old.balance <> staged.balance
     RETURNING old.holding_id, old.day`,
  );
  // In a separate statement: a plan made while the table was empty would read all of it for each row.
  const { rows: fresh } = await client.query<[number, number, number, number, string, string]>({
    text: `SELECT staged.holding_id, staged.address_id, staged.day,
       coalesce(least(next.day, lead(staged.day) OVER addresses) - 1, ${LAST_DAY}),
       (CASE WHEN lag(staged.day) OVER addresses > coalesce(before.day, lag(staged.day) OVER addresses - 1)
         THEN lag(staged.balance) OVER addresses ELSE coalesce(before.balance, 0) END)::text,
       staged.balance::text
     FROM ${STAGED}
     LEFT JOIN LATERAL (${NEXT}) next ON true
     LEFT JOIN LATERAL (${BEFORE}) before ON true
     WHERE NOT EXISTS (SELECT 1 FROM evm_balance old WHERE ${SAME_ADDRESS} AND old.day = staged.day)
     WINDOW addresses AS (PARTITION BY staged.holding_id, staged.address_id ORDER BY staged.day)`,
    values: [...staged],
    rowMode: 'array',
  });
  await client.copy('evm_balance', balanceColumns, fresh);
  const inserted = fresh.map(([holding_id, , day]): Touched => ({ holding_id, day }));
  await joinNeighbours(ask);
  const touched = [...updated, ...inserted];
  await renewVersions(client, touched);
  return touched.length;
}

const SAME_ADDRESS = 'old.holding_id = staged.holding_id AND old.address_id = staged.address_id';
const BEFORE = `SELECT old.* FROM evm_balance old WHERE ${SAME_ADDRESS} AND old.day < staged.day ORDER BY old.day DESC LIMIT 1`;
const NEXT = `SELECT old.* FROM evm_balance old WHERE ${SAME_ADDRESS} AND old.day > staged.day ORDER BY old.day LIMIT 1`;

/** The row before a staged one ends where that begins, and the one after it gets the balance before. */
async function joinNeighbours(ask: (text: string) => Promise<unknown>): Promise<void> {
  await ask(
    `UPDATE evm_balance row SET until_day = staged.day - 1
     FROM ${STAGED} CROSS JOIN LATERAL (${BEFORE}) before
     WHERE row.holding_id = before.holding_id AND row.address_id = before.address_id AND row.day = before.day
       AND row.until_day <> staged.day - 1`,
  );
  await ask(
    `UPDATE evm_balance row SET previous = staged.balance
     FROM ${STAGED} CROSS JOIN LATERAL (${NEXT}) next
     WHERE row.holding_id = next.holding_id AND row.address_id = next.address_id AND row.day = next.day
       AND row.previous <> staged.balance`,
  );
}

async function renewVersions(client: Batch, touched: readonly Touched[]): Promise<void> {
  const firstDays = new Map<number, number>();
  for (const { holding_id: id, day } of touched)
    firstDays.set(id, Math.min(day, firstDays.get(id) ?? LAST_DAY));
  const values = [[...firstDays.keys()], [...firstDays.values()]];
  // An entry counts until the next one's day, so those from this day on no longer matter.
  await client.query(
    `DELETE FROM evm_holding_version old USING unnest($1::int[], $2::int[]) AS changed(holding_id, day)
     WHERE old.holding_id = changed.holding_id AND old.from_day >= changed.day`,
    values,
  );
  await client.query(
    `INSERT INTO evm_holding_version (holding_id, from_day)
     SELECT holding_id, day FROM unnest($1::int[], $2::int[]) AS changed(holding_id, day)`,
    values,
  );
}
