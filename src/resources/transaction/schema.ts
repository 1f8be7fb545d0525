import type { ArgumentValues } from '../../arguments/argument.js';
import { transactionTypes } from '../../avalanche/chain/transactions.js';
import { sqlOf, sqlOfType } from '../../graphql/sql-source.js';
import type { Builder } from '../../graphql/builder.js';
import { registerConnection } from '../../graphql/connection-type.js';
import { exposeFields } from '../../graphql/fields.js';
import { splitNetworkKey } from '../../graphql/global-id.js';
import { addRowField } from '../../graphql/row-field.js';
import { loadRow } from '../../graphql/row-loader.js';
import { addListField } from '../../graphql/list-field.js';
import { transactionList } from '../history/list.js';
import { chainFields } from '../primary-chain/schema.js';
import { NEWEST_FIRST, transactionArguments, transactionListArguments } from './arguments.js';
import { registerTransactionDetails } from './details-schema.js';
import { transactionDetails } from './details.js';
import { evmChainIdIn } from './genesis.js';
import { registerTransactionEdges } from './edges-schema.js';
import {
  createdEvmChainId,
  namedType,
  transactionFields,
  transactionSource,
  transactionText,
} from './fields.js';
import type { TransactionNode } from './fields.js';
import { consumedList, emittedList, findTransactions } from './list.js';
import { allTypes, type TxType } from './tx-types.js';

declare module '../../graphql/builder.js' {
  interface ObjectTypes {
    Transaction: TransactionNode;
  }
  interface LeafTypes {
    TxType: Leaf<TxType>;
  }
}

export function registerTransaction(builder: Builder): void {
  builder.enumType('TxType', {
    description: 'What a transaction does.',
    values: Object.fromEntries(allTypes.map((name) => [name, { description: transactionTypes[name].does }])),
  });
  registerTransactionDetails(builder);
  builder.node('Transaction', {
    description: 'A transaction of a primary network chain.',
    extensions: sqlOfType(transactionSource),
    id: {
      description: 'Global id, made of the network, the chain and the txHash.',
      resolve: ({ network, chain, txHash }) => `${network}:${chain}:${txHash}`,
    },
    loadOne: (id: string, context) => {
      const parts = splitNetworkKey(id);
      const [chain, txHash] = parts?.key.split(':') ?? [];
      if (!parts || !txHash || (chain !== 'p' && chain !== 'x' && chain !== 'c')) return null;
      return loadRow(context, findTransactions, { network: parts.network, chain, txHash });
    },
    fields: (t) => ({
      ...chainFields(t, {
        description: 'its chain',
        chainOf: ({ chain }) => chain,
        sql: { network: 't.network', chain: 't.chain' },
      }),
      ...exposeFields(t, transactionFields),
      ...exposeFields(t, transactionDetails, 't.details'),
      chainTxType: t.string({
        nullable: true,
        description:
          'The type as the chain names it, such as AddAutoRenewedValidatorTx: the same as txType, except where that is UNKNOWN. Null where the type was imported as UNKNOWN.',
        extensions: sqlOf({ value: { form: 'plain', sql: namedType } }),
        resolve: (transaction) => transaction.chainTxType,
      }),
      createdEvmChainId: t.field({
        type: 'Long',
        nullable: true,
        description:
          'EVM chain id in the genesis of the blockchain that a CreateChainTx made; null for other transactions and other kinds of chains, and where unknown.',
        extensions: sqlOf({ value: { form: 'number', sql: createdEvmChainId } }),
        resolve: ({ blockchainInfo }) => evmChainIdIn(blockchainInfo?.genesisData),
      }),
      json: t.field({
        type: 'JsonText',
        description: 'The row as JSON text.',
        extensions: sqlOf({ value: { form: 'json', sql: transactionText } }),
        resolve: (transaction) => transaction.text,
      }),
    }),
  });
  registerConnection(builder, 'Transaction', 'transactions');
  for (const [name, { list, description }] of Object.entries(utxoLists)) {
    addListField(builder, 'Transaction', name, {
      type: 'UtxoConnection',
      description,
      list,
      of: { transactionId: ({ rowId }) => rowId },
      key: ({ network, chain, txHash }) => ({ network, chain, txHash }),
    });
  }
  registerTransactionEdges(builder);
  addRowField(builder, 'Query', 'transaction', {
    type: 'Transaction',
    description: 'One transaction by its hash; null when it is not indexed.',
    find: findTransactions,
    arguments: transactionArguments,
    keyOf,
  });

  addListField(builder, 'Query', 'transactions', {
    type: 'TransactionConnection',
    description: `Transactions of a chain, or of addresses on one or all chains, ${NEWEST_FIRST}; oldest first with sortOrder: asc.`,
    list: transactionList,
    arguments: transactionListArguments,
  });
}

const utxoLists = {
  consumedUtxos: {
    list: consumedList,
    description: 'The outputs that the transaction spent, in its own order.',
  },
  emittedUtxos: {
    list: emittedList,
    description:
      'The outputs that the transaction created, in its own order. A RewardValidatorTx returns outputs whose txHash names the staking transaction.',
  },
};

const keyOf = ({ network, blockchainId, txHash }: ArgumentValues<typeof transactionArguments>) => ({
  network,
  chain: blockchainId,
  txHash,
});
