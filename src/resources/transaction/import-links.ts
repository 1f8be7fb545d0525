import type { Batch } from '../../storage/session.js';
import type { CopyValue } from '../../storage/copy.js';
import type { TransactionSide } from './list.js';

/** A transaction with the row ids of its outputs on one side, in list order. */
export interface TransactionLinks {
  transactionId: string;
  utxoIds: readonly string[];
  /** Whether it may have a list. */
  isStored: boolean;
}

/**
 * Makes transactions' lists of outputs equal to the given ones; a list that differs is rewritten.
 *
 * @returns the row ids of the transactions whose list was written
 */
export async function writeLinks(
  client: Batch,
  side: TransactionSide,
  links: readonly TransactionLinks[],
): Promise<Set<string>> {
  const table = `transaction_${side}`;
  const stored = await storedLinks(
    client,
    table,
    links.filter(({ isStored }) => isStored),
  );
  const different = links.filter(
    ({ transactionId, utxoIds }) => (stored.get(transactionId) ?? []).join() !== utxoIds.join(),
  );
  const replaced = different.map(({ transactionId }) => transactionId).filter((id) => stored.has(id));
  await Promise.all([
    replaced.length > 0 &&
      client.query(`DELETE FROM ${table} WHERE transaction_id = ANY($1::bigint[])`, [replaced]),
    client.copy(table, ['transaction_id', 'position', 'utxo_row_id'], linkRows(different)),
  ]);
  return new Set(different.map(({ transactionId }) => transactionId));
}

/**
 * Stored lists of outputs of the transactions that may have some: row ids of outputs by row ids of
 * transactions.
 */
async function storedLinks(
  client: Batch,
  table: string,
  links: readonly TransactionLinks[],
): Promise<Map<string, string[]>> {
  if (links.length === 0) return new Map();
  const { rows } = await client.query<[string, string[]]>({
    text: `SELECT transaction_id::text, array_agg(utxo_row_id::text ORDER BY position)
           FROM ${table} WHERE transaction_id = ANY($1::bigint[]) GROUP BY transaction_id`,
    values: [links.map(({ transactionId }) => transactionId)],
    rowMode: 'array',
  });
  return new Map(rows);
}

function* linkRows(links: readonly TransactionLinks[]): Generator<CopyValue[]> {
  for (const { transactionId, utxoIds } of links) {
    for (const [position, utxoId] of utxoIds.entries()) yield [transactionId, position, utxoId];
  }
}
