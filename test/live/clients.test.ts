import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp, type TestApp } from '../harness/app.js';
import { addressOf, idOf, outputId, utxoRow } from '../harness/ledger-rows.js';
import { listenOnPort } from '../harness/listen.js';
import { liveClients } from '../harness/live-clients.js';
import { metric, until } from '../harness/raw-client.js';
import { importRows } from '../harness/seed.js';

let gateway: TestApp;
let port: number;
beforeAll(async () => {
  gateway = await createApp();
  port = await listenOnPort(gateway.app);
});
afterAll(() => gateway.close());

const QUERY = `subscription ($addresses: [String!], $after: String) {
  utxos(network: mainnet, addresses: $addresses, after: $after) { cursor change node { id utxoId } }
}`;
interface Event {
  cursor: string;
  change: string;
  node: { id: string; utxoId: string };
}

const store = (name: string, fields: object = {}) =>
  importRows(gateway.storage, 'mainnet.p-chain.utxos', [
    utxoRow(name, { addresses: [addressOf(name)], ...fields }),
  ]);
const streams = (count: number) => until(async () => (await metric(port, 'moraine_streams')) === count);

test.each(Object.keys(liveClients) as (keyof typeof liveClients)[])(
  '%s receives events, goes on after a cursor, and learns why it cannot',
  async (name) => {
    const events: Event[] = [];
    const codes: unknown[] = [];
    const subscribe = (after?: string) =>
      liveClients[name](
        `http://127.0.0.1:${port}`,
        QUERY,
        { addresses: [addressOf(name)], after },
        {
          begun: () => undefined,
          data: (data: { utxos: Event }) => events.push(data.utxos),
          failed: (code) => codes.push(code),
          ended: () => undefined,
        },
      );
    const close = subscribe();
    expect(await streams(1)).toBe(true);
    await store(name);
    expect(await until(() => events.length === 1)).toBe(true);
    expect(events[0]).toMatchObject({
      cursor: expect.any(String),
      change: 'created',
      node: { id: expect.any(String), utxoId: outputId(name) },
    });
    close();
    expect(await streams(0)).toBe(true);

    await store(name, { consumingTxHash: idOf('spender') });
    const closeResumed = subscribe(events[0]?.cursor);
    expect(await until(() => events.length === 2)).toBe(true);
    expect(events[1]?.change).toBe('spent');
    closeResumed();
    expect(await streams(0)).toBe(true);
    expect(codes).toEqual([]);

    subscribe(Buffer.from('999999.0.1').toString('base64url'));
    expect(await until(() => codes.length > 0)).toBe(true);
    // urql repeats its last result when the stream is complete.
    expect(new Set(codes)).toEqual(new Set(['EVENTS_LOST']));
    expect(await streams(0)).toBe(true);
  },
);
