// Writes the schema of the code as text: whole, with the internal fields that our own documents select, to
// src/generated/schema.graphql; with `--publish` as clients see it to schema.graphql, which is committed.
import { writeFileSync } from 'node:fs';
import type { GraphQLSchema } from 'graphql';
import { publicSchema } from '../src/graphql/internal.js';
import { schemaText } from '../src/graphql/schema-text.js';
import { buildSchema } from '../src/schema.js';

const whole = buildSchema();
if (process.argv.includes('--publish')) write('../schema.graphql', publicSchema(whole));
else write('../src/generated/schema.graphql', whole);

function write(file: string, schema: GraphQLSchema): void {
  writeFileSync(new URL(file, import.meta.url), schemaText(schema));
}
