import { formatAddress } from '../../src/avalanche/address.js';
import { webhookArguments } from '../../src/resources/webhook/arguments.js';
import { createBody } from '../../src/resources/webhook/request-body.js';
import { createApp, type TestApp } from './app.js';
import { poolOf } from './connections.js';
import { makeKey } from './keys.js';
import { serveJsonRpc } from './json-rpc.js';

/**
 * A gateway over the sample that the examples of the OpenAPI document can be sent to: the chain that they
 * name has its own RPC address on the internet, and another one here.
 */
export async function openDocumentedGateway(): Promise<{ gateway: TestApp; close: () => Promise<void> }> {
  const rpc = await serveJsonRpc({});
  const gateway = await createApp({ RPC_URLS: JSON.stringify({ 43113: rpc.url }) }, { sample: true });
  await addExampleWebhook(gateway);
  return {
    gateway,
    async close() {
      await gateway.close();
      await rpc.close();
    },
  };
}

/**
 * The webhook that examples name, of a key that they then send; with an address more, so that one can be
 * removed.
 */
async function addExampleWebhook(gateway: TestApp): Promise<void> {
  const { key } = await makeKey(gateway, 'free');
  const example = createBody.example as { metadata: { keys: string[] } };
  const keys = [...example.metadata.keys, formatAddress('fuji', new Uint8Array(20))];
  const body = { ...example, metadata: { ...example.metadata, keys } };
  const headers = { 'x-service-api-key': key, 'content-type': 'application/json' };
  const reply = await gateway.post('/v1/webhooks', headers, JSON.stringify(body));
  if (reply.status !== 201) throw new Error(reply.text);
  await poolOf(gateway.storage).query('UPDATE webhook SET public_id = $1', [webhookArguments.id.example]);
  gateway.key = key;
}
