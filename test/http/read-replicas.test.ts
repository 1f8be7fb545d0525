import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createApp, type TestApp } from '../harness/app.js';
import { addressOf, dateOf, postComposite, type CompositeBody } from '../harness/composite.js';
import { poolOf } from '../harness/connections.js';
import { freshList, freshPage, outputsAt } from '../harness/fresh-page.js';
import { importRows } from '../harness/import-rows.js';
import { serveJsonRpc } from '../harness/json-rpc.js';
import { makeKey } from '../harness/keys.js';
import type { LoopbackServer } from '../harness/loopback.js';
import { none, readToken, reindexMutation } from '../harness/nft-api.js';
import { openProxy, type Proxy } from '../harness/proxy.js';
import { metricOf, readsFromReplica } from '../harness/replica-reads.js';
import { openReplication, type Replication } from '../harness/standby.js';

const graph = `query ($after: String) { utxos(network: fuji, blockchainId: "p-chain", first: 1, after: $after) {
  nodes { utxoId } pageInfo { endCursor } } }`;

let replication: Replication;
let rpc: LoopbackServer;
let toPrimary: Proxy;
let primary: TestApp;
/** Reads from the standby however far that is behind. */
let gateway: TestApp;

beforeAll(async () => {
  replication = await openReplication();
  rpc = await serveJsonRpc({});
  toPrimary = await openProxy(replication.primaryUrl);
  primary = await createApp({}, { reach: () => replication.primaryUrl });
  gateway = await createApp(
    {
      READ_DATABASE_URLS: replication.standbyUrl,
      READ_MAX_LAG_MS: '3600000',
      RPC_URLS: JSON.stringify({ 43113: rpc.url }),
    },
    { reach: () => toPrimary.url },
  );
  await replication.caughtUp();
  await readsFromReplica(gateway, true);
});

afterEach(async () => {
  await replication.resume();
  await replication.caughtUp();
});

afterAll(async () => {
  await gateway?.close();
  await primary?.close();
  await toPrimary?.close();
  await rpc?.close();
  await replication?.close();
});

