import { readFileSync } from 'node:fs';
import {
  BreakingChangeType,
  buildSchema as parseSchema,
  findBreakingChanges,
  type BreakingChange,
} from 'graphql';
import { expect, test } from 'vitest';
import { publicSchema } from '../../src/graphql/internal.js';
import { buildSchema } from '../../src/schema.js';

// The schema as it was before the graph got edges everywhere.
const before = parseSchema(readFileSync(new URL('before-13.graphql', import.meta.url), 'utf8'));

/**
 * A field of the query or the mutation may become nullable, so that one bad field does not remove the others;
 * and one whose empty list said "nothing" where nobody knew.
 */
function isAllowed({ type, description }: BreakingChange): boolean {
  const [, was, is] =
    /^(?:Query\.\w+|Mutation\.\w+|Chain\.enabledFeatures) changed type from (\S+) to (\S+)\.$/.exec(
      description,
    ) ?? [];
  return type === BreakingChangeType.FIELD_CHANGED_KIND && was === `${is}!`;
}

test('a document that was right before is right still, and answered in the same shape', () => {
  const changes = findBreakingChanges(before, publicSchema(buildSchema()));
  expect(changes.filter((change) => !isAllowed(change))).toEqual([]);
});

test('allowed and breaking changes are distinguished', () => {
  const was = parseSchema('type Query { a: Int! b: [Int!]! c: Other! d: Int! } type Other { e: Int! }');
  const is = parseSchema('type Query { a: Int b: [Int]! c: Other } type Other { e: Int }');
  const changes = findBreakingChanges(was, is).filter((change) => !isAllowed(change));
  expect(changes.map(({ description }) => description).sort()).toEqual([
    'Other.e changed type from Int! to Int.',
    'Query.b changed type from [Int!]! to [Int]!.',
    'Query.d was removed.',
  ]);
});
