import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { adoptIdentities } from '../../src/avalanche/identity.js';
import { excerptGenesis, startExcerptNode } from '../harness/excerpt-node.js';
import { excerptFilling, followOnce, networkFilling, type ToFollow } from '../harness/followed.js';
import { dumpFollowed, dumpOf } from '../harness/followed-dump.js';
import { createImportDatabase, type ImportDatabase } from '../harness/ingest.js';
import {
  openNodeProxy,
  rpcRefusal,
  type NodeFaults,
  type NodeProxy,
  type Refusal,
} from '../harness/node-proxy.js';
import {
  hasRecordedNode,
  isOnAllNetworks,
  recordedFile,
  startRecordedNode,
} from '../harness/recorded-node.js';

/** Pauses that are as long to a second and a day of these tests as those of a follower are to real ones. */
const node = { patienceMs: 5000, pauses: { least: 50, most: 1000 } };

const tooMany: [string, Refusal][] = [
  ['status 429', { status: 429, body: 'rate limit exceeded' }],
  [
    'an error under status 200',
    rpcRefusal(200, -32005, 'daily request count exceeded, request rate limited'),
  ],
  ['words that nobody knows', rpcRefusal(200, -32000, 'come back when the tide is out')],
  ['a code of our own faults', rpcRefusal(400, -32602, 'invalid argument 0')],
  ['a status that nobody expects', { status: 418, body: 'short and stout' }],
];

let database: ImportDatabase;
let proxy: NodeProxy;
const running: { close: () => Promise<void> }[] = [];

beforeEach(async () => {
  database = await createImportDatabase();
});
afterEach(async () => {
  for (const each of running.splice(0).reverse()) await each.close();
  await database.close();
});
afterAll(() => adoptIdentities({}));

interface Target {
  readonly url: string;
  close: () => Promise<void>;
}

async function limited(target: Target, faults: Partial<NodeFaults>) {
  proxy = await openNodeProxy(target.url, { faults });
  running.push(target, proxy);
  return proxy.url;
}

/** Follows to the end from a node with limits alone, and says how long that took. */
async function expectWhole(what: string, given: ToFollow, whole: Record<string, unknown[]>): Promise<void> {
  const started = performance.now();
  expect(await followOnce(database.storage, { ...given, node })).toEqual([]);
  const seconds = (performance.now() - started) / 1000;
  console.log(
    `${what}: ${proxy.calls()} requests in ${seconds.toFixed(1)} s, refused ${JSON.stringify(proxy.counts)}`,
  );
  expect(await database.storage.prisma.followGap.count()).toBe(0);
  expect(await dumpFollowed(database.storage)).toEqual(whole);
}

const excerpt = {
  name: 'the excerpt',
  genesis: excerptGenesis,
  start: () => startExcerptNode(),
  filling: excerptFilling,
  perSecond: 25,
};
const providers = [
  excerpt,
  ...(hasRecordedNode && isOnAllNetworks ? (['network-a', 'network-c'] as const) : []).map((network) => ({
    name: network,
    genesis: recordedFile(network, 'genesis.json'),
    start: () => startRecordedNode(network),
    filling: networkFilling(network),
    // With 25 the 16,000 requests of network A take more than a quarter of an hour.
    perSecond: 100,
  })),
];

describe.each(providers)(
  'a provider of $name gives everything, in the time that its limits allow',
  ({ name, genesis, start, filling, perSecond }) => {
    let whole: Record<string, unknown[]>;

    beforeAll(async () => {
      whole = await dumpOf(filling);
    });

    test(`${perSecond} requests a second, shown by status 429`, async () => {
      const url = await limited(await start(), { perSecond });
      await expectWhole(`${name}, ${perSecond} requests a second`, { genesis, urls: [url] }, whole);
      expect(proxy.counts.perSecond).toBeGreaterThan(0);
    });

    test.each(tooMany)('a quota of 400 requests a day of 4 seconds, shown by %s', async (how, refusal) => {
      const url = await limited(await start(), { perDay: 400, dayMs: 4000, refusal });
      await expectWhole(`${name}, a daily quota, ${how}`, { genesis, urls: [url] }, whole);
      expect(proxy.counts.perDay).toBeGreaterThan(0);
    });
  },
);

describe.runIf(hasRecordedNode).each(['network-a', 'network-c'] as const)(
  'traces and receipts of %s',
  (network) => {
    const only = ['internals', 'nfts', 'messages'] as const;
    const given = { genesis: hasRecordedNode ? recordedFile(network, 'genesis.json') : '', only };
    // Half of it: each call is limited alike.
    const start = () => startRecordedNode(network, { heads: { C: 300 } });
    let whole: Record<string, unknown[]>;
    // Each way on one of both networks, unless all are asked for.
    const shown = tooMany.filter(
      (_, index) => isOnAllNetworks || (index % 2 === 0) === (network === 'network-a'),
    );

    beforeAll(async () => {
      const [honest, own] = [await start(), await createImportDatabase()];
      expect(await followOnce(own.storage, { ...given, urls: [honest.url] })).toEqual([]);
      whole = await dumpFollowed(own.storage);
      await honest.close();
      await own.close();
    });

    // A quota is shown in each way above.
    test.each(isOnAllNetworks ? shown : shown.slice(0, 1))(
      '100 calls a second, shown by %s',
      async (how, refusal) => {
        const url = await limited(await start(), { perSecond: 100, refusal });
        await expectWhole(`${network}, 100 calls a second, ${how}`, { ...given, urls: [url] }, whole);
      },
    );

    test.each(shown)('three calls in a batch, shown by %s', async (how, refusal) => {
      const url = await limited(await start(), { mostInBatch: 3, refusal });
      await expectWhole(`${network}, three calls in a batch, ${how}`, { ...given, urls: [url] }, whole);
      expect(proxy.counts.mostInBatch).toBeGreaterThan(0);
    });

    test.each(shown)('each tenth call refused with %s', async (how, refusal) => {
      const url = await limited(await start(), { refused: 0.1, refusal });
      await expectWhole(`${network}, each tenth call, ${how}`, { ...given, urls: [url] }, whole);
      expect(proxy.counts.refused).toBeGreaterThan(0);
    });
  },
);

test.runIf(!hasRecordedNode)('no recorded network lies in ../shared/node', () => {
  expect(hasRecordedNode).toBe(false);
});