describe('what a replica has not seen yet', () => {
  test('of a page token is looked up on the primary, whose page is the answer', async () => {
    await freshPage(primary, 'seen');
    await replication.caughtUp();
    await replication.pause();
    const page = await freshPage(primary, 'late');
    // The list itself is the standby's, without the rows that are late.
    expect(await outputsAt(gateway, freshList)).not.toEqual(await outputsAt(primary, freshList));
    const found = await outputsAt(gateway, page);
    expect(found).toHaveLength(1);
    expect(found).toEqual(await outputsAt(primary, page));
  });

  test('of a cursor is looked up there too, by an operation that is new and by one that was seen before', async () => {
    await replication.pause();
    await freshPage(primary, 'late for a cursor');
    const first = await primary.graphql<{ utxos: { pageInfo: { endCursor: string } } }>(graph);
    const after = first.data.utxos.pageInfo.endCursor;
    const wanted = await primary.graphql<{ utxos: { nodes: unknown[] } }>(graph, { after });
    for (let round = 0; round < 3; round += 1) {
      const { data, errors } = await gateway.graphql<typeof wanted.data>(graph, { after });
      expect(errors).toBeUndefined();
      expect(data.utxos.nodes).toEqual(wanted.data.utxos.nodes);
    }
  });

  test('is 503 with retry-after while the primary cannot be asked; what needs no such look is answered', async () => {
    await replication.pause();
    const page = await freshPage(primary, 'alone');
    toPrimary.swallow();
    toPrimary.cut();
    try {
      const { status, headers } = await gateway.get(page);
      expect([status, headers['retry-after']]).toEqual([503, expect.stringMatching(/^[1-9]\d*$/)]);
      expect((await gateway.get(freshList)).status).toBe(200);
    } finally {
      toPrimary.mend();
    }
    await expect.poll(async () => (await gateway.get(page)).status, { timeout: 20_000 }).toBe(200);
  });

  test('is of unknown age while the primary does not answer: no metric says 0, and no metric names a host', async () => {
    const [lag, age] = ['lag', 'lag_age'].map(
      (name) => `moraine_database_replica_${name}_seconds{server="replica-1"}`,
    ) as [string, string];
    await readsFromReplica(gateway, true);
    await expect.poll(() => metricOf(gateway, lag)).toBe(0);
    toPrimary.swallow();
    toPrimary.cut();
    try {
      await expect.poll(() => metricOf(gateway, lag), { timeout: 20_000 }).toBeUndefined();
      const first = (await metricOf(gateway, age))!;
      await expect.poll(() => metricOf(gateway, age), { timeout: 20_000 }).toBeGreaterThan(first);
      expect((await gateway.get(freshList)).status).toBe(200);
      expect((await gateway.get('/ready')).status).toBe(503);
      const { text } = await gateway.get('/metrics');
      const hosts = [replication.primaryUrl, replication.standbyUrl, toPrimary.url].map(
        (each) => new URL(each),
      );
      for (const { hostname, port } of hosts)
        expect(text).not.toMatch(new RegExp(`"[^"]*(${decodeURIComponent(hostname)}|:${port})[^"]*"`));
    } finally {
      toPrimary.mend();
    }
    await expect.poll(() => metricOf(gateway, lag), { timeout: 20_000 }).toBe(0);
  });

  test('and the primary no longer holds either is 400', async () => {
    await replication.pause();
    const page = await freshPage(primary, 'gone');
    await poolOf(primary.storage).query('TRUNCATE utxo, utxo_owner, address_balance CASCADE');
    const { status, text } = await gateway.get(page);
    expect([status, text]).toEqual([400, expect.stringContaining('an import has removed or moved')]);
  });

  test('of a composite query gives the next page of the set that the token is of', async () => {
    const day = dateOf(1);
    const balances = (...numbers: number[]) =>
      importRows(
        primary.storage,
        'evm.77.native-balances',
        numbers.map((each) => ({ date: day, address: addressOf(each), balance: '5' })),
      );
    const params = { evmChainId: '77', minBalance: '1', firstDate: day, lastDate: day };
    const asked: CompositeBody = {
      operator: 'AND',
      queries: [{ id: 'a', type: 'AllTimeNativeBalance', params }],
      pageSize: 1,
    };
    await balances(1, 2);
    await replication.caughtUp();
    await replication.pause();
    await balances(3, 4);
    expect((await postComposite(gateway, asked)).body.totalCount).toBe(2);
    const { nextPageToken: pageToken } = (await postComposite(primary, asked)).body;
    const [wanted, found] = [
      await postComposite(primary, { ...asked, pageToken, pageSize: 3 }),
      await postComposite(gateway, { ...asked, pageToken, pageSize: 3 }),
    ];
    expect(found).toMatchObject({ status: 200, body: { totalCount: 4 } });
    expect(found.body.addresses).toEqual(wanted.body.addresses);
    // The set is remembered now: the standby lacks addresses of it.
    expect((await postComposite(gateway, { ...asked, pageToken, pageSize: 3 })).body).toEqual(found.body);
    expect((await postComposite(gateway, asked)).body.totalCount).toBe(2);
  });
});

describe('the primary is asked', () => {
  test('for keys, so that a new one is admitted and a revoked one refused however late the replica is', async () => {
    await replication.pause();
    const { key, record } = await makeKey(primary, 'free');
    const headers = { 'x-service-api-key': key };
    expect((await gateway.get(freshList, headers)).status).toBe(200);
    await primary.services.accessControl.keys.revoke(record.id);
    // As long as a key that was found is taken for granted.
    gateway.clock.now += 5001;
    expect((await gateway.get(freshList, headers)).status).toBe(401);
  });

  test('by a mutation, what it reads afterwards included', async () => {
    await replication.pause();
    const asked = { chainId: '43113', address: none, tokenId: '7' };
    const mutation = reindexMutation.replace('tokenId\n      }', 'tokenId metadataStatus\n      }');
    const { data, errors } = await gateway.graphql(mutation, asked);
    expect(errors).toBeUndefined();
    expect(data).toMatchObject({ reindexNft: { token: { tokenId: '7', metadataStatus: 'QUEUED' } } });
    expect(await readToken(gateway, none, '7')).toBeNull();
    expect(await readToken(primary, none, '7')).not.toBeNull();
  });
});
