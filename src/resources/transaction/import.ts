import type { Batch } from '../../storage/session.js';
import { namesOf } from '../../write/derived/table.js';
import { firstOfChain, firstOfNetwork } from '../../write/feed.js';
import type { RowKind } from '../../write/kind.js';
import type { FileKind } from '../../ingest/kind.js';
import { primaryScope } from '../../ingest/scope.js';
import type { PrimaryScope } from '../../write/scope.js';
import { writeAssetTransactions } from '../asset/import-transactions.js';
import { correctBlocks, writeBlocksOf } from '../block/write.js';
import { activeAddresses } from '../history/import-activity.js';
import { writeHistories } from '../history/write.js';
import { namedL1Validators, writeCurrent } from '../l1-validator/write.js';
import { writeReferences } from '../reference/write.js';
import { rewardedAddresses } from '../reward/write.js';
import { namedSubnets } from '../subnet/write.js';
import { utxoTables, utxoTablesIndexedLate, writeUtxos } from '../utxo/write.js';
import { endingStakes, namedValidators } from '../validator/write.js';
import { formerSubnetValidators, writeSubnetValidators } from '../validator/import-subnets.js';
import { derivedFromTransactions } from './import-days.js';
import { writeLinks } from './import-links.js';
import { leastTransaction, readTransaction, type ImportTransaction } from './import-row.js';
import { mergeTransaction, writeTransactions, type WrittenTransactions } from './write.js';
import type { TransactionSide } from './list.js';

const referenceTables = [
  'subnet_transaction',
  'validator_transaction',
  'l1_validator_transaction',
  'subnet_validator',
  'reward_transaction',
  'asset_transaction',
] as const;

/** Transactions of one chain, with the outputs that they consumed and emitted. */
export const transactionRows: RowKind<ImportTransaction, PrimaryScope> = {
  tables: [
    'transaction',
    'transaction_output',
    'transaction_input',
    ...referenceTables,
    'block',
    ...namesOf(derivedFromTransactions),
    ...utxoTables,
  ],
  indexedLate: ['address_transaction', 'asset_transaction', 'block', ...utxoTablesIndexedLate],
  computedLate: [activeAddresses],
  lock: ({ network }) => network,
  read: readTransaction,

  async write(client, scope, rows) {
    const transactions = mergeRows(rows);
    const [utxos, { ids, known, changed, formerBlocks }, blocks] = await Promise.all([
      writeUtxos(
        client,
        scope,
        rows.flatMap(({ outputs, inputs }) => [...outputs, ...inputs]),
        rows.flatMap(({ assets }) => assets),
      ),
      writeTransactions(client, scope, transactions),
      writeBlocksOf(client, scope, transactions),
    ]);
    const relinked = await Promise.all([
      linkSide(client, 'output', transactions, { ids, known }, utxos.ids),
      linkSide(client, 'input', transactions, { ids, known }, utxos.ids),
    ]);
    await correctBlocks(client, scope, formerBlocks);
    const idOf = ({ txHash }: ImportTransaction) => ids.get(txHash) as string;
    const own = transactions.filter(
      (each) => changed.has(each.txHash) || relinked.some((side) => side.has(idOf(each))),
    );
    const all = own.map(idOf);
    const rewritten = own.filter(({ txHash }) => known.has(txHash)).map(idOf);
    await Promise.all([
      writeHistories(client, scope.network, { all, rewritten: rewritten.length > 0 }),
      scope.chain === 'p' && writePlatformReferences(client, { all, rewritten }),
      scope.chain === 'x' && writeAssetTransactions(client, scope.network, all),
    ]);
    const isWritten = new Set(own);
    const written = transactions.filter(
      (transaction) =>
        isWritten.has(transaction) ||
        [...transaction.outputs, ...transaction.inputs].some(({ record }) =>
          utxos.changed.has(record.utxo_id),
        ),
    ).length;
    const added = transactions.flatMap(({ txHash }) => (known.has(txHash) ? [] : [txHash]));
    const first = [
      firstOfChain('transaction', scope, added),
      ...utxos.first,
      blocks.first,
      firstOfNetwork('chain_status', scope.network, added.length > 0 ? [scope.chain] : []),
    ];
    return { written, unchanged: rows.length - written, first };
  },

  least: leastTransaction,
};

/**
 * Makes what transactions of the P-chain name agree with them: subnets, validators, L1 validators, and who is
 * paid a reward.
 *
 * @param all row ids of them
 * @param rewritten row ids of those that were stored before, which may have named others
 */
export async function writePlatformReferences(
  client: Batch,
  { all, rewritten }: Record<'all' | 'rewritten', readonly string[]>,
): Promise<void> {
  if (all.length === 0) return;
  const [former, , , l1Validators] = await Promise.all([
    formerSubnetValidators(client, rewritten),
    // Before the others, which replace what was named.
    endingStakes(client, all).then((stakes) => {
      // In this order: who is paid is stored with the node.
      const named = [...all, ...stakes];
      return Promise.all([
        writeReferences(client, namedValidators, named),
        writeReferences(client, rewardedAddresses, named),
      ]);
    }),
    writeReferences(client, namedSubnets, all),
    writeReferences(client, namedL1Validators, all),
  ]);
  await Promise.all([writeCurrent(client, l1Validators), writeSubnetValidators(client, all, former)]);
}

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
  { ids, known }: Pick<WrittenTransactions, 'ids' | 'known'>,
  utxoIds: ReadonlyMap<string, string>,
): Promise<Set<string>> {
  const links = transactions
    // A row without outputs may not know them: it removes none.
    .filter((transaction) => transaction[`${side}s`].length > 0)
    .map((transaction) => ({
      transactionId: ids.get(transaction.txHash) as string,
      isStored: known.has(transaction.txHash),
      utxoIds: transaction[`${side}s`].map(({ record }) => utxoIds.get(record.utxo_id) as string),
    }));
  return writeLinks(client, side, links);
}
