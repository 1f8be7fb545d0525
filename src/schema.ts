import type { GraphQLSchema } from 'graphql';
import { createBuilder } from './graphql/builder.js';
import { registerEnums } from './graphql/enums.js';
import { registerInternalFields } from './graphql/internal.js';
import { registerServiceConfig } from './graphql/limits/service-config.js';
import { registerScalars } from './graphql/scalars.js';
import { registerAsset } from './resources/asset/schema.js';
import { registerTransaction } from './resources/transaction/schema.js';
import { registerUtxo } from './resources/utxo/schema.js';

const resources = [registerAsset, registerUtxo, registerTransaction];

/** The whole schema, internal fields included: see publicSchema for what clients see. */
export function buildSchema(): GraphQLSchema {
  const builder = createBuilder();
  registerScalars(builder);
  registerEnums(builder);
  registerInternalFields(builder);
  registerServiceConfig(builder);
  for (const register of resources) register(builder);
  return builder.toSchema();
}
