import type { GraphQLSchema } from 'graphql';
import type { IssuedToken } from './list-case.js';
import type { Operation } from './operations.js';
import type { Reading } from './reading.js';

/** What inputs are made of. */
export interface Supplies {
  operations: readonly Operation[];
  schema: GraphQLSchema;
  reading: Reading;
  tokens: readonly IssuedToken[];
  keys: readonly string[];
}
