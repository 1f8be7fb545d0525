import { choice, integer, list, object, text, whole, type JsonSchemas } from './build.js';

const indicators = (description: string) => ({
  type: 'object',
  description,
  additionalProperties: object(
    'One part of the service.',
    { status: choice('Whether the part works.', ['up', 'down']) },
    { message: text('What is wrong with it.') },
  ),
});

export const commonSchemas: JsonSchemas = {
  Error: object('Why a request was not answered.', {
    message: {
      description: 'What is wrong; a list where several parameters are.',
      oneOf: [{ type: 'string' }, list('One message for each wrong parameter.', { type: 'string' })],
    },
    error: text('The kind of error, for example Bad Request.'),
    statusCode: integer('The HTTP status.'),
  }),
  ChainInfo: object('The chain that a list was read from.', {
    chainName: choice('Name of the chain.', ['p-chain', 'x-chain', 'c-chain']),
    network: choice('Network of the chain.', ['mainnet', 'fuji']),
  }),
  AssetAmount: object('An amount of one asset, with what is known of the asset.', {
    assetId: text('Id of the asset, CB58.'),
    name: text('Full name; empty until a row describes the asset.'),
    symbol: text('Short name; empty until a row describes the asset.'),
    denomination: whole('Decimal digits of the smallest unit below one coin: 9 for AVAX. 0 while unknown.'),
    type: choice('What the asset is made of.', ['secp256k1', 'nft']),
    amount: text("Amount in the asset's smallest unit.", { pattern: '^[0-9]{1,20}$' }),
  }),
  HealthCheck: object('Whether the service works, and which of its parts.', {
    status: choice('ok, error (some part does not work), or shutting_down.', [
      'ok',
      'error',
      'shutting_down',
    ]),
    info: indicators('The parts that work.'),
    error: indicators('The parts that do not work.'),
    details: indicators('All parts.'),
  }),
};
