import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Batch } from '../../storage/session.js';
import type { Written } from '../../ingest/kind.js';
import { LAST_DAY } from './day.js';
import { holdingKey, type Holding } from './holding.js';

/** How much of a holding an address held from a day on, until its next row. */
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
 * Makes the database hold these balances; of two for the same holding, address and day the last one counts. A
 * holding's version changes from the first day on of which a balance changed, so that what is cached for
 * earlier days stays valid; where nothing changes nothing is written.
 *
 * Call it inside a transaction that excludes other writers of balances.
 */
export async function writeBalances(client: Batch, rows: readonly BalanceRow[]): Promise<Written> {
  await client.query(
    `CREATE TEMPORARY TABLE staged_balance
       (holding_id integer, address_id integer, day integer, balance numeric(78, 0))`,
  );
  const latest = [...new Map(rows.map((row) => [rowKey(row), row])).values()];
  const holdings = await holdingIds(client, latest);
  const addresses = await addressIds(client, latest);
  await client.copy(
    'staged_balance',
    ['holding_id', 'address_id', 'day', 'balance'],
    latest.map((row) => [
      holdings.get(holdingKey(row.holding)) ?? null,
      addresses.get(row.address) ?? null,
      row.day,
      row.balance,
    ]),
  );
  await client.query('ANALYZE staged_balance');
  const changed = await merge(client);
  await client.query('DROP TABLE staged_balance');
  return { written: changed, unchanged: rows.length - changed };
}

const rowKey = ({ holding, address, day }: BalanceRow) => `${holdingKey(holding)}:${address}:${day}`;

async function holdingIds(client: Batch, rows: readonly BalanceRow[]): Promise<Map<string, number>> {
  const holdings = [...new Map(rows.map(({ holding }) => [holdingKey(holding), holding])).values()];
  const { rows: found } = await client.query<{ key: string; id: number }>(
    `WITH wanted AS (
       SELECT chain, kind, decode(contract, 'hex') AS contract, key
       FROM unnest($1::bigint[], $2::evm_holding_kind[], $3::text[], $4::text[]) AS w(chain, kind, contract, key)),
     added AS (
       INSERT INTO evm_holding (evm_chain_id, kind, contract)
       SELECT chain, kind, contract FROM wanted WHERE NOT EXISTS (
         SELECT 1 FROM evm_holding h
         WHERE h.evm_chain_id = chain AND h.kind = wanted.kind AND h.contract = wanted.contract)
       RETURNING *)
     SELECT wanted.key, h.id FROM wanted
     JOIN (SELECT * FROM added UNION ALL SELECT * FROM evm_holding) h
       ON h.evm_chain_id = chain AND h.kind = wanted.kind AND h.contract = wanted.contract`,
    [
      holdings.map(({ evmChainId }) => evmChainId.toString()),
      holdings.map(({ kind }) => kind),
      holdings.map(({ contract }) => contract),
      holdings.map(holdingKey),
    ],
  );
  return new Map(found.map(({ key, id }) => [key, id]));
}

/** Ids of addresses, new ones added; an anti-join, because conflicts burn ids and sets of ids want them dense. */
async function addressIds(client: Batch, rows: readonly BalanceRow[]): Promise<Map<string, number>> {
  const addresses = [...new Set(rows.map(({ address }) => address))];
  const { rows: known } = await client.query<{ address: string; id: number | null }>(
    `SELECT wanted.address, a.id FROM unnest($1::text[]) AS wanted(address)
     LEFT JOIN evm_address a ON a.address = decode(wanted.address, 'hex')`,
    [addresses],
  );
  const fresh = known.filter(({ id }) => id === null).map(({ address }) => address);
  const { rows: added } = await client.query<{ address: string; id: number }>(
    `INSERT INTO evm_address (address, checksummed)
     SELECT decode(address, 'hex'), checksummed FROM unnest($1::text[], $2::text[]) AS fresh(address, checksummed)
     RETURNING encode(address, 'hex') AS address, id`,
    [fresh, fresh.map(checksummed)],
  );
  return new Map([...known, ...added].flatMap(({ address, id }) => (id === null ? [] : [[address, id]])));
}

