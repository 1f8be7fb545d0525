import { networks, type Network } from '../../avalanche/networks.js';
import { pipelineTable } from '../../state/following.js';
import type { Batch, Session } from '../../storage/session.js';
import { batchLimits } from '../../write/batch.js';
import type { Difference } from '../../write/derived/compare.js';
import { inWriteTransaction } from '../../write/transaction.js';
import { writeHistories } from '../history/write.js';
import { writePlatformReferences } from './import.js';

const followed = pipelineTable.as('f');

/**
 * Transactions that were followed while the name of their type was not stored: one of three types, which
 * differ in what they name.
 */
const unnamed = `SELECT t.id, t.network::text AS network,
    CASE WHEN t.details ? 'stakingTxHash' THEN 'RewardAutoRenewedValidatorTx'
      WHEN t.details ? 'nodeId' THEN 'AddAutoRenewedValidatorTx'
      ELSE 'SetAutoRenewedValidatorConfigTx' END AS name
  FROM ${followed.from} JOIN transaction t
    ON t.network = ${followed.network} AND t.block_number >= ${followed.firstHeight}
  WHERE ${followed.name} = 'p' AND t.chain = 'p' AND t.tx_type = 'UNKNOWN' ORDER BY t.id LIMIT $1`;

/**
 * Gives followed transactions of the P-chain the name of their type where it was stored as UNKNOWN, as
 * databases have them that were followed earlier; their histories and references follow.
 *
 * @param check counts them, and writes nothing
 */
export async function nameTypes(session: Session, check: boolean): Promise<Difference> {
  const difference = { name: 'transaction', wrong: 0, extra: 0, example: null };
  if (check) {
    const { rows } = await session.query<{ count: string }>(`SELECT count(*) FROM (${unnamed}) one`, [null]);
    return { ...difference, wrong: Number(rows[0]?.count) };
  }
  for (;;) {
    const named = await inWriteTransaction(session, networks, nameSome);
    if (named === 0) return difference;
    difference.wrong += named;
  }
}

/** @returns how many rows were named */
async function nameSome(batch: Batch): Promise<number> {
  const { rows } = await batch.query<{ id: string; network: Network }>(
    `UPDATE transaction t SET tx_type = unnamed.name FROM (${unnamed}) unnamed WHERE t.id = unnamed.id
     RETURNING t.id::text AS id, t.network::text AS network`,
    [batchLimits.rows],
  );
  for (const network of new Set(rows.map((row) => row.network))) {
    const ids = rows.filter((row) => row.network === network).map(({ id }) => id);
    await writeHistories(batch, network, { all: ids, rewritten: true });
    await writePlatformReferences(batch, { all: ids, rewritten: ids });
  }
  return rows.length;
}
