import { is, textOf, type Details } from '../../fields/field.js';
import { objectSchema, objectSchemas } from '../../fields/object-schema.js';
import { ref, type JsonSchema, type JsonSchemas } from '../../fields/json-schema.js';
import { graphql } from '../../generated/graphql/gql.js';
import { defineListRoute } from '../../rest/list-route.js';
import { pageArguments } from '../../rest/parameter.js';
import { renamed } from '../../rest/renamed.js';
import { defineRoute, type Route } from '../../rest/route.js';
import { icmAddressArguments, icmFilterArguments, icmMessageArguments } from './arguments.js';
import { icmDetails, icmObjects, icmStatuses, type IcmStatus } from './details.js';
import { icmMessageFields } from './fields.js';

const getIcmMessage = graphql(`
  query GetIcmMessage($messageId: String!) {
    icmMessage(messageId: $messageId) {
      json
    }
  }
`);

const { network, from, to, ...chains } = icmFilterArguments;

const { sourceTransaction: source, destinationTransaction: destination, status, ...always } = icmDetails;
const sourceTransaction = is(source.kind, source.description);
const destinationTransaction = is(destination.kind, destination.description);

/** Schemas of messages under a name; which transactions they have depends on their status. */
function messageSchemas(name: string, more: Details = {}): JsonSchemas {
  const withStatus = (value: IcmStatus, transactions: Details): JsonSchema =>
    objectSchema(icmStatuses[value], {
      ...icmMessageFields,
      ...always,
      ...more,
      status: is(textOf({ enum: [value] }), status.description),
      ...transactions,
    });
  return {
    [name]: {
      description: 'A message between two chains. Which transactions are known depends on its status.',
      // Without a discriminator: generated Rust removes that member before it reads the rest, and then misses
      // it.
      oneOf: [ref(`Pending${name}`), ref(`Delivered${name}`), ref(`Unindexed${name}`)],
    },
    [`Pending${name}`]: withStatus('pending', { sourceTransaction }),
    [`Delivered${name}`]: withStatus('delivered', { sourceTransaction, destinationTransaction }),
    [`Unindexed${name}`]: withStatus('delivered_source_not_indexed', { destinationTransaction }),
    ...objectSchemas(icmObjects),
  };
}

/** As in the sample. */
const example = {
  messageId: 'f17f5cd1da48732886e21a7c8fb8ea00cf3bcbe2ec7acb35cfdf6fdbf2444e47',
  sourceBlockchainId: 'N7oy5zokZLmY3YeQWWhqwdk6gdhDfQCg3tpA1X83BhywYDxK3',
  destinationBlockchainId: 'yH8D7ThNJkxmtkuv2jgBa4P1Rn3Qpr4pPr7QYNfcdoS6k6HWp',
  sourceEvmChainId: '7310002',
  destinationEvmChainId: '43113',
  to: '0x39314721E39D844f31574963eF0f613438A46a8f',
  data: '0xe9ce30979cc05415f663edb80d541748cdb1a9a0cc',
  from: '0x66Aa7b6BFc7971F7a25aEB306dA937BbB31e641C',
  status: 'delivered',
  receipts: [],
  messageNonce: '320',
  rewardDetails: {
    name: '',
    value: '0',
    symbol: '',
    address: '0x0000000000000000000000000000000000000000',
    ercType: 'ERC-20',
    decimals: 0,
  },
  messageExecuted: true,
  receiptDelivered: false,
  sourceTransaction: {
    txHash: '0xb715b12f2bccde7a762327d4e77e6f550a3dc8d40f01467d97d2f9c8057b80fd',
    gasSpent: '6680575000000000',
    timestamp: 1793369525,
  },
  icmContractAddress: '0x253b2784c75e510dD0fF1da844684a1aC0aa5fcf',
  destinationTransaction: {
    txHash: '0x28f2d2cbd4d701ac12e1622902767ce10839cad2f2a25669abb3b715fabc06a5',
    gasSpent: '9206750000000000',
    timestamp: 1793369552,
    rewardRedeemer: '0x67F57ea6ceDa488122C6992913603a0f65a69081',
    delivererAddress: '0x67F57ea6ceDa488122C6992913603a0f65a69081',
  },
};

interface Names {
  /** The end of the operations' names and of those of schemas. */
  readonly name: 'Icm' | 'Teleporter';
  readonly path: string;
  /** Members in addition to those of a message, and the text of messages with them. */
  readonly more?: Details;
  readonly shown: (text: string) => string;
}

/** The paths of messages under one of their names. */
function routesOf({ name, path, more, shown }: Names): Route[] {
  const schemas = messageSchemas(`${name}Message`, more);
  const list = {
    field: 'icmMessages',
    rows: { name: 'messages', words: 'messages', schema: `${name}Message`, page: `${name}MessagePage` },
    schemas,
    shown,
    example: { messages: [JSON.parse(shown(JSON.stringify(example)))] },
  };
  const words = name === 'Icm' ? 'ICM' : name;
  return [
    defineListRoute({
      ...list,
      operation: `List${name}Messages`,
      path: `${path}/messages`,
      summary: `List ${words} messages`,
      description: 'Interchain messages, newest first. Filters combine with AND.',
      parameters: { ...pageArguments, ...chains, to, from, network },
    }),
    defineListRoute({
      ...list,
      operation: `List${name}MessagesOfAddress`,
      path: `${path}/addresses/{address}/messages`,
      summary: `List ${words} messages of an address`,
      description: 'Interchain messages from or to an address on any chain, each once, newest first.',
      parameters: { ...icmAddressArguments, ...pageArguments, network },
    }),
    defineRoute({
      method: 'GET',
      path: `${path}/messages/{messageId}`,
      summary: `Get ${words === 'ICM' ? 'an' : 'a'} ${words} message`,
      description: 'One interchain message.',
      parameters: icmMessageArguments,
      document: renamed(getIcmMessage, `Get${name}Message`),
      reply: ({ icmMessage }) => icmMessage && shown(icmMessage.json),
      missing: ({ messageId }) => `ICM message ${messageId} is not indexed here`,
      response: {
        description: 'The message.',
        schema: ref(`${name}Message`),
        components: schemas,
        example: list.example.messages[0],
      },
    }),
  ];
}

const teleporterContractAddress = is(icmDetails.icmContractAddress.kind, 'The same as icmContractAddress');
// No text has these characters inside: in JSON its quotes are escaped.
const contract = /"icmContractAddress": ?("0x\w+")/g;

export const icmMessageRoutes = [
  ...routesOf({ name: 'Icm', path: '/v1/icm', shown: (text) => text }),
  // Their former names, under which the contract has another one.
  ...routesOf({
    name: 'Teleporter',
    path: '/v1/teleporter',
    more: { teleporterContractAddress },
    shown: (text) => text.replace(contract, '$&,"teleporterContractAddress":$1'),
  }),
];
