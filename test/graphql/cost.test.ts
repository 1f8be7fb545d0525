import { buildSchema, getOperationAST, parse, validate, type GraphQLObjectType } from 'graphql';
import { expect, test } from 'vitest';
import { calculateCost } from '../../src/graphql/limits/cost.js';

const schema = buildSchema(`
  type Query { names(first: Int, last: Int, of: [ID!]): NameConnection! things(first: Int, last: Int): ThingConnection! big(first: Int, last: Int): ThingConnection! nodes(ids: [ID!]!): [Thing]! }
  type ThingConnection { edges: [ThingEdge!]! nodes: [Thing!]! totalCount: Int! }
  type NameConnection { edges: [NameEdge!]! nodes: [String!]! counts: [Count!]! things: [Thing!]! }
  type NameEdge { cursor: String! node: String! }
  type Count { id: ID! aliases: [String!]! }
  type ThingEdge { cursor: String! node: Thing! }
  type Thing { id: ID! expensive: Int! tags: [Tag!]! things(first: Int, last: Int): ThingConnection! }
  type Tag { name: String! thing: Thing }
`);
// A schema of text has no extensions.
const { ThingConnection, NameConnection, Thing, Query, Tag } = schema.getTypeMap() as Record<
  string,
  GraphQLObjectType
>;
Object.assign(ThingConnection?.getFields()['totalCount'] ?? {}, { extensions: { cost: 50 } });
Object.assign(Thing?.getFields()['expensive'] ?? {}, { extensions: { cost: 7 } });
Object.assign(Tag?.getFields()['thing'] ?? {}, { extensions: { times: 4 } });
Object.assign(Query?.getFields()['names'] ?? {}, { extensions: { defaultPageSize: 1000, scalarRows: 10 } });
Object.assign(NameConnection?.getFields()['counts'] ?? {}, { extensions: { lengthOf: 'of' } });
Object.assign(Query?.getFields()['big'] ?? {}, { extensions: { defaultPageSize: 1000, scalarRows: 10 } });

function costOf(text: string, variables: Record<string, unknown> = {}): number {
  const document = parse(text);
  expect(validate(schema, document)).toEqual([]);
  const operation = getOperationAST(document);
  if (!operation) throw new Error('no operation');
  return calculateCost(schema, document, operation, variables).data;
}

test.each([
  // things 1, nodes 1, ten times id.
  ['the default page is ten rows', '{ things { nodes { id } } }', 12],
  [
    'first and last say how many rows',
    '{ a: things(first: 3) { nodes { id } } b: things(last: 4) { nodes { id } } }',
    5 + 6,
  ],
  ['edges count like nodes', '{ things(first: 3) { edges { cursor node { id } } } }', 1 + 1 + 3 * 3],
  [
    'pages within pages multiply',
    '{ things(first: 5) { nodes { things(first: 7) { nodes { id } } } } }',
    2 + 5 * (2 + 7),
  ],
  ['a list inside a row counts once', '{ things(first: 5) { nodes { tags { name } } } }', 2 + 5 * 2],
  [
    'what such a list leads to counts as many times as is declared',
    '{ things(first: 5) { nodes { tags { name thing { id tags { thing { id } } } } } } }',
    // tags 1, name 1, thing 1, and within it four times id 1, tags 1, thing 1 and four times id.
    2 + 5 * (1 + 1 + 1 + 4 * (1 + 1 + 1 + 4)),
  ],
  ['a field may declare its own cost', '{ things(first: 5) { totalCount } }', 51],
  ['a connection may declare its default page', '{ big { nodes { tags { name } } } }', 2 + 1000 * 2],
  ['and how many rows count as one while their scalars alone are selected', '{ big { nodes { id } } }', 102],
  [
    'of its edges too, and through fragments; the last few rows count as one',
    '{ big(first: 11) { edges { ...E } } } fragment E on ThingEdge { cursor __typename node { ... on Thing { id } } }',
    2 + 2 * (1 + 1 + 1 + 1),
  ],
  [
    'what else is selected of its rows counts once for each',
    '{ big(first: 11) { nodes { id things(first: 2) { nodes { id } } } edges { cursor } } }',
    1 + (1 + 11 * (1 + 2 + 2)) + (1 + 2),
  ],
  [
    'a field that declares its own cost is no scalar, though it is a leaf',
    '{ big(first: 11) { nodes { id expensive } } }',
    2 + 11 * (1 + 7),
  ],
  ['objects by id count as many times as there are ids', '{ nodes(ids: ["a", "b", "c"]) { id } }', 4],
  ['rows that are scalars count like those of edges', '{ names(first: 10000) { nodes } }', 1 + 1 + 1000],
  ['as do theirs', '{ names(first: 10000) { edges { node } } }', 1 + 1 + 1000],
  ['through fragments too', '{ names { ...N } } fragment N on NameConnection { nodes }', 1 + 1 + 100],
  [
    'other objects count once for each row',
    '{ names(first: 50) { things { id tags { name } } } }',
    2 + 50 * 3,
  ],
  [
    'but a list that is as long as an argument counts as often as that has entries',
    '{ names(of: ["a", "b"]) { counts { id aliases } } }',
    1 + 1 + 2 * 2,
  ],
  ['of no page size', '{ names(first: 10000, of: ["a"]) { counts { id } } }', 3],
  ['and once where the argument is not given', '{ names(first: 10000) { counts { id } } }', 3],
  ['a page of no rows counts as one of one', '{ things(first: 0) { nodes { id } } }', 3],
  ['a negative page never lowers the cost', '{ things(first: -100) { nodes { id } } }', 3],
  ['the larger of first and last counts', '{ things(first: 1, last: 9) { nodes { id } } }', 11],
  ['null is not given', '{ things(first: null) { nodes { id } } }', 12],
])('%s', (_title, query, cost) => {
  expect(costOf(query)).toBe(cost);
});
