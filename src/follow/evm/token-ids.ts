import { toBytea } from '../../avalanche/evm.js';
import { arrayText, bareArrayText } from '../../storage/copy.js';
import type { Batch } from '../../storage/session.js';
import type { TouchedId } from './touched.js';

/** How many an owner has of an id after a day. */
export interface IdBalance extends TouchedId {
  /** Days since 1970-01-01 (UTC). */
  readonly day: number;
  readonly balance: bigint;
  /** Whether a newer one of the day may be stored, which counts. */
  readonly mayBeOld: boolean;
}

/** All tokens of an owner after a day, of all ids. */
export interface OwnerCount {
  /** 0x and 40 digits, as the owner. */
  readonly contract: string;
  readonly owner: string;
  readonly day: number;
  /** Decimal digits. */
  readonly count: string;
}

/** The days of an owner that are counted again. */
interface Recount {
  readonly contract: string;
  readonly owner: string;
  readonly from: number;
  readonly to: number;
}

const LAST_DAY = 2_147_483_647;
/** Owners of a contract that are counted by one statement. */
const OWNERS = 500;

/** Addresses as the text of a bytea[]. */
export const bytesText = (addresses: readonly string[]) => arrayText(addresses.map(toBytea));

/**
 * Stores the balances of ids, and counts the owners again for contracts whose transfers are all known.
 *
 * @returns the counts of the days that may have changed
 */
export async function storeIds(
  batch: Batch,
  evmChainId: bigint,
  balances: readonly IdBalance[],
): Promise<OwnerCount[]> {
  if (balances.length === 0) return [];
  const { rows } = await batch.query<{ contract: string; owner: string }>(
    `INSERT INTO follow_token_id AS held (evm_chain_id, contract, owner, token_id, day, balance)
     SELECT $1::bigint, given.contract, given.owner, given.token_id, given.day, given.balance
     FROM unnest($2::bytea[], $3::bytea[], $4::numeric[], $5::int[], $6::numeric[], $7::boolean[])
       AS given(contract, owner, token_id, day, balance, may_be_old)
     WHERE NOT given.may_be_old OR NOT EXISTS (SELECT FROM follow_token_id known
       WHERE known.evm_chain_id = $1 AND known.contract = given.contract AND known.owner = given.owner
         AND known.token_id = given.token_id AND known.day = given.day)
     ON CONFLICT (evm_chain_id, contract, owner, token_id, day) DO UPDATE SET balance = excluded.balance
     WHERE held.balance <> excluded.balance
     RETURNING '0x' || encode(contract, 'hex') AS contract, '0x' || encode(owner, 'hex') AS owner`,
    [
      String(evmChainId),
      bytesText(balances.map(({ contract }) => contract)),
      bytesText(balances.map(({ owner }) => owner)),
      bareArrayText(balances.map(({ tokenId }) => tokenId)),
      bareArrayText(balances.map(({ day }) => day)),
      bareArrayText(balances.map(({ balance }) => balance)),
      bareArrayText(balances.map(({ mayBeOld }) => String(mayBeOld))),
    ],
  );
  const changed = new Set(rows.map(({ contract, owner }) => `${contract} ${owner}`));
  const ranges = new Map<string, Recount>();
  for (const { contract, owner, day } of balances) {
    const key = `${contract} ${owner}`;
    const { from = day, to = day } = ranges.get(key) ?? {};
    // What changed on a day changes the counts of all later ones.
    const end = changed.has(key) ? LAST_DAY : Math.max(to, day);
    ranges.set(key, { contract, owner, from: Math.min(from, day), to: end });
  }
  return recount(batch, evmChainId, [...ranges.values()]);
}

/** Counts all owners of a contract, in parts. @param use is given the counts of each */
export async function countAll(
  batch: Batch,
  evmChainId: bigint,
  contract: string,
  use: (counts: readonly OwnerCount[]) => Promise<void>,
): Promise<void> {
  for (let last = ''; ;) {
    const { rows } = await batch.query<{ owner: string; day: number }>(
      `SELECT '0x' || encode(owner, 'hex') AS owner, min(day) AS day FROM follow_token_id
       WHERE evm_chain_id = $1 AND contract = $2::bytea AND owner > $3::bytea
       GROUP BY follow_token_id.owner ORDER BY follow_token_id.owner LIMIT ${OWNERS}`,
      [String(evmChainId), toBytea(contract), toBytea(last)],
    );
    if (rows.length === 0) return;
    const ranges = rows.map(({ owner, day }) => ({ contract, owner, from: day, to: LAST_DAY }));
    await use(await recount(batch, evmChainId, ranges));
    last = rows.at(-1)!.owner;
  }
}

/** A count is the one of the day before, plus the changes of the ids that were named on the day. */
async function recount(batch: Batch, evmChainId: bigint, ranges: readonly Recount[]): Promise<OwnerCount[]> {
  const same = (alias: string) =>
    `${alias}.evm_chain_id = $1 AND ${alias}.contract = wanted.contract AND ${alias}.owner = wanted.owner`;
  const { rows } = await batch.query<OwnerCount>(
    `INSERT INTO follow_token_count (evm_chain_id, contract, owner, day, count)
     SELECT $1::bigint, wanted.contract, wanted.owner, days.day,
       coalesce(before.count, 0) + sum(days.more) OVER (PARTITION BY wanted.contract, wanted.owner ORDER BY days.day)
     FROM unnest($2::bytea[], $3::bytea[], $4::int[], $5::int[]) AS wanted(contract, owner, from_day, to_day)
     JOIN follow_token known ON known.evm_chain_id = $1 AND known.contract = wanted.contract AND known.created IS NOT NULL
     LEFT JOIN LATERAL (
       SELECT c.count FROM follow_token_count c WHERE ${same('c')} AND c.day < wanted.from_day
       ORDER BY c.day DESC LIMIT 1) before ON true
     CROSS JOIN LATERAL (
       SELECT held.day, sum(held.balance - coalesce(earlier.balance, 0)) AS more
       FROM follow_token_id held
       LEFT JOIN LATERAL (
         SELECT e.balance FROM follow_token_id e
         WHERE ${same('e')} AND e.token_id = held.token_id AND e.day < held.day ORDER BY e.day DESC LIMIT 1) earlier ON true
       WHERE ${same('held')} AND held.day BETWEEN wanted.from_day AND wanted.to_day
       GROUP BY held.day) days
     ON CONFLICT (evm_chain_id, contract, owner, day) DO UPDATE SET count = excluded.count
     RETURNING '0x' || encode(contract, 'hex') AS contract, '0x' || encode(owner, 'hex') AS owner, day, count::text`,
    [
      String(evmChainId),
      bytesText(ranges.map(({ contract }) => contract)),
      bytesText(ranges.map(({ owner }) => owner)),
      bareArrayText(ranges.map(({ from }) => from)),
      bareArrayText(ranges.map(({ to }) => to)),
    ],
  );
  return rows;
}
