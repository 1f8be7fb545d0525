import { readId, readPrimaryChain } from '../../avalanche/input.js';
import { parseNetwork, type Network, type PrimaryChain } from '../../avalanche/networks.js';
import { checkBoth, Problems } from '../../errors.js';
import type { Builder, Leaf } from '../../graphql/builder.js';
import { splitNetworkKey } from '../../graphql/global-id.js';
import { registerConnection } from '../../graphql/connection-type.js';
import { readConnection, type ConnectionSource } from '../../graphql/connection.js';
import type { Context } from '../../graphql/context.js';
import { countList } from '../../graphql/counting.js';
import { connectionLimits, parsePageArguments, type PageArguments } from '../../paging/page-request.js';
import { digestQuery } from '../../paging/token.js';
import { toUtxoNode } from '../utxo/row.js';
import { registerTransactionDetails, type TransactionDetailObjects } from './details-schema.js';
import {
  inputCounter,
  inputPageLoader,
  outputCounter,
  outputPageLoader,
  transactionLoader,
} from './loaders.js';
import { toTransactionNode, type TransactionNode } from './row.js';
import {
  countTransactions,
  listTransactions,
  transactionExists,
  transactionUtxoExists,
  type TransactionSide,
} from './store.js';
import { txTypes, type TxType } from './tx-types.js';

export interface TransactionObjects extends TransactionDetailObjects {
  Transaction: TransactionNode;
  TransactionConnection: ConnectionSource;
}

export type TransactionEnums = {
  TxType: Leaf<TxType>;
};

/** Registers the type Transaction and the query fields transaction and transactions. */
export function registerTransaction(builder: Builder): void {
  builder.enumType('TxType', {
    description: 'What a transaction does.',
    values: Object.fromEntries(Object.entries(txTypes).map(([name, description]) => [name, { description }])),
  });
  registerTransactionDetails(builder);
  registerType(builder);
  registerConnection(builder, 'Transaction', 'transactions');
  registerUtxoLists(builder);
  registerQueries(builder);
}

function registerType(builder: Builder): void {
  builder.node('Transaction', {
    description: 'A transaction of a primary network chain.',
    id: {
      description: 'Global id, made of the network, the chain and the txHash.',
      resolve: ({ network, chain, txHash }) => `${network}:${chain}:${txHash}`,
    },
    loadOne: (id: string, context) => {
      const parts = splitNetworkKey(id);
      const [chain, txHash] = parts?.key.split(':') ?? [];
      if (!parts || !txHash || (chain !== 'p' && chain !== 'x' && chain !== 'c')) return null;
      return transactionLoader(context).load({ network: parts.network, chain, txHash });
    },
    fields: (t) => ({
      txHash: t.exposeString('txHash', { description: 'Hash of the transaction, CB58.' }),
      txType: t.field({
        type: 'TxType',
        description: 'What the transaction does.',
        resolve: (transaction) => transaction.txType,
      }),
      blockTimestamp: t.expose('blockTimestamp', {
        type: 'Long',
        description: 'When its block was made, Unix seconds.',
      }),
      blockNumber: t.expose('blockNumber', {
        type: 'BigNumber',
        nullable: true,
        description: 'Number of its block; null where unknown, as before the X-chain had blocks.',
      }),
      blockHash: t.exposeString('blockHash', {
        nullable: true,
        description: 'Hash of its block, CB58; null where unknown, as before the X-chain had blocks.',
      }),
      json: t.field({
        type: 'JsonText',
        description: 'The row as JSON text.',
        resolve: (transaction) => transaction.text,
      }),
    }),
  });
}

const utxoLists = {
  consumedUtxos: { side: 'input', description: 'The outputs that the transaction spent, in its own order.' },
  emittedUtxos: {
    side: 'output',
    description:
      'The outputs that the transaction made, in its own order. A RewardValidatorTx returns outputs whose txHash names the staking transaction.',
  },
} as const;

function registerUtxoLists(builder: Builder): void {
  for (const [name, { side, description }] of Object.entries(utxoLists)) {
    builder.objectField('Transaction', name, (t) =>
      t.field({
        type: 'UtxoConnection',
        description,
        args: t.arg.connectionArgs(),
        resolve: (transaction, args, context) => utxoConnection(transaction, side, args, context),
      }),
    );
  }
}

function utxoConnection(
  transaction: TransactionNode,
  side: TransactionSide,
  args: PageArguments,
  context: Context,
) {
  const { network, chain, txHash, rowId } = transaction;
  const pages = side === 'output' ? outputPageLoader(context) : inputPageLoader(context);
  return readConnection({
    tokens: context.tokens,
    query: digestQuery(`transaction.${side}s`, [network, chain, txHash]),
    request: parsePageArguments(args, connectionLimits, context.trusted),
    read: (request) => pages.load({ transactionId: rowId, request }),
    exists: (id) => transactionUtxoExists(context.storage, side, rowId, id),
    count: () => (side === 'output' ? outputCounter(context) : inputCounter(context))(rowId),
    toNode: toUtxoNode,
  });
}

function registerQueries(builder: Builder): void {
  const blockchainId = 'p-chain, x-chain or c-chain, or the id of that blockchain on the network.';

  builder.queryField('transaction', (t) =>
    t.field({
      type: 'Transaction',
      nullable: true,
      description: 'One transaction by its hash; null when it is not held.',
      args: {
        network: t.arg({ type: 'Network', required: true, description: 'Network of the chain.' }),
        blockchainId: t.arg.string({ required: true, description: blockchainId }),
        txHash: t.arg.string({ required: true, description: 'Hash of the transaction, CB58.' }),
      },
      resolve: (_root, args, context) => {
        const { network, chain } = resolveChain(args, (problems) =>
          problems.check(() => readId('txHash', args.txHash)),
        );
        return transactionLoader(context).load({ network, chain, txHash: args.txHash });
      },
    }),
  );

  builder.queryField('transactions', (t) =>
    t.field({
      type: 'TransactionConnection',
      description: 'Transactions of a chain, newest first by block timestamp, ties by txHash.',
      args: {
        network: t.arg({ type: 'Network', required: true, description: 'Network of the chain.' }),
        blockchainId: t.arg.string({ required: true, description: blockchainId }),
        txType: t.arg({ type: 'TxType', description: 'Only this type. Not given: all.' }),
        ...t.arg.connectionArgs(),
      },
      resolve: (_root, args, context) => {
        const { storage, tokens } = context;
        const [chain, request] = checkBoth(
          () => resolveChain(args),
          () => parsePageArguments(args, connectionLimits),
        );
        const query = { ...chain, txType: args.txType ?? null };
        return readConnection({
          tokens,
          query: digestQuery('transactions', [query.network, query.chain, query.txType]),
          request,
          read: (request) => listTransactions(storage, query, request),
          exists: (id) => transactionExists(storage, id),
          count: () => countList(context, (most) => countTransactions(storage, query, most)),
          toNode: toTransactionNode,
        });
      },
    }),
  );
}

function resolveChain(
  args: { network: string; blockchainId: string },
  check?: (problems: Problems) => void,
): { network: Network; chain: PrimaryChain } {
  const network = parseNetwork(args.network) as Network;
  const problems = new Problems();
  const chain = problems.check(() => readPrimaryChain('blockchainId', network, args.blockchainId));
  check?.(problems);
  problems.throwIfAny();
  return { network, chain: chain as PrimaryChain };
}
