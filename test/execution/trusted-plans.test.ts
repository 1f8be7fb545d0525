import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp, type TestApp } from '../harness/app.js';
import { readSample } from '../harness/sample.js';
import { countStatements } from '../harness/statements.js';

const sample = readSample();
const [{ txHash } = { txHash: '' }] = sample.transactionsOf('p');
const [{ addresses: [owner = ''] } = { addresses: [] }] = sample.utxosOf('p');
const ledger = '/v1/networks/fuji/blockchains/p-chain';

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp({}, { sample: true });
});
afterAll(() => gateway.close());

test.each([
  // Rows, without an aggregate over the page.
  ['a list', `${ledger}/utxos?addresses=${owner}&pageSize=2`, /^utxos_/, false],
  ['a row with its lists', `${ledger}/transactions/${txHash}`, /^document:/, true],
])('%s of REST is one statement, the first time too', async (_name, path, name, isOneText) => {
  for (let time = 0; time < 2; time += 1) {
    const { result, names, statements } = await countStatements(() => gateway.get(path));
    expect(result.status).toBe(200);
    expect(names).toEqual([expect.stringMatching(name)]);
    expect(/string_agg/.test(statements.join())).toBe(isOneText);
  }
});
