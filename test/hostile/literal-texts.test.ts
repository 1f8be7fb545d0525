import {
  getArgumentValues,
  getVariableValues,
  Kind,
  parse,
  TypeInfo,
  validate,
  visit,
  visitWithTypeInfo,
  type DocumentNode,
  type GraphQLSchema,
} from 'graphql';
import { expect, test } from 'vitest';
import { LiteralShapes } from '../../src/execution/literal-shapes.js';
import { Documents } from '../../src/graphql/documents.js';
import { publicSchema } from '../../src/graphql/internal.js';
import { buildSchema } from '../../src/schema.js';
import { anyLiteralRequest, forms } from './harness/literal-texts.js';
import { Random } from './harness/random.js';

const seed = Number(process.env['HOSTILE_SEED'] ?? Date.now() % 2 ** 31);
const texts = Number(process.env['HOSTILE_TEXTS'] ?? 100_000);
/** After so many texts nothing is known any more, so that other texts are the first of their shapes. */
const KNOWN = 2000;

const schema = publicSchema(buildSchema());

test(`texts of one shape are valid and have the arguments as graphql-js says (HOSTILE_SEED=${seed})`, () => {
  const met = { valid: 0, shared: 0, invalid: 0 };
  const sharedForms = new Set<string>();
  let shapes = newShapes();
  for (let index = 0; index < texts; index += 1) {
    if (index % KNOWN === 0) shapes = newShapes();
    const { form, query, variables } = anyLiteralRequest(new Random(seed, index));
    const wanted = meaningOf(query, variables);
    const same = shapes.find(query, variables);
    // What is wrong with a variable is the plain executor's to report, which reads the text itself.
    const shared = same && meaningOf(same.query, same.variables);
    if (shared !== null) expect(shared, `HOSTILE_SEED=${seed}, text ${index}: ${query}`).toBe(wanted);
    if (wanted === null) met.invalid += 1;
    else met.valid += 1;
    if (shared !== null) {
      met.shared += 1;
      sharedForms.add(form);
    }
  }
  const share = (100 * met.shared) / met.valid;
  console.log(
    `${texts} texts, seed ${seed}: ${JSON.stringify(met)}, ${share.toFixed(1)} % of the valid ones shared`,
  );
  expect(Object.keys(forms)).toHaveLength(30);
  expect(share).toBeGreaterThanOrEqual(60);
  // The others are those whose literals no variable may replace.
  expect(sharedForms.size).toBeGreaterThan(20);
  expect(met.invalid).toBeGreaterThan(texts / 20);
});

const newShapes = () => new LiteralShapes(schema, new Documents(2 ** 24), { MAX_TOKENS: 2000 });

/**
 * The arguments of all fields of a document, coerced; null for one that graphql-js refuses with these
 * variables.
 */
function meaningOf(query: string, given: Readonly<Record<string, unknown>>): string | null {
  const document = parsed(query);
  if (!document || validate(schema, document).length > 0) return null;
  const fields: unknown[] = [];
  for (const definition of document.definitions) {
    const own = definition.kind === Kind.OPERATION_DEFINITION ? (definition.variableDefinitions ?? []) : [];
    const { coerced, errors } = getVariableValues(schema, own, given);
    if (errors) return null;
    if (definition.kind === Kind.OPERATION_DEFINITION) fields.push(...argumentsIn(schema, document, coerced));
  }
  return JSON.stringify(fields);
}

function parsed(query: string): DocumentNode | null {
  try {
    return parse(query);
  } catch {
    return null;
  }
}

function argumentsIn(
  of: GraphQLSchema,
  document: DocumentNode,
  variables: Record<string, unknown>,
): unknown[] {
  const fields: unknown[] = [];
  const types = new TypeInfo(of);
  visit(
    document,
    visitWithTypeInfo(types, {
      Field(node) {
        const field = types.getFieldDef();
        if (field)
          fields.push([node.alias?.value, node.name.value, getArgumentValues(field, node, variables)]);
      },
    }),
  );
  return fields;
}
