import type { ArgumentValues } from '../../arguments/argument.js';
import { idArgument } from '../../arguments/common.js';
import { ref } from '../../fields/json-schema.js';
import { graphql } from '../../generated/graphql/gql.js';
import { defineListRoute } from '../../rest/list-route.js';
import { pageSizeArgument, pageTokenArgument } from '../../rest/parameter.js';
import { defineRoute } from '../../rest/route.js';
import { shapesText, shapeText } from '../../rest/shape.js';
import { transactionListArguments } from '../transaction/arguments.js';
import { subnetExample, subnetSchemas, subnetShape } from './rest-shapes.js';

export const chainRow = graphql(`
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

const subnetCreation = graphql(`
  fragment SubnetCreation on Transaction {
    blockTimestamp
    blockNumber
    subnet {
      ...SubnetRow
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

/** The list of what transactions of a type created. @param schema of a row */
export const createdRows = (txType: 'CreateSubnetTx' | 'CreateChainTx', schema: 'Subnet' | 'Blockchain') => ({
  parameters: listed,
  given: {
    passed: ['network'] as const,
    values: (given: ArgumentValues<typeof listed>) => ({ ...given, blockchainId: 'p', txTypes: [txType] }),
  },
  field: 'transactions',
  schemas: subnetSchemas,
  rows: {
    name: `${schema.toLowerCase()}s`,
    words: `${schema.toLowerCase()}s`,
    schema,
    page: `${schema}Page`,
  },
});

export const subnetRoutes = [
  defineListRoute({
    operation: 'ListSubnets',
    path: '/v1/networks/{network}/subnets',
    summary: 'List subnets',
    description:
      'The subnets that transactions created, the newest first unless sortOrder says otherwise. The primary network, which none created, is found by its id.',
    ...createdRows('CreateSubnetTx', 'Subnet'),
    nodes: {
      fragment: subnetCreation,
      textOf: (nodes) =>
        shapesText(
          subnetShape,
          nodes.flatMap(({ subnet, ...creation }) => (subnet ? [{ ...subnet, creation }] : [])),
        ),
    },
    example: { subnets: [subnetExample] },
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
