import { afterAll, beforeAll, expect, test } from 'vitest';
import { nativeAssetIds, blockchainIds } from '../../src/avalanche/networks.js';
import { createApp, type TestApp } from '../harness/app.js';
import { connectTo } from '../harness/connections.js';
import { addresses, chainRow, frameRow, hashAt } from '../harness/evm-rows.js';
import { importRows } from '../harness/import-rows.js';
import { addressOf, utxoRow } from '../harness/ledger-rows.js';

const ISSUED_AT = Date.UTC(2026, 10, 22, 6);
const places = [0, 1, 2];
const outputs = (chain: string) => `/v1/networks/mainnet/blockchains/${chain}/utxos?includeSpent=true`;

/**
 * Lists, and the token that commit a0b6026 gave for their first row of three, before lists and arguments were declared once:
 * an upgrade breaks nobody's walk. Lists whose filters became more since are not here: their tokens name those too.
 */
const former: [path: string, field: string, token: string][] = [
  [outputs('p-chain'), 'utxos', 'b81b067c-9dbc-4b1e-8c76-02abb4ada507'],
  [`${outputs('p-chain')}&sortBy=amount&sortOrder=asc`, 'utxos', '48de1081-8f89-4685-b587-8374f3d81503'],
  [
    `${outputs('p-chain')}&addresses=${addressOf('anna')}&minUtxoAmount=5`,
    'utxos',
    '750449a3-dbf7-4ccc-b268-0d97eee5db26',
  ],
  [
    `${outputs('x-chain')}&assetId=${nativeAssetIds.mainnet}`,
    'utxos',
    '10790ba9-3ef6-4f10-b20b-966c89b3c989',
  ],
  [
    `/v1/chains/1001/addresses/${addresses[0]}/transactions:listInternals?startBlock=1`,
    'transactions',
    'cf0753c5-8dab-4276-b7cd-c50b6a721e52',
  ],
];

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp({}, { reach: identify });
  gateway.clock.now = ISSUED_AT + 3_600_000;
  const { storage } = gateway;
  const { x } = blockchainIds.mainnet;
  // One at a time, so that their row ids, which tokens hold, are in this order.
  for (const place of places) {
    const fields = {
      blockTimestamp: 1_700_000_000 + place,
      blockNumber: String(place + 1),
      amount: String(10 + place),
    };
    await importRows(storage, 'mainnet.p-chain.utxos', [utxoRow(`p ${place}`, fields)]);
    await importRows(storage, 'mainnet.x-chain.utxos', [
      utxoRow(`x ${place}`, { ...fields, createdOnChainId: x, consumedOnChainId: x }),
    ]);
    if (place === 0) await importRows(storage, 'evm.chains', [chainRow('1001'), chainRow('1002')]);
    await importRows(storage, 'evm.1001.internal-transactions', [
      frameRow({ txHash: hashAt(place), blockNumber: String(place + 1) }),
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
