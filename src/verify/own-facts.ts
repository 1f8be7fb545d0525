import { withoutChecksum } from '../avalanche/cb58.js';
import { contradicted, memberColumns, membersOf, memberText } from '../avalanche/chain/output-members.js';
import { decodeUtxo } from '../avalanche/codec/outputs.js';
import type { Utxo } from '../avalanche/codec/types.js';
import type { Network } from '../avalanche/networks.js';
import { messageOf } from '../errors.js';
import { withSnapshot } from '../export/snapshot.js';
import { networkTable, pipelineTable } from '../state/following.js';
import { stakerTable, subnetFeeTable } from '../state/staking.js';
import type { Connection } from '../storage/session.js';
import type { Storage } from '../storage/storage.js';
import { conservation } from './conservation.js';
import { rowsOf } from './cursor.js';
import { compareFact, type Fact } from './fact.js';
import { Findings, type Outcome } from './finding.js';

/** What stored rows say of each other, and the bytes of outputs of their columns: without a node. */
export function compareOwnFacts(stored: Storage): Promise<Outcome[]> {
  return withSnapshot(stored, async (session) => {
    const outcomes = [await compareBytes(session)];
    for (const fact of [...facts, ...conservation]) outcomes.push(await compareFact(session, fact));
    return outcomes;
  });
}

type MemberColumn = (typeof memberColumns)[keyof typeof memberColumns];

interface OutputRow extends Readonly<Record<MemberColumn, string | null>> {
  readonly key: string;
  readonly network: Network;
  readonly utxo_bytes: Buffer;
  readonly utxo_id: string;
  readonly tx_hash: string;
  readonly output_index: string;
  readonly asset_row_id: string | null;
}

const outputs = `SELECT concat_ws(' ', u.network, u.utxo_id) AS key, u.network::text AS network, u.utxo_bytes, u.utxo_id,
    u.tx_hash, u.output_index::text AS output_index, a.asset_id AS asset_row_id,
    ${Object.values(memberColumns)
      .map((column) => `u.${column}::text AS ${column}`)
      .join(', ')}
  FROM utxo u LEFT JOIN asset a ON a.id = u.asset_row_id WHERE u.utxo_bytes IS NOT NULL`;

/** Each output's columns with what its bytes say. */
async function compareBytes(session: Connection): Promise<Outcome> {
  const findings = new Findings();
  let count = 0;
  for await (const row of rowsOf<OutputRow>(session, 'bytes', outputs)) {
    count += 1;
    compareOutput(row, findings);
  }
  return findings.outcome('utxo', 'the bytes of each output', count);
}

function compareOutput(row: OutputRow, findings: Findings): void {
  const add = (column: string, stored: string, proved: string) =>
    findings.add({ row: row.key, column, stored, proved });
  const utxo = utxoIn(row.utxo_bytes);
  if (typeof utxo === 'string') {
    add('utxo_bytes', row.utxo_bytes.toString('hex'), utxo);
    return;
  }
  const { utxoId, txId, outputIndex, assetId, output } = utxo;
  const ids = { utxo_id: utxoId, tx_hash: txId, output_index: String(outputIndex), asset_row_id: assetId };
  for (const [column, proved] of Object.entries(ids) as [keyof typeof ids, string][])
    if (row[column] !== null && row[column] !== proved) add(column, row[column], proved);
  const members = membersOf(output, row.network);
  for (const member of contradicted(row, members))
    add(memberColumns[member], String(row[memberColumns[member]]), memberText(members[member]));
}

/** An output of its bytes; why they cannot be read, for people. */
function utxoIn(bytes: Buffer): Utxo | string {
  try {
    return decodeUtxo(withoutChecksum(bytes));
  } catch (error) {
    return `an output with its checksum: ${messageOf(error)}`;
  }
}

