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
  type JsonSchemas,
} from './build.js';

const uri = { format: 'uri' };

export const evmSchemas: JsonSchemas = {
  TokenParty: object(
    'An account; a token contract with what is known of the token.',
    { address: hex('Address in mixed-case checksum form.', 20) },
    {
      name: text('Name of the token.'),
      symbol: text('Short name of the token.'),
      decimals: whole('Decimal digits of the smallest unit below one token.'),
      logoUri: text('Address of a logo.', uri),
    },
  ),
  InternalTransaction: object('A call or creation within a transaction of an EVM chain.', {
    blockNumber: digits('Number of the block.'),
    blockTimestamp: whole('When the block was made, Unix seconds.'),
    blockHash: hex('Hash of the block.', 32),
    txHash: hex('Hash of the transaction.', 32),
    from: ref('TokenParty'),
    to: ref('TokenParty'),
    internalTxType: choice('Kind of call.', [
      ...['UNKNOWN', 'CALL', 'CREATE', 'CREATE2', 'CREATE3', 'CALLCODE', 'DELEGATECALL', 'STATICCALL'],
    ]),
    value: digits("Value sent along, in the native token's smallest unit."),
    isReverted: boolean('Whether it was undone.'),
    gasUsed: digits('Gas that it used.'),
    gasLimit: digits('Gas that it was given.'),
  }),
  ListInternalTransactionsResponse: page('transactions', ref('InternalTransaction')),
  NetworkToken: object(
    'The token that a chain takes its fees in.',
    {
      name: text('Name.'),
      symbol: text('Short name.'),
      decimals: whole('Decimal digits of the smallest unit below one token.'),
    },
    { logoUri: text('Address of a logo.', uri), description: text('What the token is.') },
  ),
  Chain: object(
    'An EVM chain that this service knows.',
    {
      chainId: digits('EVM chain id.'),
      status: choice('Whether the chain runs.', ['OK', 'UNAVAILABLE']),
      chainName: text('Name.'),
      description: text('What the chain is for; may be empty.'),
      vmName: choice('Kind of virtual machine.', ['EVM', 'BITCOIN', 'ETHEREUM']),
      rpcUrl: text('Address of a JSON-RPC service.'),
      isTestnet: boolean('Whether it belongs to a test network.'),
      networkToken: ref('NetworkToken'),
    },
    {
      platformChainId: text('Blockchain id, CB58.'),
      subnetId: text('Id of the subnet, CB58.'),
      vmId: text('Id of the virtual machine, CB58.'),
      explorerUrl: text('Address of a block explorer.'),
      wsUrl: text('Address of a WebSocket service.'),
      chainLogoUri: text('Address of a logo.'),
      private: boolean('Whether it is hidden from public lists.'),
      enabledFeatures: list('What is indexed of it.', {
        type: 'string',
        enum: ['nftIndexing', 'webhooks', 'teleporter'],
      }),
    },
  ),
  ListChainsResponse: object('All chains.', { chains: list('The chains.', ref('Chain')) }),
};
