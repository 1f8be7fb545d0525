import { timeBounds } from '../../arguments/common.js';
import { choice, is, whole } from '../../fields/field.js';
import { objectSchema } from '../../fields/object-schema.js';
import { ref } from '../../fields/json-schema.js';
import { graphql } from '../../generated/graphql/gql.js';
import type { GetAssetQuery } from '../../generated/graphql/graphql.js';
import { defineListRoute } from '../../rest/list-route.js';
import { boundsOf } from '../../rest/bounds.js';
import { pageArguments } from '../../rest/parameter.js';
import { defineRoute, ofNetwork } from '../../rest/route.js';
import { shapeText, type Member, type Shape } from '../../rest/shape.js';
import { vertexListArguments } from '../vertex/arguments.js';
import { transactionRows } from '../transaction/rest-list.js';
import { assetArguments, assetTransactionArguments } from './arguments.js';
import { assetCaps, assetFields, avaxExample } from './fields.js';

const getAsset = graphql(`
  query GetAsset($network: Network!, $assetId: String!) {
    asset(network: $network, assetId: $assetId) {
      assetId
      name
      symbol
      denomination
      type
      cap
      creatingTransaction {
        blockTimestamp
      }
    }
  }
`);

type Asset = NonNullable<GetAssetQuery['asset']>;

const named = Object.entries(assetFields).map(([name, { kind, description }]): [string, Member<Asset>] => [
  name,
  { kind, description, of: (asset) => asset[name as keyof typeof assetFields] },
]);

const assetShape: Shape<Asset> = {
  ...Object.fromEntries(named),
  createdAtTimestamp: {
    ...is(
      whole,
      'When the block of the transaction that created it was made, Unix seconds; 0 where that is not indexed',
    ),
    of: (asset) => asset.creatingTransaction?.blockTimestamp ?? 0,
  },
  cap: {
    ...is(choice('AssetCap', assetCaps), 'Whether more of it can be minted (variable)'),
    of: (asset) => asset.cap,
  },
};

const components = {
  Asset: objectSchema('An asset of the X-chain.', assetShape),
};

const { network, blockchainId } = vertexListArguments;
/** As in the sample, without outputs. */
const transactionExample = {
  txHash: 'sg1jDHfk76siMdFhJc8NoZHbQcDWov9VSnaP1LqFW44ovy9pv',
  txType: 'BaseTx',
  timestamp: 1793352082,
  memo: '0x',
  chainFormat: 'linear',
  blockHeight: 555883,
  blockHash: '69iypow3DDPW9U6tWbKddrqvsxz2rNfHB5dtEAGWNHRzCMhHi',
  consumedUtxos: [],
  emittedUtxos: [],
  amountUnlocked: [{ ...avaxExample, amount: '1883969147224' }],
  amountCreated: [{ ...avaxExample, amount: '1883968147224' }],
};
const assetExample = { ...avaxExample, createdAtTimestamp: 1761955200, cap: 'fixed' };

const assetId = {
  ...assetArguments.assetId,
  example: avaxExample.assetId,
};

export const assetRoutes = [
  defineListRoute({
    operation: 'ListAssetTransactions',
    path: '/v1/networks/{network}/blockchains/{blockchainId}/assets/{assetId}/transactions',
    summary: 'List transactions of an asset',
    description:
      'The transactions of the X-chain that consumed or emitted an output of an asset, newest first.',
    parameters: {
      network,
      blockchainId,
      assetId,
      txTypes: { ...assetTransactionArguments.txTypes, mayRepeat: true as const },
      ...timeBounds('transactions of blocks made'),
      ...pageArguments,
    },
    given: { passed: ['network', 'assetId'], values: (given) => ({ ...given, ...boundsOf(given) }) },
    dataOf: ofNetwork,
    field: 'assetTransactions',
    ...transactionRows('x-chain', transactionExample),
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/networks/{network}/blockchains/{blockchainId}/assets/{assetId}',
    summary: 'Get an asset',
    description: 'One asset of the X-chain.',
    parameters: { network, blockchainId, assetId },
    document: getAsset,
    reply: ({ asset }) => asset && shapeText(assetShape, asset),
    missing: ({ network, assetId }) => `asset ${assetId} is not indexed for ${network}`,
    dataOf: ofNetwork,
    response: { description: 'The asset.', schema: ref('Asset'), components, example: assetExample },
  }),
];
