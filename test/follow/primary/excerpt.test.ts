import { afterAll, beforeAll, expect, test } from 'vitest';
import { adoptIdentities } from '../../../src/avalanche/identity.js';
import { createApp, type TestApp } from '../../harness/app.js';
import { excerptFilling } from '../../harness/followed.js';
import { excerptTruth } from '../../harness/node-truth.js';
import type { NodeOutput } from '../../harness/output-bytes.js';
import { allPages } from '../../harness/rest-pages.js';

const chains = ['p', 'x', 'c'] as const;
const truth = excerptTruth();
let gateway: TestApp;

beforeAll(async () => {
  gateway = await createApp({}, { filling: excerptFilling });
});

afterAll(async () => {
  await gateway.close();
  adoptIdentities({});
});

test('the network in this repository is followed to its end: REST finds every transaction of its blocks', async () => {
  for (const [chain, transactions] of Object.entries(truth.allTransactions())) {
    const where = { network: 'fuji' as const, chain: chain as (typeof chains)[number] };
    const rows = await gateway.storage.prisma.transaction.findMany({ where, select: { txHash: true } });
    expect(rows.map(({ txHash }) => txHash).sort()).toEqual(transactions.map(({ id }) => id).sort());
  }
  const [newest] = truth.transactions().p.slice(-1);
  const { status, body } = await gateway.get(
    `/v1/networks/fuji/blockchains/p-chain/transactions/${newest!.id}`,
  );
  expect([status, body.txHash]).toEqual([200, newest!.id]);
});

test('its lists of outputs have all that was made and not consumed, and nothing else', async () => {
  const rows = await Promise.all(
    chains.map((chain) =>
      allPages<NodeOutput>(gateway, `/v1/networks/fuji/blockchains/${chain}-chain/utxos`, 'utxos'),
    ),
  );
  const ids = new Set(rows.flat().map(({ utxoId }) => utxoId));
  expect([...ids].sort()).toEqual(truth.unspentIds().sort());
});
