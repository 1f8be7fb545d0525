import { createApp, type TestApp } from './app.js';
import { serveJsonRpc } from './json-rpc.js';

/**
 * A gateway over the sample that the examples of the OpenAPI document can be sent to: the chain that they
 * name has its own RPC address on the internet, and another one here.
 */
export async function openDocumentedGateway(): Promise<{ gateway: TestApp; close: () => Promise<void> }> {
  const rpc = await serveJsonRpc({});
  const gateway = await createApp({ RPC_URLS: JSON.stringify({ 43113: rpc.url }) }, { sample: true });
  return {
    gateway,
    async close() {
      await gateway.close();
      await rpc.close();
    },
  };
}
