import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp, type TestApp } from '../harness/app.js';
import { transactionRow, utxoRow } from '../harness/ledger-rows.js';
import { importRows } from '../harness/seed.js';
import { countStatements } from '../harness/statements.js';

const rows = Array.from({ length: 100 }, (_, index) =>
  transactionRow(`large ${index}`, { blockTimestamp: 1_700_000_000 - index }),
);
const list = 'transactions(network: fuji, blockchainId: "p-chain", first: 100)';
const chain = '/v1/networks/fuji/blockchains/p-chain';
const outputs = Array.from({ length: 100 }, (_, index) => utxoRow(`large ${index}`, {}, 'fuji'));
/** As many names as a document may have, and the field itself. */
const memos = `memo ${Array.from({ length: 28 }, (_, index) => `m${index}: memo`).join(' ')}`;

let gateway: TestApp;
beforeAll(async () => {
  // Replies of 64 MiB take seconds; on a busy machine more than a request has.
  gateway = await createApp({ REQUEST_TIMEOUT_MS: '120000', STATEMENT_TIMEOUT_MS: '60000' });
  await importRows(gateway.storage, 'fuji.p-chain.transactions', rows);
  await importRows(gateway.storage, 'fuji.p-chain.utxos', outputs);
});
afterAll(() => gateway.close());

/** Gives every row a text of so many bytes, which no import accepts any more. */
async function fill(bytes: number): Promise<void> {
  await gateway.storage.execute(
    `UPDATE transaction SET details = jsonb_set(details, '{memo}', to_jsonb(repeat('m', ${bytes})))`,
  );
}

async function ask(query: string) {
  const headers = { 'content-type': 'application/json', accept: 'application/graphql-response+json' };
  const { result, names } = await countStatements(() =>
    gateway.post('/graphql', headers, JSON.stringify({ query })),
  );
  const { status, body } = result;
  return { status, body, isPrepared: names.some((name) => name.startsWith('operation:')) };
}

const refusal = {
  status: 400,
  body: {
    errors: [
      {
        message: expect.stringMatching(/^The answer would take more than 64 MiB; request less at once: /),
        extensions: { code: 'QUERY_TOO_COMPLEX' },
      },
    ],
  },
};

describe('where 100 rows hold a text of 90 kB each', () => {
  beforeAll(() => fill(90_000));

  test('they are answered once each, by both executors alike', async () => {
    const query = `{ ${list} { nodes { memo } } }`;
    const [plain, prepared] = [await ask(query), await ask(query)];
    expect([plain.status, plain.isPrepared, prepared.isPrepared]).toEqual([200, false, true]);
    expect(prepared.body.data).toEqual(plain.body.data);
    expect(prepared.body.data.transactions.nodes).toEqual(rows.map(() => ({ memo: 'm'.repeat(90_000) })));
  });

  test.each([
    [
      'under many names',
      `{ ${list} { nodes { ...M } edges { node { ...M } } } } fragment M on Transaction { ${memos} }`,
    ],
    [
      'in fields that are small enough alone',
      `{ a: ${list} { nodes { ...M } } b: ${list} { nodes { ...M } } c: ${list} { nodes { ...M } } }
      fragment M on Transaction { memo b: memo c: memo }`,
    ],
  ])('more than 64 MiB %s are refused as a whole, by both executors alike', async (_what, query) => {
    const [plain, prepared] = [await ask(query), await ask(query)];
    for (const each of [plain, prepared]) expect(each).toMatchObject(refusal);
    expect(prepared.body).toEqual(plain.body);
    expect(await gateway.get(`${chain}/utxos?pageSize=1`)).toMatchObject({ status: 200 });
  });
});

describe('where 100 rows hold a text of 1 MB each', () => {
  beforeAll(() => fill(1_000_000));

  test('what is selected together with it is answered, as if the document had not been seen before', async () => {
    const query = `{ ${list} { nodes { txHash } } }`;
    const nodes = rows.map(({ txHash }) => ({ txHash }));
    for (const { status, body } of [await ask(query), await ask(query)])
      expect([status, body.data]).toEqual([200, { transactions: { nodes } }]);
  });

  test('REST refuses a page of them and says what to do, and gives smaller pages', async () => {
    await gateway.storage.execute(`UPDATE utxo SET utxo_bytes = decode(repeat('ab', 500000), 'hex')`);
    const page = await gateway.get(`${chain}/utxos?pageSize=100`);
    expect(page).toMatchObject({ status: 400, body: { error: 'Bad Request', statusCode: 400 } });
    expect(page.body.message).toMatch(/pageSize/);
    const small = await gateway.get(`${chain}/utxos?pageSize=10`);
    expect(small.status).toBe(200);
    expect(small.body.utxos).toHaveLength(10);
    const { txHash } = rows[0]!;
    expect(await gateway.get(`${chain}/transactions/${txHash}`)).toMatchObject({
      status: 200,
      body: { txHash },
    });
  });
});
