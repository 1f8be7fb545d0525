import { objectSchema } from '../../fields/object-schema.js';
import { list, object, ref, type JsonSchemas } from '../../fields/json-schema.js';
import { graphql } from '../../generated/graphql/gql.js';
import { defineRoute } from '../../rest/route.js';
import { chainArguments, chainListArguments } from './arguments.js';
import { networkTokenFields } from './columns.js';
import { chainFields } from './fields.js';

const listChains = graphql(`
  query ListChains($network: Network, $feature: ChainFeature) {
    chains(network: $network, feature: $feature) {
      json
    }
  }
`);

const getChain = graphql(`
  query GetChain($chainId: String!) {
    chain(chainId: $chainId) {
      json
    }
  }
`);

/** As in the sample. */
export const chainExample = {
  chainId: '43113',
  status: 'OK',
  chainName: 'Avalanche C-Chain (Fuji)',
  description: 'The chain of the Fuji test network that runs contracts.',
  platformChainId: 'yH8D7ThNJkxmtkuv2jgBa4P1Rn3Qpr4pPr7QYNfcdoS6k6HWp',
  subnetId: '11111111111111111111111111111111LpoYY',
  vmId: 'mgj786NP7uDwBCcq6YwThhaN8FLyybkCa4zBWTQbNgmK6k9A6',
  vmName: 'EVM',
  rpcUrl: 'https://c-chain-fuji.example/rpc',
  isTestnet: true,
  networkToken: { name: 'Avalanche', symbol: 'AVAX', decimals: 18 },
  enabledFeatures: ['nftIndexing', 'webhooks', 'teleporter'],
};

export const chainSchemas: JsonSchemas = {
  NetworkToken: objectSchema('The token in which a chain charges gas.', networkTokenFields),
  Chain: objectSchema('An EVM chain.', chainFields),
};

export const chainRoutes = [
  defineRoute({
    method: 'GET',
    path: '/v1/chains',
    summary: 'List chains',
    description: 'Every indexed EVM chain, by ascending EVM chain id.',
    parameters: chainListArguments,
    document: listChains,
    reply: ({ chains }) => `{"chains":${chains.json}}`,
    response: {
      description: 'The chains.',
      schema: ref('ChainList'),
      components: {
        ...chainSchemas,
        ChainList: object('All chains.', { chains: list('The chains.', ref('Chain')) }),
      },
      example: { chains: [chainExample] },
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/chains/{chainId}',
    summary: 'Get a chain',
    description: 'One EVM chain.',
    parameters: chainArguments,
    document: getChain,
    reply: ({ chain }) => chain && chain.json,
    missing: (_values, { chainId }) => `chain ${chainId} is not indexed here`,
    response: {
      description: 'The chain.',
      schema: ref('Chain'),
      components: chainSchemas,
      example: chainExample,
    },
  }),
];
