import { list, object, ref, type JsonSchemas } from '../../fields/json-schema.js';
import { graphql } from '../../generated/graphql/gql.js';
import { defineRoute } from '../../rest/route.js';
import { chainExample, chainSchemas } from '../chain/rest.js';
import { addressChainsArguments } from './arguments.js';

const listAddressChains = graphql(`
  query ListAddressChains($address: String!) {
    chainsOfEvmAddress(address: $address) {
      json
    }
  }
`);

const getAddressChains = graphql(`
  query GetAddressChains($address: String!) {
    chainsOfEvmAddress(address: $address) {
      json
    }
  }
`);

const components: JsonSchemas = {
  ...chainSchemas,
  EvmAddressChains: object('The chains of an address.', {
    indexedChains: list('The chains on which something of it is indexed.', ref('Chain')),
    unindexedChains: list('Always empty: others are not known.', { type: 'string' }),
  }),
};

const common = {
  method: 'GET' as const,
  description: 'The EVM chains on which an address is indexed, by ascending EVM chain id.',
  parameters: addressChainsArguments,
  reply: ({ chainsOfEvmAddress: chains }: { chainsOfEvmAddress: readonly { json: string }[] }) =>
    `{"indexedChains":[${chains.map(({ json }) => json).join(',')}],"unindexedChains":[]}`,
  response: {
    description: 'The chains.',
    schema: ref('EvmAddressChains'),
    components,
    example: { indexedChains: [chainExample], unindexedChains: [] },
  },
};

export const addressChainsRoutes = [
  defineRoute({
    ...common,
    path: '/v1/address/{address}/chains',
    summary: 'List chains of an address',
    document: listAddressChains,
  }),
  defineRoute({
    ...common,
    path: '/v1/chains/address/{address}',
    summary: 'Get chains of an address',
    document: getAddressChains,
  }),
];
