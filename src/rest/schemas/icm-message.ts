import {
  boolean,
  choice,
  digits,
  hex,
  list,
  object,
  page,
  ref,
  text,
  whole,
  type JsonSchema,
  type JsonSchemas,
} from './build.js';

const currencies = [
  'usd',
  'eur',
  'aud',
  'cad',
  'chf',
  'clp',
  'cny',
  'czk',
  'dkk',
  'gbp',
  'hkd',
  'huf',
  'jpy',
  'nzd',
];

const members: JsonSchemas = {
  messageId: text('Id of the message: 64 hex digits without 0x.', { pattern: '^[0-9a-f]{64}$' }),
  icmContractAddress: hex('Address of the messaging contract.', 20),
  sourceBlockchainId: text('Blockchain id of the source, CB58.'),
  destinationBlockchainId: text('Blockchain id of the destination, CB58.'),
  sourceEvmChainId: digits('EVM chain id of the source.'),
  destinationEvmChainId: digits('EVM chain id of the destination.'),
  messageNonce: digits('Nonce of the message on its source.'),
  from: hex('Sender.', 20),
  to: hex('Recipient.', 20),
  data: hex('What was sent.'),
  messageExecuted: boolean('Whether the recipient carried it out.'),
  receipts: list(
    'Receipts that travelled with the message.',
    object('A receipt.', {
      receivedMessageNonce: digits('Nonce of the received message.'),
      relayerRewardAddress: hex('Who receives the reward for it.', 20),
    }),
  ),
  receiptDelivered: boolean('Whether its own receipt came back.'),
  rewardDetails: ref('RewardDetails'),
};

const sourceTransaction = object('The transaction that sent it.', {
  txHash: hex('Hash.', 32),
  timestamp: whole('When it was sent, Unix seconds.'),
  gasSpent: digits('Gas spent, in the smallest unit of its chain.'),
});

const destinationTransaction = object('The transaction that delivered it.', {
  txHash: hex('Hash.', 32),
  timestamp: whole('When it was delivered, Unix seconds.'),
  gasSpent: digits('Gas spent, in the smallest unit of its chain.'),
  rewardRedeemer: hex('Who may redeem the reward.', 20),
  delivererAddress: hex('Who delivered it.', 20),
});

const status = (value: string): JsonSchema => text('Where the message stands.', { const: value });

export const icmMessageSchemas: JsonSchemas = {
  IcmMessage: {
    description: 'A message between two chains. Its status says which transactions are known.',
    oneOf: [
      object('Sent, not delivered.', { ...members, status: status('pending'), sourceTransaction }),
      object('Delivered.', {
        ...members,
        status: status('delivered'),
        sourceTransaction,
        destinationTransaction,
      }),
      object('Delivered; its source is not indexed.', {
        ...members,
        status: status('delivered_source_not_indexed'),
        destinationTransaction,
      }),
    ],
  },
  RewardDetails: object(
    'What the deliverer is paid; the zero address and value "0" where there is nothing.',
    {
      address: hex('Address of the token.', 20),
      name: text('Name of the token.'),
      symbol: text('Short name of the token.'),
      decimals: whole('Decimal digits of the smallest unit below one token.'),
      ercType: choice('Kind of token.', ['ERC-20']),
      value: digits("Amount in the token's smallest unit."),
    },
    {
      logoUri: text('Address of a logo.', { format: 'uri' }),
      price: object('Price of one token.', {
        currencyCode: choice('Currency.', currencies),
        value: text('Price, a decimal number.'),
      }),
    },
  ),
  ListIcmMessagesResponse: page('messages', ref('IcmMessage')),
};
