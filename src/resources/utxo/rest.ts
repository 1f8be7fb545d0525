import { chainName, networks, primaryChains } from '../../avalanche/networks.js';
import type { Network, PrimaryChain } from '../../avalanche/networks.js';
import { objectSchema } from '../../fields/object-schema.js';
import { choice, object, ref, type JsonSchemas } from '../../fields/json-schema.js';
import { connectionLimits } from '../../paging/page-request.js';
import { defineListRoute } from '../../rest/list-route.js';
import { pageArguments, pageSizeArgument } from '../../rest/parameter.js';
import { addressesArguments } from '../address/arguments.js';
import { addressesBody } from '../address/request-body.js';
import { assetSchemas, avaxExample } from '../asset/fields.js';
import { utxoRouteArguments } from './arguments.js';
import { utxoFields } from './fields.js';

const { network, blockchainId, addresses, ...filters } = utxoRouteArguments;

export const utxoSchemas: JsonSchemas = {
  ...assetSchemas,
  Utxo: objectSchema('An output of a transaction on the primary network, spent or not.', utxoFields),
};

export const chainInfoSchemas: JsonSchemas = {
  ChainInfo: object('The chain whose rows are listed.', {
    chainName: choice('Name of the chain.', primaryChains.map(chainName)),
    network: choice('Network of the chain.', networks),
  }),
};

/** The chain as list replies name it. */
export const chainInfo = {
  members: { chainInfo: ref('ChainInfo') },
  textOf: ({ network, blockchainId }: { network: Network; blockchainId: PrimaryChain }) =>
    `,"chainInfo":${JSON.stringify({ chainName: chainName(blockchainId), network })}`,
};

/** As in the sample. */
const example = {
  utxos: [
    {
      utxoId: '2L4HYMTtWaWNXpnpJSxewy4BVq1maNPhKdsL385bZNDhHX7id8',
      txHash: '2qcdrVYyEyWfiZiKrxNEjN4mYpDzHvuucqgrHU8y85ww8Y5giJ',
      outputIndex: 2,
      addresses: ['fuji1rh4rsdwnh5t3eqgnyhzyxw9zpvuxfa5lhw07vm'],
      threshold: 1,
      assetId: avaxExample.assetId,
      amount: '7787465479',
      asset: { ...avaxExample, amount: '7787465479' },
      utxoType: 'TRANSFER',
      staked: false,
      createdOnChainId: '11111111111111111111111111111111LpoYY',
      consumedOnChainId: '11111111111111111111111111111111LpoYY',
      blockNumber: '2836251',
      blockTimestamp: 1793153964,
      platformLocktime: 0,
    },
  ],
  chainInfo: { chainName: 'p-chain', network: 'fuji' },
};

const common = {
  path: '/v1/networks/{network}/blockchains/{blockchainId}/utxos',
  field: 'utxos',
  rows: { name: 'utxos', words: 'UTXOs', schema: 'Utxo', page: 'UtxoPage' },
  schemas: { ...utxoSchemas, ...chainInfoSchemas },
  more: chainInfo,
  example,
};
/** The published largest page of the list by POST, which is for many addresses. */
const LARGEST_PAGE = 1024;

export const utxoRoutes = [
  defineListRoute({
    ...common,
    operation: 'ListUtxos',
    summary: 'List UTXOs',
    description:
      'UTXOs that were created on a chain or can be consumed there, newest first unless sortBy or sortOrder says otherwise. Only unspent ones unless includeSpent is true.',
    parameters: { network, blockchainId, addresses, ...pageArguments, ...filters },
    dataOf: ({ network, addresses }) => ({ network, outputsOf: addresses }),
  }),
  defineListRoute({
    ...common,
    operation: 'ListUtxosOfAddresses',
    summary: 'List UTXOs of many addresses',
    description:
      'The same list with the addresses in the body, so that there may be more of them, and with larger pages.',
    parameters: {
      network,
      blockchainId,
      ...pageArguments,
      pageSize: pageSizeArgument({ max: LARGEST_PAGE, default: connectionLimits.default }),
      ...filters,
    },
    body: { arguments: { addresses: addressesArguments.addresses }, is: addressesBody },
  }),
];
