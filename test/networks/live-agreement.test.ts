import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adoptIdentities } from '../../src/avalanche/identity.js';
import { followOnce, startFollowing } from '../harness/followed.js';
import { truthOf } from '../harness/node-truth.js';
import { until } from '../harness/raw-client.js';
import { hasRecordedNode, isOnAllNetworks, recordedFile } from '../harness/recorded-node.js';
import { startRecordedNode, type RecordedNode } from '../harness/recorded-node.js';
import { allPages } from '../harness/rest-pages.js';
import { openStream, type Stream } from '../harness/stream.js';
import { openReceiver, openWebhooks, type Receiver, type WebhookGateway } from '../harness/webhooks.js';

const NETWORK = 'network-a';
const chains = ['p', 'x', 'c'] as const;
type Chain = (typeof chains)[number];
/** How often each chain grows by a block, from genesis on. */
const GROW_MS = 10;
/** Where they stop, because each event is a request: with TEST_NETWORKS=all at their ends. */
const [LAST_P, LEAST_EVENTS] = isOnAllNetworks ? [Infinity, 26_000] : [250, 300];
/** Webhooks of each chain, which share its addresses: each sends one event after the other. */
const WEBHOOKS = 6;
const QUERY = `subscription ($chain: String!, $address: String!) {
  utxos(network: fuji, blockchainId: $chain, addresses: [$address]) { cursor change node { utxoId } }
}`;

/** An address on a chain, its webhook, and the stream of it. */
interface Watched {
  chain: Chain;
  address: string;
  webhook: string;
  stream: Stream;
  /** Which outputs it had before, and whether they were spent. */
  before: Map<string, boolean>;
}

describe.runIf(hasRecordedNode)(`${NETWORK}, followed while it grows`, () => {
  let node: RecordedNode;
  let gateway: WebhookGateway;
  let receiver: Receiver;
  const watched: Watched[] = [];
  const given = () => ({
    urls: [node.url],
    genesis: recordedFile(NETWORK, 'genesis.json'),
    only: ['p', 'x', 'c-atomic'] as const,
  });

  beforeAll(async () => {
    node = await startRecordedNode(NETWORK, { heads: { P: 0, X: 0, C: 0 } });
    gateway = await openWebhooks({ MAX_CONNECTIONS: '4096', MAX_WEBHOOKS: String(WEBHOOKS * chains.length) });
    receiver = await openReceiver();
    expect(await followOnce(gateway.storage, given())).toEqual([]);
    const addresses = [...truthOf(NETWORK).unspent().keys()];
    for (const chain of chains)
      for (let nth = 0; nth < WEBHOOKS; nth += 1) {
        const some = addresses.filter((_, index) => index % WEBHOOKS === nth);
        const webhook = await watch(chain, some);
        for (const address of some) {
          const variables = { chain: `${chain}-chain`, address };
          const stream = await openStream(gateway.options.serverURL, QUERY, { variables });
          watched.push({ chain, address, webhook, stream, before: await outputsOf(chain, address) });
        }
      }
  });

  afterAll(async () => {
    for (const { stream } of watched) stream.close();
    await gateway.close();
    await receiver.close();
    await node.close();
    adoptIdentities({});
  });

  async function watch(chain: Chain, addresses: string[]): Promise<string> {
    const { id } = await gateway.client.webhooks.create(
      {
        eventType: 'primary_network_address_activity',
        url: receiver.url,
        network: 'fuji',
        chainId: `${chain}-chain`,
        metadata: {
          keyType: 'addresses',
          keys: addresses,
          subEvents: { addressActivitySubEvents: ['balance_change'] },
        },
      },
      gateway.options,
    );
    return id;
  }

  async function outputsOf(chain: Chain, address: string): Promise<Map<string, boolean>> {
    const path = `/v1/networks/fuji/blockchains/${chain}-chain/utxos?includeSpent=true&addresses=${address}`;
    const outputs = await allPages<{ utxoId: string; consumingTxHash?: string }>(gateway, path, 'utxos');
    return new Map(outputs.map((each) => [each.utxoId, each.consumingTxHash !== undefined]));
  }

  /** What the REST list says has happened since. */
  async function happened({ chain, address, before }: Watched): Promise<string[]> {
    const now = await outputsOf(chain, address);
    return [...now].flatMap(([id, isSpent]) => [
      ...(before.has(id) ? [] : [`created ${id}`]),
      ...(isSpent && before.get(id) !== true ? [`spent ${id}`] : []),
    ]);
  }

  /** What was sent to its webhook about an address. */
  const sentOf = ({ webhook, address }: Watched) =>
    receiver.received
      .filter(({ body }) => body.webhookId === webhook)
      .map(({ body: { event } }) => event)
      .filter((event) => (event['addresses'] as string[]).includes(address))
      .map((event) => `${event['change']} ${event['utxo'].utxoId}`);
  const streamedOf = ({ stream }: Watched) =>
    stream.events.map(({ change, node: { utxoId } }) => `${change} ${String(utxoId)}`);

  test('stream, webhook and REST list of each of its addresses agree', async () => {
    const following = await startFollowing(gateway.storage, given());
    await node.moveHeads({}, GROW_MS);
    const { full } = await node.heads();
    expect(await until(async () => (await node.heads()).head.P >= Math.min(LAST_P, full.P), 300)).toBe(true);
    await node.moveHeads({}, 0);
    // Until nothing comes any more: a stream may wait for a block of another one that is above its head.
    const stateOf = () => following.views.map(({ next }) => String(next)).join();
    for (let before = ''; before !== stateOf(); await sleep(5000)) before = stateOf();
    expect(await following.stop()).toEqual([]);

    const expected: string[][] = [];
    for (const each of watched) expected.push(await happened(each));
    expect(expected.flat().length).toBeGreaterThan(LEAST_EVENTS);
    expect(expected.filter((events) => events.length > 0).length).toBeGreaterThan(30);
    const all = expected.flatMap((events, index) =>
      events.map((event) => `${watched[index]!.webhook} ${event}`),
    );
    // An output of two addresses of a webhook is one event.
    const toSend = new Set(all).size;
    const isComplete = () =>
      receiver.received.length >= toSend &&
      watched.every(({ stream }, index) => stream.events.length >= expected[index]!.length);
    await until(isComplete, 400);
    for (const [index, each] of watched.entries()) {
      const { chain, address, stream } = each;
      expect([chain, address, stream.errors]).toEqual([chain, address, []]);
      const streamed = streamedOf(each);
      expect([chain, address, streamed.toSorted()]).toEqual([chain, address, expected[index]!.toSorted()]);
      // In the same order, too.
      expect([chain, address, sentOf(each)]).toEqual([chain, address, streamed]);
    }
  });
});
