import { readEvmChain } from '../../avalanche/evm.js';
import { graphql } from '../../generated/graphql/gql.js';
import { choiceParameter, networkFilter, pathParameter } from '../../rest/parameter.js';
import { defineRoute } from '../../rest/route.js';
import { chainFeatures } from './row.js';

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

/** An EVM chain in a path. */
export const chainIdParameter = pathParameter<string>({
  description: 'EVM chain id (decimal) or blockchain id (CB58) of one of the chains that /v1/chains lists.',
  schema: { type: 'string' },
  example: '43113',
  read: (name, text) => {
    readEvmChain(name, text);
    return text;
  },
});

export const chainRoutes = [
  defineRoute({
    method: 'GET',
    path: '/v1/chains',
    summary: 'List chains',
    description: 'Every EVM chain that can be asked about, by rising EVM chain id.',
    parameters: {
      network: networkFilter('Only chains of this network; testnet means fuji. Absent: all.'),
      feature: choiceParameter(chainFeatures, null, 'Only chains with this feature. Absent: all.'),
    },
    document: listChains,
    variables: (parameters) => parameters,
    reply: ({ chains }) => `{"chains":${chains.json}}`,
    response: { description: 'The chains.', schema: { $ref: '#/components/schemas/ListChainsResponse' } },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/chains/{chainId}',
    summary: 'Get a chain',
    description: 'One EVM chain.',
    parameters: { chainId: chainIdParameter },
    document: getChain,
    variables: (parameters) => parameters,
    reply: ({ chain }) => chain && chain.json,
    missing: ({ chainId }) => `chain ${chainId} is not held here`,
    response: { description: 'The chain.', schema: { $ref: '#/components/schemas/Chain' } },
  }),
];
