import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp, type TestApp } from '../harness/app.js';
import { poolOf } from '../harness/connections.js';
import { addresses, chainRow, frameRow } from '../harness/evm-rows.js';
import { importRows } from '../harness/seed.js';
import { countStatements } from '../harness/statements.js';

const CHAIN = '43114';
const [address] = addresses;

const blocks = ['3', '2', '1'].map((blockNumber) => ({ blockNumber }));

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp();
  await importRows(gateway.storage, 'evm.chains', [chainRow(CHAIN)]);
  await importRows(
    gateway.storage,
    `evm.${CHAIN}.internal-transactions`,
    blocks.map((block) => frameRow(block)),
  );
  // A database that behaves like Citus with internal transactions on a worker: it plans no statement over
  // them and chains.
  await poolOf(gateway.storage).query(`
    CREATE FUNCTION plans() RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$ BEGIN
      IF current_query() LIKE '%internal_tx%' THEN
        RAISE EXCEPTION 'could not create distributed plan' USING ERRCODE = '0A000';
      END IF;
      RETURN true;
    END $$;
    ALTER TABLE chain RENAME TO chain_here;
    CREATE VIEW chain AS SELECT * FROM chain_here WHERE plans()`);
});
afterAll(() => gateway.close());

test('a database that does not plan one statement for REST is asked for parts, and for nothing else from then on', async () => {
  const path = `/v1/chains/${CHAIN}/addresses/${address}/transactions:listInternals`;
  const ask = () => countStatements(() => gateway.get(path));
  const first = await ask();
  const { result, names } = await ask();
  expect(names.filter((name) => name.startsWith('operation:'))).toEqual([]);
  for (const { status, body } of [first.result, result]) {
    expect(status).toBe(200);
    expect(body.transactions).toMatchObject(blocks);
  }
});

test('nor one for an operation of GraphQL, whose other fields are answered with it', async () => {
  const list = `internalTransactions(first: 2) { nodes { blockNumber } }`;
  const query = `{ evmAddress(chainId: "${CHAIN}", address: "${address}") { ${list} } chains { nodes { chainId } } }`;
  const data = {
    evmAddress: { internalTransactions: { nodes: blocks.slice(0, 2) } },
    chains: { nodes: [{ chainId: CHAIN }] },
  };
  for (let time = 0; time < 3; time += 1) expect((await gateway.graphql(query)).data).toEqual(data);
  const { names } = await countStatements(() => gateway.graphql(query));
  expect(names.filter((name) => name.startsWith('operation:'))).toEqual([]);
});
