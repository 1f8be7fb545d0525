import { timeBounds } from '../../arguments/common.js';
import type { PrimaryChain } from '../../avalanche/networks.js';
import { is, object as objectKind, evmAddress } from '../../fields/field.js';
import { list, object, ref, type JsonSchema, type JsonSchemas } from '../../fields/json-schema.js';
import { objectSchema } from '../../fields/object-schema.js';
import { graphql } from '../../generated/graphql/gql.js';
import { defineListRoute } from '../../rest/list-route.js';
import { boundsOf } from '../../rest/bounds.js';
import { pageArguments } from '../../rest/parameter.js';
import { ofNetwork } from '../../rest/route.js';
import { chainInfo, chainInfoSchemas, utxoSchemas } from '../utxo/rest.js';
import { transactionArguments, transactionListArguments } from './arguments.js';
import { transactionExample, transactionSchemas } from './rest.js';
import { cTransactionShape, listedText, vertexShape, xTransactionShape } from './rest-shapes.js';
import type { ListedTransaction } from './rest-shapes.js';
import { xUtxoShape } from './rest-utxo.js';

const rowWithOutputs = graphql(`
  fragment TransactionWithOutputs on Transaction {
    json
    consumedUtxos {
      json
    }
    emittedUtxos {
      json
    }
  }
`);

const transactionRow = graphql(`
  fragment TransactionRow on Transaction {
    json
    consumedUtxos {
      json
    }
    emittedUtxos {
      json
    }
    vertices {
      nodes {
        vertexHash
        vertexHeight
        vertexTimestamp
      }
    }
  }
`);

const { network, blockchainId } = transactionArguments;
const { addresses, l1ValidationId, sortOrder } = transactionListArguments;
const txTypes = { ...transactionListArguments.txTypes, mayRepeat: true as const };
const parameters = {
  network,
  blockchainId,
  addresses,
  l1ValidationId,
  txTypes,
  ...timeBounds('transactions of blocks made'),
  ...pageArguments,
  sortOrder,
};

const propertiesOf = (schema: JsonSchema | undefined) => (schema?.['properties'] ?? {}) as JsonSchemas;
const account = (name: string, more: JsonSchemas = {}) =>
  objectSchema(
    'What an EVM account gave or got.',
    {
      [name]: is(evmAddress, 'The account, hex with 0x'),
      asset: is(objectKind('AssetAmount'), 'The asset and the amount of it'),
    },
    more,
  );

/**
 * Rows have the form of their chain: one schema with the members of all, because generators of clients
 * support no alternatives.
 */
const listedSchemas: JsonSchemas = {
  ...utxoSchemas,
  ...chainInfoSchemas,
  ...transactionSchemas,
  TransactionVertex: objectSchema('A vertex that contains a transaction.', vertexShape),
  EvmInput: account('fromAddress', {
    credentials: list('Always empty: signatures are not stored.', object('A signature.', {})),
  }),
  EvmOutput: account('toAddress'),
  ListedUtxo: object(
    'An output: with the members of the chain that is listed.',
    {},
    {
      ...propertiesOf(utxoSchemas['Utxo']),
      ...propertiesOf(objectSchema('', xUtxoShape)),
      outputIndex: {
        description:
          'Position among the outputs of its transaction, from 0: a number on the P-chain, its digits on the others.',
      },
    },
  ),
  ListedTransaction: object(
    'A transaction: with the members of the chain that is listed.',
    { txHash: memberOf('txHash'), txType: memberOf('txType') },
    {
      ...propertiesOf(objectSchema('', xTransactionShape)),
      ...propertiesOf(objectSchema('', cTransactionShape)),
      // Later, because its block may be unknown.
      ...propertiesOf(transactionSchemas['Transaction']),
      // One transaction has other members of these names, and no list of the P-chain has any.
      ...Object.fromEntries(
        Object.entries(propertiesOf(objectSchema('', cTransactionShape))).filter(([name]) =>
          /^evm/.test(name),
        ),
      ),
      consumedUtxos: list('The outputs that the transaction spent.', ref('ListedUtxo')),
      emittedUtxos: list('The outputs that the transaction created.', ref('ListedUtxo')),
    },
  ),
};

function memberOf(name: string): JsonSchema {
  return propertiesOf(transactionSchemas['Transaction'])[name] ?? {};
}

/** What routes that list transactions share. @param chainName as chainInfo of the example has it */
export const transactionRows = (chainName: string, example: object = transactionExample) => ({
  nodes: {
    fragment: transactionRow,
    // Only the X-chain has vertices.
    less: {
      fragment: rowWithOutputs,
      isFor: ({ blockchainId }: { readonly blockchainId: PrimaryChain }) => blockchainId !== 'x',
    },
    textOf: (
      nodes: readonly ListedTransaction[],
      { blockchainId }: { readonly blockchainId: PrimaryChain },
    ) => `[${nodes.map((each) => listedText(each, blockchainId)).join(',')}]`,
  },
  rows: { name: 'transactions', words: 'transactions', schema: 'ListedTransaction', page: 'TransactionPage' },
  schemas: listedSchemas,
  more: chainInfo,
  example: { transactions: [example], chainInfo: { chainName, network: 'fuji' } },
});

export const transactionListRoutes = [
  defineListRoute({
    operation: 'ListTransactions',
    path: '/v1/networks/{network}/blockchains/{blockchainId}/transactions',
    summary: 'List transactions',
    description:
      'Transactions of a chain, newest first unless sortOrder says otherwise: all of them, those of addresses, or those that changed an L1 validator.',
    parameters,
    given: {
      passed: ['network', 'blockchainId'],
      values: (given) => ({ ...given, ...boundsOf(given) }),
    },
    dataOf: ofNetwork,
    field: 'transactions',
    ...transactionRows('p-chain'),
  }),
];
