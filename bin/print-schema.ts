// Writes schema.graphql from the code; `npm run check` fails when the committed file differs.
import { writeFileSync } from 'node:fs';
import { lexicographicSortSchema, printSchema } from 'graphql';
import { publicSchema } from '../src/graphql/internal.js';
import { buildSchema } from '../src/schema.js';

writeFileSync(
  new URL('../schema.graphql', import.meta.url),
  `${printSchema(lexicographicSortSchema(publicSchema(buildSchema())))}\n`,
);
