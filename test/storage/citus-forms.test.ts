import { expect, test } from 'vitest';
import { readMigrations } from '../../src/storage/migration-files.js';
import { refusedIn } from '../harness/citus-forms.js';

// Statements that imports sent until they supported Citus, shortened; each was refused there.
test.each([
  [
    'UPDATE internal_tx old SET value = new.value FROM staged_internal_tx new WHERE old.tx_hash = new.tx_hash',
    'temporary',
  ],
  [
    'WITH added AS (INSERT INTO evm_holding (kind) SELECT $1 RETURNING *) SELECT id FROM added',
    'inside of WITH',
  ],
  ['UPDATE evm_balance SET day = extract(epoch FROM clock_timestamp())', 'volatile'],
  [
    'UPDATE internal_tx o SET type = n.type FROM (SELECT g.type::internal_tx_type FROM unnest($1::text[]) g) n',
    'enumeration',
  ],
  [
    `SELECT nextval('s') FROM unnest($1) w WHERE NOT EXISTS (SELECT 1 FROM internal_tx h WHERE h.id = w.id)`,
    'sequence',
  ],
  [
    'INSERT INTO evm_balance SELECT * FROM unnest($1) s WHERE NOT EXISTS (SELECT 1 FROM evm_balance)',
    'OFFSET 0',
  ],
  ['ALTER TABLE internal_tx DROP CONSTRAINT internal_tx_pkey, ADD PRIMARY KEY (id)', 'ALTER TABLE'],
  ['CREATE TRIGGER t AFTER INSERT ON evm_address EXECUTE FUNCTION f()', 'trigger'],
  ['DELETE FROM internal_tx RETURNING tableoid::regclass', 'number'],
  ['SELECT 1 FROM internal_tx i JOIN evm_address a ON a.address = i.from_address', 'two groups'],
])('a statement of a form that Citus refuses is found: %s', (statement, form) => {
  expect(refusedIn(statement).join()).toContain(form);
});

test('what Citus takes, and what is of tables that stay on the coordinator, is not', () => {
  const taken = [
    'INSERT INTO evm_balance SELECT f.* FROM (SELECT s.* FROM unnest($1) s WHERE NOT EXISTS (SELECT 1 FROM evm_balance) OFFSET 0) f',
    'UPDATE internal_tx o SET value = n.value FROM (SELECT g.value FROM unnest($1::numeric[]) g(value)) n WHERE true',
    'UPDATE nft_token SET job_lease_until = clock_timestamp()',
    "SELECT 'internal_tx', nextval($1::regclass)",
  ];
  expect(taken.flatMap((each) => refusedIn(each))).toEqual([]);
});

test('a hot read over tables of a worker and others is found, unless it is asked for in parts where it is refused', () => {
  const text = 'SELECT 1 FROM chain c JOIN internal_tx i ON i.evm_chain_id = c.evm_chain_id WHERE c.id = $1';
  expect(refusedIn(text, 'frames_of_chain').join()).toContain('distributed plan');
  expect(refusedIn(text, 'operation:1')).toEqual([]);
  expect(refusedIn('SELECT 1 FROM internal_tx WHERE evm_chain_id = $1', 'frames')).toEqual([]);
});

test('no migration that may meet tables on workers has such a form', async () => {
  // The baseline has run before a table can be on a worker.
  const later = (await readMigrations()).flatMap((each) => each.replaces?.kept ?? [each]);
  const refused = later.flatMap(({ name, sql }) =>
    sql.split(';').flatMap((statement) => refusedIn(statement).map((form) => `${name}: ${form}`)),
  );
  expect(refused).toEqual([]);
});
