import { test } from 'vitest';
import { attackGraphQL, type GraphQLAttack } from '../harness/graphql-attacks.js';
import { whileAttacked } from '../harness/attacked.js';

const attacks: [string, GraphQLAttack][] = [
  ['documents of one field over and over that is not counted', 'freeFields'],
  ['the same beside a field that is paid', 'paidFields'],
  ['documents of many errors after many lines', 'errorsAfterLines'],
  ['documents of 290 operations', 'manyOperations'],
  ['bodies without a query', 'bodiesWithoutQuery'],
  ['bodies of 260,000 brackets', 'brackets'],
];

test.each(attacks)('%s: a caller with a key of its own gets right answers alone', (name, kind) =>
  whileAttacked(`4 connections: ${name}`, 8, ({ url }) => attackGraphQL(url, kind)),
);