const facts: readonly Fact[] = [
  ...(['number', 'timestamp'] as const).map((what) => ({
    table: 'utxo',
    column: `block_${what}`,
    by: 'the transaction that made it',
    pairs: `SELECT concat_ws(' ', u.network, u.utxo_id) AS row, u.block_${what}::text AS stored, t.block_${what}::text AS proved
      FROM transaction t JOIN transaction_output o ON o.transaction_id = t.id JOIN utxo u ON u.id = o.utxo_row_id
      WHERE u.created_on = t.chain AND t.tx_hash = u.tx_hash AND u.block_${what} IS NOT NULL AND t.block_number IS NOT NULL`,
  })),
  ...(['number', 'timestamp'] as const).map((what) => ({
    table: 'utxo',
    column: `consuming_block_${what}`,
    by: 'the transaction that consumed it',
    pairs: `SELECT concat_ws(' ', u.network, u.utxo_id) AS row, u.consuming_block_${what}::text AS stored,
        t.block_${what}::text AS proved
      FROM transaction t JOIN transaction_input i ON i.transaction_id = t.id JOIN utxo u ON u.id = i.utxo_row_id
      WHERE t.tx_hash = u.consuming_tx_hash AND u.consuming_block_${what} IS NOT NULL AND t.block_number IS NOT NULL`,
  })),
  {
    table: 'utxo',
    column: 'consuming_tx_hash',
    by: 'the transaction that consumed it',
    pairs: `SELECT concat_ws(' ', u.network, u.utxo_id) AS row, u.consuming_tx_hash AS stored, t.tx_hash AS proved
      FROM transaction t JOIN transaction_input i ON i.transaction_id = t.id JOIN utxo u ON u.id = i.utxo_row_id
      WHERE u.consuming_tx_hash IS NOT NULL`,
  },
  {
    table: 'block',
    column: 'parent_hash',
    by: 'the block before it',
    pairs: `SELECT concat_ws(' ', b.network, b.chain, b.number) AS row, b.parent_hash AS stored, p.hash AS proved
      FROM block b JOIN block p ON p.network = b.network AND p.chain = b.chain AND p.number = b.number - 1
      WHERE b.parent_hash IS NOT NULL AND p.hash IS NOT NULL`,
  },
  ...(['hash', 'timestamp'] as const).map((what) => ({
    table: 'block',
    column: what,
    by: 'its transactions',
    pairs: `SELECT concat_ws(' ', t.network, t.chain, t.tx_hash) AS row, b.${what}::text AS stored, t.block_${what}::text AS proved
      FROM transaction t JOIN block b ON b.network = t.network AND b.chain = t.chain AND b.number = t.block_number
      WHERE b.${what} IS NOT NULL AND t.block_${what} IS NOT NULL`,
  })),
  {
    table: stakerTable.name,
    column: 'node_id',
    by: 'its transaction',
    pairs: `SELECT concat_ws(' ', s.network, s.tx_id) AS row, s.node_id AS stored, t.details->>'nodeId' AS proved
      FROM ${stakerTable.name} s JOIN transaction t ON t.network = s.network AND t.chain = 'p' AND t.tx_hash = s.tx_id`,
  },
  {
    table: stakerTable.name,
    column: 'potential_reward',
    by: 'the estimated reward of its transaction',
    pairs: `SELECT concat_ws(' ', s.network, s.tx_id) AS row, s.potential_reward::text AS stored,
        t.details->>'estimatedReward' AS proved
      FROM ${stakerTable.name} s JOIN transaction t ON t.network = s.network AND t.chain = 'p' AND t.tx_hash = s.tx_id
      WHERE t.details ? 'estimatedReward'`,
  },
  {
    // Neither shows which of the two is wrong: both are named.
    table: 'subnet_metric',
    column: 'value',
    by: `the fees of the day in ${subnetFeeTable.name}`,
    pairs: `SELECT concat_ws(' ', f.network, f.subnet_id, f.day) AS row,
        CASE WHEN m.value = f.fees THEN m.value::text ELSE concat(m.value, ' and ', f.fees, ' in ${subnetFeeTable.name}') END AS stored,
        CASE WHEN m.value = f.fees THEN m.value::text ELSE 'the same number in both' END AS proved
      FROM ${subnetFeeTable.name} f JOIN subnet_metric m USING (network, subnet_id, day) WHERE m.series = 'fees_paid'`,
  },
  {
    // 0 is unknown: the chain may have been stored after its messages.
    table: 'icm_chain',
    column: 'evm_chain_id',
    by: 'the transaction that made the chain, and its network',
    pairs: `SELECT concat_ws(' ', c.network, c.blockchain_id) AS row, c.evm_chain_id::text AS stored, made.id AS proved
      FROM icm_chain c CROSS JOIN LATERAL (
        SELECT t.details->'blockchainInfo'->'genesisData'->'config'->>'chainId' AS id FROM transaction t
        WHERE t.network = c.network AND t.chain = 'p' AND t.tx_type = 'CreateChainTx' AND t.tx_hash = c.blockchain_id
        UNION ALL
        SELECT own.c_evm_chain_id::text FROM ${networkTable.name} own
        WHERE own.network = c.network AND own.c_chain_id = c.blockchain_id) made
      WHERE c.evm_chain_id <> 0 AND made.id ~ '^[1-9][0-9]{0,18}$'`,
  },
  {
    table: pipelineTable.name,
    column: 'last_id',
    by: 'the transactions of its newest block',
    pairs: `SELECT DISTINCT concat_ws(' ', f.network, f.name) AS row, f.last_id AS stored, t.block_hash AS proved
      FROM ${pipelineTable.name} f JOIN transaction t ON t.network = f.network AND t.block_number = f.next_height - 1
        AND t.chain::text = replace(f.name, 'c-atomic', 'c')
      WHERE f.name IN ('p', 'x', 'c-atomic') AND t.block_hash IS NOT NULL`,
  },
];
