import type { JsonSchemas } from './build.js';
import { commonSchemas } from './common.js';
import { evmSchemas } from './evm.js';
import { icmMessageSchemas } from './icm-message.js';
import { metricsSchemas } from './metrics.js';
import { transactionSchemas } from './transaction.js';
import { utxoSchemas } from './utxo.js';
import { vertexSchemas } from './vertex.js';

/** Every schema that replies of the REST API are described by, by name. */
export const schemas: JsonSchemas = {
  ...commonSchemas,
  ...utxoSchemas,
  ...transactionSchemas,
  ...vertexSchemas,
  ...evmSchemas,
  ...icmMessageSchemas,
  ...metricsSchemas,
};
