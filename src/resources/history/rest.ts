import { chainName, networks, primaryChains } from '../../avalanche/networks.js';
import type { Network, PrimaryChain } from '../../avalanche/networks.js';
import { choice, ref } from '../../fields/json-schema.js';
import { objectSchema } from '../../fields/object-schema.js';
import { graphql } from '../../generated/graphql/gql.js';
import { renamed } from '../../rest/renamed.js';
import { defineRoute } from '../../rest/route.js';
import { chainAddressesArguments } from '../address/arguments.js';
import { addressesBody } from '../address/request-body.js';
import { activityFields } from './fields.js';

const getLastActivity = graphql(`
  query GetLastActivity($network: Network!, $blockchainId: String!, $addresses: [String!]!) {
    lastActivity(network: $network, blockchainId: $blockchainId, addresses: $addresses) {
      json
    }
  }
`);

interface OfChain {
  network: Network;
  blockchainId: PrimaryChain;
}

const common = {
  path: '/v1/networks/{network}/blockchains/{blockchainId}/lastActivityTimestampByAddresses',
  reply: (
    { lastActivity }: { lastActivity?: { json: string } | null },
    { network, blockchainId }: OfChain,
  ) => {
    const chain = JSON.stringify({ chainName: chainName(blockchainId), network });
    return lastActivity ? `${lastActivity.json.slice(0, -1)},${chain.slice(1)}` : null;
  },
  missing: ({ network, blockchainId }: OfChain) =>
    `no transaction with outputs of these addresses is indexed for ${chainName(blockchainId)} of ${network}`,
  response: {
    description: 'The newest activity.',
    schema: ref('LastActivity'),
    components: {
      LastActivity: objectSchema(
        'The newest thing that a transaction of a chain did to outputs of addresses.',
        activityFields,
        {
          chainName: choice('Name of the chain.', primaryChains.map(chainName)),
          network: choice('Network of the chain.', networks),
        },
      ),
    },
    // As in the sample.
    example: {
      timestamp: 1793153964,
      blockNumber: '2836251',
      txHash: '2qcdrVYyEyWfiZiKrxNEjN4mYpDzHvuucqgrHU8y85ww8Y5giJ',
      utxoId: '2L4HYMTtWaWNXpnpJSxewy4BVq1maNPhKdsL385bZNDhHX7id8',
      isConsumed: false,
      chainName: 'p-chain',
      network: 'fuji',
    },
  },
};
const { network, blockchainId, addresses } = chainAddressesArguments;

export const historyRoutes = [
  defineRoute({
    ...common,
    method: 'GET',
    summary: 'Get last activity',
    description: 'When outputs of addresses were last created or consumed on a chain.',
    parameters: { network, blockchainId, addresses },
    document: getLastActivity,
  }),
  defineRoute({
    ...common,
    method: 'POST',
    summary: 'Get last activity of many addresses',
    description: 'The same with the addresses in the body, so that there may be more of them.',
    parameters: { network, blockchainId },
    body: addressesBody,
    document: renamed(getLastActivity, 'GetLastActivityOfAddresses'),
  }),
];
