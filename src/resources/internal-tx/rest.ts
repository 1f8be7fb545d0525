import { objectSchema } from '../../fields/object-schema.js';
import { defineListRoute } from '../../rest/list-route.js';
import { pageArguments } from '../../rest/parameter.js';
import { chainNotIndexed, evmAddressArguments, internalTxListArguments } from './arguments.js';
import { internalTxDescription, internalTxFields, tokenParty } from './fields.js';

/** As in the sample. */
const example = {
  transactions: [
    {
      blockNumber: '62652014',
      blockTimestamp: 1793259229,
      blockHash: '0x6888bbd810bcc09b98a9deec049d95d99097faeb488588dc0790e88d16832c8d',
      txHash: '0x3d5596954645ab51b85b606f1a76dd5eeee8edfc55fb0338e7f7e6345b2e2926',
      from: { address: '0x46744D1FeD52681e9e0Eecd3135836e202528Aa2' },
      to: { address: '0x1A1649d498d5D2F92A2CeF1a2Bdd470Eefd681fa' },
      internalTxType: 'CALLCODE',
      value: '504591857712',
      isReverted: false,
      gasUsed: '469815',
      gasLimit: '692835',
    },
  ],
};

export const internalTxRoutes = [
  defineListRoute({
    operation: 'ListInternalTransactions',
    path: '/v1/chains/{chainId}/addresses/{address}/transactions:listInternals',
    summary: 'List internal transactions',
    description:
      'Internal transactions of an address: frames that sent value from it or to it, or created a contract. Newest block first.',
    parameters: { ...evmAddressArguments, ...internalTxListArguments, ...pageArguments },
    field: 'internalTransactions',
    within: { field: 'evmAddress', takes: ['chainId', 'address'] },
    missing: chainNotIndexed,
    rows: {
      name: 'transactions',
      words: 'internal transactions',
      schema: 'InternalTransaction',
      page: 'InternalTransactionPage',
    },
    schemas: {
      TokenParty: objectSchema(tokenParty.description, tokenParty.fields),
      InternalTransaction: objectSchema(internalTxDescription, internalTxFields),
    },
    example,
  }),
];
