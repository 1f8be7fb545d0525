import type { Batch } from '../../storage/session.js';
import type { Written } from '../../write/kind.js';
import { rowKey, writeEvmBalances, type BalanceRow } from './write.js';

/**
 * Stores lower bounds of balances if nothing, or less, is known of the day. What is stored is exact or itself
 * a bound, so that a smaller lower bound contradicts neither.
 *
 * Call it inside a transaction that excludes other writers of balances.
 */
export async function writeLowerBounds(client: Batch, rows: readonly BalanceRow[]): Promise<Written> {
  const greatest = new Map<string, BalanceRow>();
  for (const row of rows) {
    const known = greatest.get(rowKey(row));
    if (!known || BigInt(row.balance) > BigInt(known.balance)) greatest.set(rowKey(row), row);
  }
  const unknown = await unknownOf(client, [...greatest.values()], 'b.balance >= given.balance');
  const { written } = await writeEvmBalances(client, unknown);
  return { written, unchanged: rows.length - written };
}

/** Stores balances of days of which nothing is known. What is stored is as new, or newer. The same holds. */
export async function writeUnknownDays(client: Batch, rows: readonly BalanceRow[]): Promise<Written> {
  const { written } = await writeEvmBalances(client, await unknownOf(client, rows, 'true'));
  return { written, unchanged: rows.length - written };
}

/** The rows that say more than is stored. @param isKnown SQL of when a stored row says as much */
async function unknownOf(client: Batch, rows: readonly BalanceRow[], isKnown: string): Promise<BalanceRow[]> {
  const { rows: known } = await client.query<[number]>({
    text: `
      SELECT given.nth::int
      FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::int[], $6::numeric[])
        WITH ORDINALITY AS given(chain, kind, contract, address, day, balance, nth)
      JOIN evm_holding h ON h.evm_chain_id = given.chain AND h.kind = given.kind::evm_holding_kind
        AND h.contract = decode(given.contract, 'hex')
      JOIN evm_address a ON a.address = decode(given.address, 'hex')
      JOIN evm_balance b ON b.holding_id = h.id AND b.address_id = a.id AND b.day = given.day
      WHERE ${isKnown}`,
    values: [
      rows.map(({ holding }) => holding.evmChainId.toString()),
      rows.map(({ holding }) => holding.kind),
      rows.map(({ holding }) => holding.contract),
      rows.map(({ address }) => address),
      rows.map(({ day }) => day),
      rows.map(({ balance }) => balance),
    ],
    rowMode: 'array',
  });
  const indexes = new Set(known.map(([nth]) => nth - 1));
  return rows.filter((_row, index) => !indexes.has(index));
}
