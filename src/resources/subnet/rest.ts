import { idArgument } from '../../arguments/common.js';
import { ref } from '../../fields/json-schema.js';
import { graphql } from '../../generated/graphql/gql.js';
import { mappedReply } from '../../rest/mapped-list.js';
import { pageSizeArgument, pageTokenArgument } from '../../rest/parameter.js';
import { page } from '../../rest/reply.js';
import { defineRoute } from '../../rest/route.js';
import { shapeText } from '../../rest/shape.js';
import { transactionListArguments } from '../transaction/arguments.js';
import { subnetExample, subnetSchemas, subnetShape } from './rest-shapes.js';

graphql(`
  fragment ChainRow on Transaction {
    txHash
    blockTimestamp
    blockNumber
    subnetId
    createdEvmChainId
    blockchainInfo {
      chainName
      vmId
    }
  }
`);

graphql(`
  fragment SubnetRow on Subnet {
    subnetId
    owningTransaction {
      subnetOwnershipInfo {
        locktime
        threshold
        addresses
      }
    }
    conversions {
      nodes {
        txHash
        l1ValidatorManagerDetails {
          blockchainId
          contractAddress
        }
      }
    }
    chainCreations {
      nodes {
        ...ChainRow
      }
    }
  }
`);

const listSubnets = graphql(`
  query ListSubnets($network: Network!, $pageSize: Int, $pageToken: String) {
    transactions(network: $network, first: $pageSize, after: $pageToken) {
      nodes {
        blockTimestamp
        blockNumber
        subnet {
          ...SubnetRow
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

const getSubnet = graphql(`
  query GetSubnet($network: Network!, $subnetId: String!) {
    subnet(network: $network, subnetId: $subnetId) {
      ...SubnetRow
      creatingTransaction {
        blockTimestamp
        blockNumber
      }
    }
  }
`);

/** As many as are published. */
const limits = { max: 10_000, default: 10 };
const { network, sortOrder } = transactionListArguments;
export const listed = {
  network,
  pageToken: pageTokenArgument,
  pageSize: pageSizeArgument(limits),
  sortOrder,
};

export const pageResponse = (words: string, name: string, schema: string, example: object) => ({
  description: `A page of ${words}.`,
  schema: ref(`${schema}Page`),
  components: { ...subnetSchemas, [`${schema}Page`]: page(name, ref(schema)) },
  example: { [name]: [example] },
});

export const subnetRoutes = [
  defineRoute({
    method: 'GET',
    path: '/v1/networks/{network}/subnets',
    summary: 'List subnets',
    description:
      'The subnets that transactions created, the newest first unless sortOrder says otherwise. The primary network, which none created, is found by its id.',
    parameters: listed,
    document: listSubnets,
    values: (given) => ({ ...given, blockchainId: 'p', txTypes: ['CreateSubnetTx'] }),
    reply: ({ transactions: { nodes, pageInfo } }) =>
      mappedReply(
        'subnets',
        {
          nodes: nodes.flatMap(({ subnet, ...creation }) => (subnet ? [{ ...subnet, creation }] : [])),
          pageInfo,
        },
        subnetShape,
      ),
    response: pageResponse('subnets', 'subnets', 'Subnet', subnetExample),
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/networks/{network}/subnets/{subnetId}',
    summary: 'Get a subnet',
    description: 'One subnet, or the primary network.',
    parameters: {
      network,
      subnetId: idArgument('Id of the subnet, CB58.', '2uf7QFvZ7w4XToVfKm7o25h17KbdS7RaA6qNuZfokrcYxTpoWh'),
    },
    document: getSubnet,
    reply: ({ subnet }) =>
      subnet && shapeText(subnetShape, { ...subnet, creation: subnet.creatingTransaction ?? null }),
    missing: ({ network, subnetId }) => `subnet ${subnetId} is not indexed for ${network}`,
    response: {
      description: 'The subnet.',
      schema: ref('Subnet'),
      components: subnetSchemas,
      example: subnetExample,
    },
  }),
];
