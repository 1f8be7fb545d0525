import type { Network, PrimaryChain } from '../../avalanche/networks.js';
import { defineFind } from '../../lists/find.js';
import { defineList } from '../../lists/read.js';
import { utxoRows } from '../utxo/fields.js';
import type { UtxoRow } from '../utxo/row.js';
import type { TransactionQuery } from './arguments.js';
import { transactionRows } from './fields.js';
import type { TransactionRow } from './row.js';

/** What lists of transactions by time have in common. Cursors are row ids. */
export const byTime = {
  position: (alias: string) => [`${alias}.block_timestamp`, `${alias}.tie`, `${alias}.id`],
  cursor: { table: 'transaction', at: (alias: string, id: string) => `${alias}.id = ${id}` },
};

/** The transactions of a chain, newest first. Cursors are row ids. */
export const chainTransactionList = defineList<TransactionQuery, TransactionRow>({
  name: 'transactions',
  values: {
    network: 'network',
    blockchainId: 'primary_chain',
    txType: 'text',
    since: 'numeric',
    until: 'numeric',
  },
  ...transactionRows,
  where: (value) => `t.network = ${value('network')} AND t.chain = ${value('blockchainId')}`,
  filters: {
    txType: { sql: (value) => `t.tx_type = ${value('txType')}` },
    since: { sql: (value) => `t.block_timestamp >= ${value('since')}` },
    until: { sql: (value) => `t.block_timestamp < ${value('until')}` },
  },
  order: {
    name: '',
    direction: 'desc',
    columns: byTime.position('t'),
    position: byTime.position,
  },
  cursor: byTime.cursor,
});

/** Which of a transaction's lists: the outputs that it emitted, or those that it consumed. */
export type TransactionSide = 'output' | 'input';

/** The outputs of a transaction, in its own order. Cursors are row ids of UTXOs. */
function outputsOf(side: TransactionSide) {
  const table = `transaction_${side}`;
  return defineList<{ transactionId: string }, UtxoRow>({
    name: table,
    values: { transactionId: 'bigint' },
    parent: ['transactionId'],
    from: `${table} link`,
    where: (value) => `link.transaction_id = ${value('transactionId')}`,
    order: {
      name: '',
      direction: 'asc',
      columns: ['link.position'],
      position: (alias) => [`${alias}.position`],
    },
    cursor: {
      table,
      at: (alias, id, value) =>
        `${alias}.utxo_row_id = ${id} AND ${alias}.transaction_id = ${value('transactionId')}`,
    },
    columns: utxoRows.columns,
    lookup: { from: utxoRows.from, on: 'u.id = page.utxo', keys: { utxo: 'link.utxo_row_id' } },
  });
}

export const emittedList = outputsOf('output');
export const consumedList = outputsOf('input');

/** What identifies a transaction. */
export interface TransactionKey {
  network: Network;
  chain: PrimaryChain;
  txHash: string;
}

export const findTransactions = defineFind<TransactionKey, TransactionRow>(
  'transactions_by_key',
  transactionRows,
  {
    network: ['network', 't.network'],
    chain: ['primary_chain', 't.chain'],
    txHash: ['text', 't.tx_hash'],
  },
);

interface UtxoRowKey {
  utxoRowId: string;
}

/** The transactions that made outputs: the one that emitted it, else the one that its txHash names. */
export const findCreating = findOfUtxo(
  'creating_transactions',
  `t.id = coalesce(
    (SELECT min(o.transaction_id) FROM transaction_output o WHERE o.utxo_row_id = u.id),
    (SELECT n.id FROM transaction n WHERE n.network = u.network AND n.chain = u.created_on AND n.tx_hash = u.tx_hash))`,
);

/** The transactions that spent outputs. */
export const findConsuming = findOfUtxo(
  'consuming_transactions',
  't.network = u.network AND t.chain = u.consumed_on AND t.tx_hash = u.consuming_tx_hash',
);

interface TransactionRowKey {
  transactionId: string;
}

/** The transactions whose stakes transactions ended. */
export const findStaking = findNamed('staking_transactions', 'stakingTxHash');

/** The transactions that ended the stakes of transactions. */
export const findReward = findNamed('reward_transactions', 'rewardTxHash');

/** Transactions of the same chain that transactions name in their details. */
function findNamed(name: string, member: string) {
  const condition = `t.network = n.network AND t.chain = n.chain AND t.tx_hash = n.details->>'${member}'`;
  const source = { ...transactionRows, from: `transaction n JOIN transaction t ON ${condition}` };
  return defineFind<TransactionRowKey, TransactionRow>(name, source, { transactionId: ['bigint', 'n.id'] });
}

function findOfUtxo(name: string, condition: string) {
  const source = { ...transactionRows, from: `utxo u JOIN transaction t ON ${condition}` };
  return defineFind<UtxoRowKey, TransactionRow>(name, source, { utxoRowId: ['bigint', 'u.id'] });
}
