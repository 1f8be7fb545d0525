import { chainName } from '../../avalanche/networks.js';
import type { LedgerRows, NewestRow, Resource } from '../../resource.js';
import { primaryNetworkTag } from '../utxo/resource.js';
import { transactionExport } from './export.js';
import { transactionDerivation } from './import-days.js';
import { transactionImport } from './import.js';
import { transactionRoutes } from './rest.js';
import { transactionListRoutes } from './rest-list.js';

/** What the first screen shows of transactions. */
const countedTransactions: LedgerRows = {
  label: 'Transactions',
  source: () =>
    Promise.resolve(
      ({ network, chain }) => `transaction WHERE network = '${network}' AND chain = '${chain}'`,
    ),
  newest: (query) =>
    query<NewestRow>(`
      SELECT ledger.network::text AS network, ledger.chain::text AS chain,
        newest.block_number::text AS block, newest.block_timestamp::text AS time
      FROM (SELECT network, chain FROM unnest(enum_range(NULL::network)) network
            CROSS JOIN unnest(enum_range(NULL::primary_chain)) chain) ledger
      CROSS JOIN LATERAL (
        SELECT t.block_number, t.block_timestamp FROM transaction t
        WHERE t.network = ledger.network AND t.chain = ledger.chain
        ORDER BY t.block_timestamp DESC, t.tie DESC, t.id DESC LIMIT 1) newest`),
  request: ({ network, chain }) => ({
    title: 'Its newest transactions and what they emitted (GraphQL)',
    query: `{ transactions(network: ${network}, blockchainId: "${chainName(chain)}", first: 2) { nodes { txHash txType blockTimestamp emittedUtxos { nodes { utxoId amount } } } } }`,
  }),
};

export const transaction: Resource = {
  rest: { tag: primaryNetworkTag, routes: [...transactionListRoutes, ...transactionRoutes] },
  files: [transactionImport],
  exports: [transactionExport],
  derivation: transactionDerivation,
  pagedTable: 'transaction',
  countedByLedger: countedTransactions,
};
