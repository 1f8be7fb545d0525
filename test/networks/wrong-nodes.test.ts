import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setTimeout as sleep } from 'node:timers/promises';
import { adoptIdentities } from '../../src/avalanche/identity.js';
import { excerptGenesis, startExcerptNode } from '../harness/excerpt-node.js';
import { excerptFilling, followOnce, startFollowing } from '../harness/followed.js';
import { dumpFollowed, dumpOf } from '../harness/followed-dump.js';
import { createImportDatabase } from '../harness/ingest.js';
import { openNodeProxy, type NodeFaults } from '../harness/node-proxy.js';
import type { NodeServer } from '../harness/node-server.js';

let node: NodeServer;
let whole: Record<string, unknown[]>;

beforeAll(async () => {
  whole = await dumpOf(excerptFilling);
  node = await startExcerptNode();
});

afterAll(async () => {
  await node.close();
  adoptIdentities({});
});

describe.each<Partial<NodeFaults>>([
  { delayMs: 20 },
  { silence: 0.005 },
  { cut: 0.05 },
  { tooMany: 0.05 },
  { unavailable: 0.05 },
  { lag: 7, oldHead: 0.5 },
  { swap: 0.02 },
  { flip: 0.02 },
  // A forged block may be found by the next one alone.
  { forge: 0.01 },
  { empty: 0.1 },
])('a node with %j', (faults) => {
  test('stops nothing, and gives the rows of an honest one', async () => {
    const database = await createImportDatabase();
    const proxy = await openNodeProxy(node.url, { seed: 32, faults });
    const given = { genesis: excerptGenesis, node: { patienceMs: 500, timeoutMs: 1000 } };
    try {
      const signal = AbortSignal.timeout(120_000);
      const stopped = await followOnce(database.storage, { ...given, urls: [proxy.url], signal });
      expect(signal.aborted).toBe(false);
      const name = Object.keys(faults)[0] as keyof NodeFaults;
      if (name !== 'delayMs' && name !== 'lag') expect(proxy.counts[name]).toBeGreaterThan(0);
      expect(stopped).toEqual([]);
      // What it left out it left out as a whole: an honest node fills in the rest.
      expect(await followOnce(database.storage, { ...given, urls: [node.url] })).toEqual([]);
      expect(await dumpFollowed(database.storage)).toEqual(whole);
    } finally {
      await proxy.close();
      await database.close();
    }
  });
});

test('a node that is started again in the middle, and bootstraps for a while: the follower goes on by itself', async () => {
  const database = await createImportDatabase();
  let restarted = await startExcerptNode();
  const port = Number(new URL(restarted.url).port);
  const proxy = await openNodeProxy(restarted.url, { faults: { delayMs: 20 } });
  try {
    const given = { genesis: excerptGenesis, node: { patienceMs: 100 }, urls: [proxy.url] };
    const following = await startFollowing(database.storage, { ...given, once: true });
    await sleep(300);
    await restarted.close();
    await sleep(300);
    proxy.faults.bootstrapping = ['/ext/bc/'];
    restarted = await startExcerptNode({}, port);
    await sleep(300);
    proxy.faults.bootstrapping = [];
    expect(await following.ended).toEqual([]);
    expect(await dumpFollowed(database.storage)).toEqual(whole);
  } finally {
    await proxy.close();
    await restarted.close();
    await database.close();
  }
});
