import { readAddresses, readId } from '../../avalanche/input.js';
import { chainName, parseBlockchainId, type Network } from '../../avalanche/networks.js';
import { badInput, quote } from '../../errors.js';
import { graphql } from '../../generated/graphql/gql.js';
import { ceilDecimal } from '../../numbers.js';
import {
  blockchainParameter,
  booleanParameter,
  choiceParameter,
  networkParameter,
  numberParameter,
  pageParameters,
  queryParameter,
} from '../../rest/parameter.js';
import { listReply } from '../../rest/reply.js';
import { defineRoute } from '../../rest/route.js';

const listUtxos = graphql(`
  query ListUtxos(
    $network: Network!
    $blockchainId: String!
    $addresses: [String!]
    $assetId: String
    $minUtxoAmount: Decimal
    $includeSpent: Boolean
    $sortBy: UtxoSort
    $sortOrder: SortOrder
    $pageSize: Int
    $pageToken: String
  ) {
    utxos(
      network: $network
      blockchainId: $blockchainId
      addresses: $addresses
      assetId: $assetId
      minUtxoAmount: $minUtxoAmount
      includeSpent: $includeSpent
      sortBy: $sortBy
      sortOrder: $sortOrder
      first: $pageSize
      after: $pageToken
    ) {
      json
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

const addresses = queryParameter<string[], null>({
  description:
    'Comma-separated addresses, with or without a chain prefix, at most 64; an output is listed once when any of them owns it. Absent: every output of the chain.',
  schema: { type: 'string' },
  example: 'fuji1rh4rsdwnh5t3eqgnyhzyxw9zpvuxfa5lhw07vm',
  fallback: null,
  // Beside a wrong network the addresses tell which one they are of.
  read: (name, text, { network }) =>
    readAddresses(
      name,
      (network as Network | undefined) ?? (/\bfuji1/i.test(text) ? 'fuji' : 'mainnet'),
      text.split(','),
    ),
});

const assetId = queryParameter<string, null>({
  description: 'Only outputs of this asset. Heeded on the X-chain alone.',
  schema: { type: 'string' },
  fallback: null,
  read: (name, text, { network, blockchainId }) => {
    const chain =
      network && blockchainId ? parseBlockchainId(network as Network, blockchainId as string) : null;
    return chain === 'x' ? readId(name, text) : text;
  },
});

const minUtxoAmount = numberParameter(
  "Least amount, inclusive, in the asset's smallest unit (nAVAX). May be a fraction.",
  { type: 'number', minimum: 0, default: 0 },
  (name, text) => {
    if (ceilDecimal(text) === null) throw badInput(`${name}: ${quote(text)} is not a number of 0 or more`);
    return text;
  },
);

/** The chain as list replies name it (spec.md, "Chain info"). */
export function chainInfo(network: Network, blockchainId: string): string {
  const chain = parseBlockchainId(network, blockchainId) ?? 'p';
  return JSON.stringify({ chainName: chainName(chain), network });
}

export const utxoRoutes = [
  defineRoute({
    method: 'GET',
    path: '/v1/networks/{network}/blockchains/{blockchainId}/utxos',
    summary: 'List UTXOs',
    description:
      'UTXOs created on a chain or consumable there, unspent unless includeSpent is true, newest first unless sorted otherwise.',
    parameters: {
      network: networkParameter,
      blockchainId: blockchainParameter(['p', 'x', 'c'], 'p-chain'),
      addresses,
      ...pageParameters,
      assetId,
      minUtxoAmount,
      includeSpent: booleanParameter('Whether spent outputs are listed too.'),
      sortBy: choiceParameter(
        ['timestamp', 'amount'],
        'timestamp',
        'What the list is sorted by; ties by utxoId.',
      ),
      sortOrder: choiceParameter(['asc', 'desc'], 'desc', 'Direction of the sort.'),
    },
    document: listUtxos,
    variables: (parameters) => parameters,
    reply: ({ utxos }, { network, blockchainId }) =>
      listReply('utxos', utxos, `,"chainInfo":${chainInfo(network, blockchainId)}`),
    response: {
      description: 'A page of UTXOs.',
      schema: { $ref: '#/components/schemas/ListUtxosResponse' },
    },
  }),
];