/**
 * An address of 40 lower-case hex digits with the checksum of EIP-55, in half the time that viem takes for one that it
 * has not seen: files hold millions.
 */
function checksummed(digits: string): string {
  const hash = bytesToHex(keccak_256(utf8ToBytes(digits)));
  return `0x${digits.replace(/[a-f]/g, (letter, index: number) => ((hash[index] ?? '0') >= '8' ? letter.toUpperCase() : letter))}`;
}

interface Touched {
  holding_id: number;
  day: number;
}

/** Merges the staged rows in; how many of them changed something. */
async function merge(client: Batch): Promise<number> {
  const updated = await client.query<Touched>(
    `UPDATE evm_balance old SET balance = staged.balance FROM staged_balance staged
     WHERE ${SAME_ADDRESS} AND old.day = staged.day AND old.balance <> staged.balance
     RETURNING old.holding_id, old.day`,
  );
  const inserted = await client.query<Touched>(
    `INSERT INTO evm_balance (holding_id, address_id, day, until_day, previous, balance)
     SELECT staged.holding_id, staged.address_id, staged.day,
       coalesce(least(next.day, lead(staged.day) OVER addresses) - 1, ${LAST_DAY}),
       CASE WHEN lag(staged.day) OVER addresses > coalesce(before.day, lag(staged.day) OVER addresses - 1)
         THEN lag(staged.balance) OVER addresses ELSE coalesce(before.balance, 0) END,
       staged.balance
     FROM staged_balance staged
     LEFT JOIN LATERAL (${NEXT}) next ON true
     LEFT JOIN LATERAL (${BEFORE}) before ON true
     WHERE NOT EXISTS (SELECT 1 FROM evm_balance old WHERE ${SAME_ADDRESS} AND old.day = staged.day)
     WINDOW addresses AS (PARTITION BY staged.holding_id, staged.address_id ORDER BY staged.day)
     RETURNING holding_id, day`,
  );
  await joinNeighbours(client);
  const touched = [...updated.rows, ...inserted.rows];
  await renewVersions(client, touched);
  return touched.length;
}

const SAME_ADDRESS = 'old.holding_id = staged.holding_id AND old.address_id = staged.address_id';
const BEFORE = `SELECT old.* FROM evm_balance old WHERE ${SAME_ADDRESS} AND old.day < staged.day ORDER BY old.day DESC LIMIT 1`;
const NEXT = `SELECT old.* FROM evm_balance old WHERE ${SAME_ADDRESS} AND old.day > staged.day ORDER BY old.day LIMIT 1`;

/** The row before a staged one ends where that begins, and the one after it knows what was there before. */
async function joinNeighbours(client: Batch): Promise<void> {
  await client.query(
    `UPDATE evm_balance row SET until_day = staged.day - 1
     FROM staged_balance staged CROSS JOIN LATERAL (${BEFORE}) before
     WHERE row.holding_id = before.holding_id AND row.address_id = before.address_id AND row.day = before.day
       AND row.until_day <> staged.day - 1`,
  );
  await client.query(
    `UPDATE evm_balance row SET previous = staged.balance
     FROM staged_balance staged CROSS JOIN LATERAL (${NEXT}) next
     WHERE row.holding_id = next.holding_id AND row.address_id = next.address_id AND row.day = next.day
       AND row.previous <> staged.balance`,
  );
}

async function renewVersions(client: Batch, touched: readonly Touched[]): Promise<void> {
  const firstDays = new Map<number, number>();
  for (const { holding_id: id, day } of touched)
    firstDays.set(id, Math.min(day, firstDays.get(id) ?? LAST_DAY));
  const values = [[...firstDays.keys()], [...firstDays.values()]];
  // An entry counts until the next one's day, so those from this day on have nothing left to tell.
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
