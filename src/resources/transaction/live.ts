import type { ArgumentValues } from '../../arguments/argument.js';
import { nodeOfJson } from '../../fields/node.js';
import { defineFind } from '../../lists/find.js';
import type { LiveList } from '../../live/live-list.js';
import { transactionListArguments } from './arguments.js';
import { transactionKey, type TransactionNode } from './fields.js';
import { findTransactions, type TransactionKey } from './list.js';

const { network, blockchainId, addresses, txTypes } = transactionListArguments;

/** The arguments of the stream, among those of the list. */
export const liveArguments = { network, blockchainId, addresses, txTypes };

interface Parties {
  /** Owners of the outputs that it consumed or emitted. */
  parties: string[];
}

const findParties = defineFind<TransactionKey, Parties>(
  'parties_of_transactions',
  {
    from: 'transaction t',
    columns: {
      text: `(SELECT json_build_object('parties', coalesce(json_agg(DISTINCT party.address), '[]'))::text FROM (
        SELECT unnest(u.addresses) AS address FROM transaction_output o JOIN utxo u ON u.id = o.utxo_row_id
        WHERE o.transaction_id = t.id
        UNION ALL
        SELECT unnest(u.addresses) FROM transaction_input i JOIN utxo u ON u.id = i.utxo_row_id
        WHERE i.transaction_id = t.id) party)`,
    },
    toNode: nodeOfJson<Parties>,
  },
  transactionKey,
);

/** Transactions that were stored first. */
export const liveTransactions: LiveList<
  ArgumentValues<typeof liveArguments>,
  TransactionNode & Partial<Parties>
> = {
  name: 'transactions',
  kinds: ['transaction'],
  async read(storage, { network, chain, keys }) {
    if (!network || !chain) return [];
    const wanted = keys.map((txHash): TransactionKey => ({ network, chain, txHash }));
    const [nodes, parties] = await Promise.all([
      findTransactions(storage, wanted),
      findParties(storage, wanted),
    ]);
    return nodes.map((node, index) => node && Object.assign(node, parties[index]));
  },
  matches: {
    network: (value, node) => node.network === value,
    blockchainId: (value, node) => node.chain === value,
    addresses: (value, { parties = [] }) => value.some((address) => parties.includes(address)),
    txTypes: (value, node) => value.includes(node.txType),
  },
  byAddress: { argument: 'addresses', of: ({ parties = [] }) => parties },
};
