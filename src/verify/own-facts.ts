import { withoutChecksum } from '../avalanche/cb58.js';
import { formatAddress } from '../avalanche/address.js';
import { decodeUtxo } from '../avalanche/codec/outputs.js';
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

interface OutputRow {
  readonly key: string;
  readonly network: Network;
  readonly bytes: Buffer;
  readonly columns: Readonly<Record<string, string | null>>;
}

const outputs = `SELECT concat_ws(' ', u.network, u.utxo_id) AS key, u.network::text AS network,
    u.utxo_bytes AS bytes, jsonb_build_object('utxo_id', u.utxo_id, 'tx_hash', u.tx_hash,
      'output_index', u.output_index::text, 'asset_row_id', a.asset_id, 'amount', u.amount::text,
      'addresses', array_to_string(u.addresses, ' '), 'threshold', u.threshold::text,
      'platform_locktime', u.platform_locktime::text, 'stakeable_locktime', u.stakeable_locktime::text,
      'utxo_type', u.utxo_type::text) AS columns
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

function compareOutput({ key, network, bytes, columns }: OutputRow, findings: Findings): void {
  const said = saidBy(network, bytes);
  if (typeof said === 'string') {
    findings.add({ row: key, column: 'utxo_bytes', stored: bytes.toString('hex'), proved: said });
    return;
  }
  for (const [column, value] of Object.entries(said)) {
    const held = columns[column] ?? null;
    // Rows of files may lack what their bytes say.
    if (held !== null && held !== value)
      findings.add({ row: key, column, stored: held, proved: value ?? 'none' });
  }
}

/** What bytes say of the columns of their row, as texts; why they cannot be read, for people. */
function saidBy(network: Network, bytes: Buffer): Record<string, string | null> | string {
  try {
    const { utxoId, txId, outputIndex, assetId, output } = decodeUtxo(withoutChecksum(bytes));
    const { owners, stakeableLocktime } = output;
    return {
      utxo_id: utxoId,
      tx_hash: txId,
      output_index: String(outputIndex),
      asset_row_id: assetId,
      // An NFT's is not in its bytes.
      ...(output.amount > 0n && { amount: String(output.amount) }),
      addresses: owners.addresses.map((address) => formatAddress(network, address)).join(' '),
      threshold: String(owners.threshold),
      platform_locktime: String(owners.locktime),
      stakeable_locktime: stakeableLocktime === null ? null : String(stakeableLocktime),
      utxo_type: stakeableLocktime === null ? 'TRANSFER' : 'STAKE',
    };
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
    // Which of the two is false, neither says: both are named.
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
