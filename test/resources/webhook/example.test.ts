import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { outputId, utxoRow } from '../../harness/ledger-rows.js';
import { until } from '../../harness/raw-client.js';
import { importRows } from '../../harness/seed.js';
import { openWebhooks, type WebhookGateway } from '../../harness/webhooks.js';

/** The receiver of docs/webhooks.md, as it stands there. */
async function documentedReceiver() {
  const page = readFileSync(new URL('../../../docs/webhooks.md', import.meta.url), 'utf8');
  const [, code = ''] = /```js\n([\s\S]+?)```/.exec(page) ?? [];
  const module = `data:text/javascript;base64,${Buffer.from(code).toString('base64')}`;
  return (await import(module)) as {
    receive: (secret: string, take: (event: any) => Promise<void>) => Server;
  };
}

let gateway: WebhookGateway;
beforeAll(async () => {
  gateway = await openWebhooks();
});
afterAll(() => gateway.close());

test('the receiver of the documentation takes what is signed, and refuses what is not or is old', async () => {
  const { receive } = await documentedReceiver();
  const taken: any[] = [];
  // The port is known before the secret, which the first webhook makes.
  const free = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => free.once('listening', resolve));
  const { port } = free.address() as AddressInfo;
  await new Promise((resolve) => free.close(resolve));
  const url = `http://127.0.0.1:${port}`;
  await gateway.watch(url, ['anna']);
  const { secret } = await gateway.client.webhooks.getSharedSecret(gateway.options);
  const server = receive(secret, (event) => Promise.resolve(void taken.push(event)));
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', () => resolve()));
  try {
    await importRows(gateway.storage, 'mainnet.p-chain.utxos', [utxoRow('documented')]);
    expect(await until(() => taken.length === 1)).toBe(true);
    expect(taken[0].event.utxo.utxoId).toBe(outputId('documented'));
    const forged = await fetch(url, {
      method: 'POST',
      body: JSON.stringify(taken[0]),
      headers: { 'x-signature': 'AAAA', 'x-moraine-timestamp': String(Math.floor(Date.now() / 1000)) },
    });
    expect(forged.status).toBe(401);
    expect(taken).toHaveLength(1);
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
});
