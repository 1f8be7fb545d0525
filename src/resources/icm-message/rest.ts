import { readEvmAddress, readEvmChain } from '../../avalanche/evm.js';
import { readId } from '../../avalanche/input.js';
import { graphql } from '../../generated/graphql/gql.js';
import { checkedParameter, networkFilter, pageParameters, pathParameter } from '../../rest/parameter.js';
import { listReply } from '../../rest/reply.js';
import { defineRoute } from '../../rest/route.js';
import { readMessageId } from './query.js';

const listIcmMessages = graphql(`
  query ListIcmMessages(
    $network: Network
    $sourceBlockchainId: String
    $destinationBlockchainId: String
    $blockchainId: String
    $from: String
    $to: String
    $pageSize: Int
    $pageToken: String
  ) {
    icmMessages(
      network: $network
      sourceBlockchainId: $sourceBlockchainId
      destinationBlockchainId: $destinationBlockchainId
      blockchainId: $blockchainId
      from: $from
      to: $to
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

const getIcmMessage = graphql(`
  query GetIcmMessage($messageId: String!) {
    icmMessage(messageId: $messageId) {
      json
    }
  }
`);

const filter = (description: string, check: (name: string, text: string) => unknown) =>
  checkedParameter(description, { type: 'string' }, check);

export const icmMessageRoutes = [
  defineRoute({
    method: 'GET',
    path: '/v1/icm/messages',
    summary: 'List ICM messages',
    description: 'Interchain messages, newest first. Filters combine with AND.',
    parameters: {
      ...pageParameters,
      sourceBlockchainId: filter('Only from this chain: blockchain id (CB58) or EVM chain id.', readEvmChain),
      destinationBlockchainId: filter(
        'Only to this chain: blockchain id (CB58) or EVM chain id.',
        readEvmChain,
      ),
      blockchainId: filter('Only from or to this chain: blockchain id (CB58).', readId),
      to: filter('Only to this address, hex with 0x in any case.', readEvmAddress),
      from: filter('Only from this address, hex with 0x in any case.', readEvmAddress),
      network: networkFilter('Only of this network; testnet means fuji.'),
    },
    document: listIcmMessages,
    variables: (parameters) => parameters,
    reply: ({ icmMessages }) => listReply('messages', icmMessages),
    response: {
      description: 'A page of messages.',
      schema: { $ref: '#/components/schemas/ListIcmMessagesResponse' },
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/icm/messages/{messageId}',
    summary: 'Get an ICM message',
    description: 'One interchain message.',
    parameters: {
      messageId: pathParameter({
        description: 'Message id, 64 hexadecimal digits in any case, with 0x or without.',
        schema: { type: 'string' },
        example: '093180beefefbbd862fd31d2adf9e99f7ca64d67bdf1f3633ae9ad4cec76a29d',
        read: readMessageId,
      }),
    },
    document: getIcmMessage,
    variables: (parameters) => parameters,
    reply: ({ icmMessage }) => icmMessage && icmMessage.json,
    missing: ({ messageId }) => `ICM message ${messageId} is not held here`,
    response: { description: 'The message.', schema: { $ref: '#/components/schemas/IcmMessage' } },
  }),
];
