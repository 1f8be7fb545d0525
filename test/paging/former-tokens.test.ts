import { afterAll, beforeAll, expect, test } from 'vitest';
import { nativeAssetIds, blockchainIds } from '../../src/avalanche/networks.js';
import { createApp, type TestApp } from '../harness/app.js';
import { connectTo } from '../harness/connections.js';
import { addresses, chainRow, frameRow, hashAt } from '../harness/evm-rows.js';
import { importRows } from '../harness/import-rows.js';
import { addressOf, utxoRow } from '../harness/ledger-rows.js';

const ISSUED_AT = Date.UTC(2026, 10, 22, 6);
const indexes = [0, 1, 2];
const outputs = (chain: string) => `/v1/networks/mainnet/blockchains/${chain}/utxos?includeSpent=true`;

/**
 * Lists, and the token that version 0.1.0 gives for their first row of three: an upgrade breaks nobody's
 * walk, whatever arguments lists get.
 */
const former: [path: string, field: string, token: string][] = [
  [outputs('p-chain'), 'utxos', '4c9189fb-806a-49d4-8099-e36de59391ca'],
  [`${outputs('p-chain')}&sortBy=amount&sortOrder=asc`, 'utxos', 'f105ef98-7461-45ba-a899-f6c6a7f6aec3'],
  [
    `${outputs('p-chain')}&addresses=${addressOf('anna')}&minUtxoAmount=5`,
    'utxos',
    '16f7035e-7a49-4bcb-a1e7-28fe8a9b8f85',
  ],
  [
    `${outputs('x-chain')}&assetId=${nativeAssetIds.mainnet}`,
    'utxos',
    'fdca6041-0283-4a06-b0a3-cc342b1f0473',
  ],
  [
    `/v1/chains/1001/addresses/${addresses[0]}/transactions:listInternals?startBlock=1`,
    'transactions',
    '864554b7-f794-4871-a6c0-d94244754b5f',
  ],
];

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp({}, { reach: identify });
  gateway.clock.now = ISSUED_AT + 3_600_000;
  const { storage } = gateway;
  const { x } = blockchainIds.mainnet;
  // One at a time, so that their row ids, which tokens contain, are in this order.
  for (const index of indexes) {
    const fields = {
      blockTimestamp: 1_700_000_000 + index,
      blockNumber: String(index + 1),
      amount: String(10 + index),
    };
    await importRows(storage, 'mainnet.p-chain.utxos', [utxoRow(`p ${index}`, fields)]);
    await importRows(storage, 'mainnet.x-chain.utxos', [
      utxoRow(`x ${index}`, { ...fields, createdOnChainId: x, consumedOnChainId: x }),
    ]);
    if (index === 0) await importRows(storage, 'evm.chains', [chainRow('1001'), chainRow('1002')]);
    await importRows(storage, 'evm.1001.internal-transactions', [
      frameRow({ txHash: hashAt(index), blockNumber: String(index + 1) }),
    ]);
  }
});
afterAll(() => gateway.close());

/** The installation that issued the tokens. */
async function identify(url: string): Promise<string> {
  const client = await connectTo(url);
  await client.query('INSERT INTO installation (id, secret) VALUES ($1, $2)', [
    '5b8f0f3e-3f0c-4e55-8d5a-2f1c6f0a9b11',
    Buffer.alloc(32, 7),
  ]);
  await client.end();
  return url;
}

test.each(former)('%s goes on from there', async (path, field, token) => {
  const all = await gateway.get(`${path}&pageSize=3`);
  const rest = await gateway.get(`${path}&pageSize=2&pageToken=${token}`);
  expect(rest.status).toBe(200);
  expect(all.body[field]).toHaveLength(3);
  expect(rest.body[field]).toEqual(all.body[field].slice(1));
});
