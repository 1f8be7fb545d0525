import type { Batch } from '../../storage/session.js';
import type { RowKind } from '../../write/kind.js';
import type { FileKind } from '../../ingest/kind.js';
import { primaryScope } from '../../ingest/scope.js';
import type { PrimaryScope } from '../../write/scope.js';
import { writeHistories } from '../history/write.js';
import { namedL1Validators, writePlaces } from '../l1-validator/write.js';
import { writeReferences } from '../reference/write.js';
import { namedSubnets } from '../subnet/write.js';
import { utxoTables, utxoTablesIndexedLate, writeUtxos } from '../utxo/write.js';
import { endingStakes, namedValidators } from '../validator/write.js';
import { formerSubnetValidators, writeSubnetValidators } from '../validator/import-subnets.js';
import { writeLinks } from './import-links.js';
import { readTransaction, type ImportTransaction } from './import-row.js';
import { mergeTransaction, writeTransactions } from './write.js';
import type { TransactionSide } from './list.js';

const referenceTables = [
  ...['subnet_transaction', 'validator_transaction', 'l1_validator_transaction'],
  'subnet_validator',
] as const;

/** Transactions of one chain, with the outputs that they consumed and emitted. */
export const transactionRows: RowKind<ImportTransaction, PrimaryScope> = {
  tables: ['transaction', 'transaction_output', 'transaction_input', ...referenceTables, ...utxoTables],
  indexedLate: ['address_transaction', ...utxoTablesIndexedLate],
  lock: ({ network }) => network,
  read: readTransaction,

  async write(client, scope, rows) {
    const utxos = await writeUtxos(
      client,
      scope,
      rows.flatMap(({ outputs, inputs }) => [...outputs, ...inputs]),
      rows.flatMap(({ assets }) => assets),
    );
    const transactions = mergeRows(rows);
    const { ids, changed } = await writeTransactions(client, scope, transactions);
    const relinked = [
      await linkSide(client, 'output', transactions, ids, utxos.ids),
      await linkSide(client, 'input', transactions, ids, utxos.ids),
    ];
    const own = transactions.filter(
      ({ txHash }) => changed.has(txHash) || relinked.some((side) => side.has(ids.get(txHash) as string)),
    );
    const ownIds = own.map(({ txHash }) => ids.get(txHash) as string);
    await writeHistories(client, scope.network, ownIds);
    if (scope.chain === 'p' && ownIds.length > 0) {
      const former = await formerSubnetValidators(client, ownIds);
      await writeReferences(client, namedSubnets, ownIds);
      const l1Validators = await writeReferences(client, namedL1Validators, ownIds);
      await writeReferences(client, namedValidators, [...ownIds, ...(await endingStakes(client, ownIds))]);
      await writePlaces(client, l1Validators);
      await writeSubnetValidators(client, ownIds, former);
    }
    const isWritten = new Set(own);
    const written = transactions.filter(
      (transaction) =>
        isWritten.has(transaction) ||
        [...transaction.outputs, ...transaction.inputs].some(({ record }) =>
          utxos.changed.has(record.utxo_id),
        ),
    ).length;
    return { written, unchanged: rows.length - written };
  },
};

/** Files of transactions of one chain, with the outputs that they consumed and emitted. */
export const transactionImport: FileKind<ImportTransaction, PrimaryScope> = {
  name: 'transactions',
  file: /^(?<network>[a-z]+)\.(?<chain>[pxc])-chain\.transactions(?:\.|$)/,
  example: 'mainnet.p-chain.transactions.ndjson',
  scope: primaryScope,
  rows: transactionRows,
};

function mergeRows(rows: readonly ImportTransaction[]): ImportTransaction[] {
  const merged = new Map<string, ImportTransaction>();
  for (const row of rows) {
    const earlier = merged.get(row.txHash);
    merged.set(row.txHash, earlier ? mergePair(earlier, row) : row);
  }
  return [...merged.values()];
}

function mergePair(earlier: ImportTransaction, row: ImportTransaction): ImportTransaction {
  const outputs = row.outputs.length > 0 ? row.outputs : earlier.outputs;
  const inputs = row.inputs.length > 0 ? row.inputs : earlier.inputs;
  return { ...row, ...mergeTransaction(earlier, row), outputs, inputs };
}

function linkSide(
  client: Batch,
  side: TransactionSide,
  transactions: readonly ImportTransaction[],
  ids: ReadonlyMap<string, string>,
  utxoIds: ReadonlyMap<string, string>,
): Promise<Set<string>> {
  const links = transactions
    // A row without outputs may not know them: it removes none.
    .filter((transaction) => transaction[`${side}s`].length > 0)
    .map((transaction) => ({
      transactionId: ids.get(transaction.txHash) as string,
      utxoIds: transaction[`${side}s`].map(({ record }) => utxoIds.get(record.utxo_id) as string),
    }));
  return writeLinks(client, side, links);
}
