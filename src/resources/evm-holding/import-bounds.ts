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
  const { written } = await writeEvmBalances(client, await unknownOf(client, [...greatest.values()]));
  return { written, unchanged: rows.length - written };
}

/** The rows that say more than is stored. */
async function unknownOf(client: Batch, rows: readonly BalanceRow[]): Promise<BalanceRow[]> {
  const { rows: known } = await client.query<[number]>({
    text: `
      SELECT bound.nth::int
      FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::int[], $6::numeric[])
        WITH ORDINALITY AS bound(chain, kind, contract, address, day, balance, nth)
      JOIN evm_holding h ON h.evm_chain_id = bound.chain AND h.kind = bound.kind::evm_holding_kind
        AND h.contract = decode(bound.contract, 'hex')
      JOIN evm_address a ON a.address = decode(bound.address, 'hex')
      JOIN evm_balance b ON b.holding_id = h.id AND b.address_id = a.id AND b.day = bound.day
      WHERE b.balance >= bound.balance`,
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
