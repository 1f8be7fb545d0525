import { expect, test } from 'vitest';
import { readPrismaSchema } from '../../bin/prisma-schema.js';
import { followedTables, importedTables, ownTables, stateTables } from '../../src/verify/tables.js';
import { falsified, falsifiedVertices, notFalsified, renamed } from '../harness/falsified-rows.js';

const proved = [...followedTables, ...stateTables, ...importedTables].map(({ name }) => name);

test('every table is proved by something, or named as one that nothing can prove', async () => {
  const models = Object.keys(await readPrismaSchema(new URL('../../prisma/schema.prisma', import.meta.url)));
  expect([...proved, ...ownTables].sort()).toEqual(models.sort());
});

test('a wrong row of every table that is proved is looked for in a recorded network, or no such network has one', () => {
  const wrong = [...falsified, ...falsifiedVertices, ...renamed].map(([table]) => table);
  // A message has its own statement.
  expect([...wrong, 'icm_message', ...notFalsified].sort()).toEqual([...proved].sort());
});
