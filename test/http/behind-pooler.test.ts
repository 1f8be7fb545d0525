import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { loadSample } from '../../src/load-sample.js';
import { createApp, type TestApp } from '../harness/app.js';
import { connectTo } from '../harness/connections.js';
import { makeKey } from '../harness/keys.js';
import { pgbouncerTooOld, POOL, startPgBouncer, through, type TestPooler } from '../harness/pgbouncer.js';
import { limitStatements, tracesBehind } from '../harness/pooler-traces.js';
import { readsFromReplica, replicaOf } from '../harness/replica-reads.js';
import { openReplication, type Replication } from '../harness/standby.js';

const because = pgbouncerTooOld ? ` (skipped: ${pgbouncerTooOld})` : '';
const json = { 'content-type': 'application/json' };

/** Requests, answered with or without a pooler between. */
type Ask = (gateway: TestApp) => Promise<{ status: number; text: string }>;

const graph = (query: string, variables?: object): Ask => {
  const body = JSON.stringify({ query, variables });
  return (gateway) => gateway.post('/graphql', json, body);
};
const blockchain = '/v1/networks/fuji/blockchains';
const utxos =
  '{ utxos(network: fuji, blockchainId: "p-chain", first: 5) { totalCount nodes { utxoId amount } } }';
const mixed: Ask[] = [
  ...['p-chain', 'x-chain', 'c-chain'].flatMap((chain) =>
    ['utxos?pageSize=10&includeSpent=true', 'utxos?pageSize=100&sortOrder=asc'].map(
      (list): Ask =>
        (gateway) =>
          gateway.get(`${blockchain}/${chain}/${list}`),
    ),
  ),
  (gateway) => gateway.get('/v1/chains'),
  (gateway) => gateway.get('/v1/icm/messages?network=fuji&pageSize=20'),
  (gateway) => gateway.get('/ready'),
  graph(utxos),
  graph(
    `query ($first: Int) { transactions(network: fuji, blockchainId: "x-chain", first: $first) {
       nodes { txHash outputs(first: 3) { nodes { utxoId } } } } }`,
    { first: 7 },
  ),
  graph(
    '{ assets: utxos(network: fuji, blockchainId: "x-chain", first: 3) { nodes { asset { name symbol } } } }',
  ),
];

/** An answer without what is sealed anew for each. */
const essence = ({ status, text }: { status: number; text: string }) =>
  `${status} ${text.replace(/"(nextPageToken|requestId)":"[^"]*"/g, '')}`;

describe.skipIf(pgbouncerTooOld)(`through a pooler with ${POOL} server connections${because}`, () => {
  let pooler: TestPooler;
  let gateway: TestApp;
  let plain: TestApp;
  let databaseUrl: string;

  beforeAll(async () => {
    pooler = await startPgBouncer(inject('testServer').url);
    gateway = await createApp({ DATABASE_POOL: '32' }, { pooler: pooler.port });
    databaseUrl = gateway.services.config.DIRECT_DATABASE_URL!;
    await loadSample(gateway.storage, pino({ level: 'silent' }));
    plain = await createApp({}, { reach: () => databaseUrl });
  });
  afterAll(async () => {
    await plain?.close();
    await gateway?.close();
    await pooler?.stop();
  });

  /** Asks everything, sixteen at a time; what was answered otherwise than without a pooler. */
  async function wrong(asked: readonly Ask[], rounds: number, asking = gateway): Promise<string[]> {
    const right: string[] = [];
    for (const ask of asked) right.push(essence(await ask(plain)));
    expect(right.filter((answer) => !answer.startsWith('200'))).toEqual([]);
    const found: string[] = [];
    for (let round = 0; round < rounds; round += 1)
      await Promise.all(
        Array.from({ length: 16 }, async (_, index) => {
          const which = (index + round * 16) % asked.length;
          const answer = essence(await asked[which]!(asking));
          if (answer !== right[which]) found.push(answer.slice(0, 300));
        }),
      );
    return found;
  }

  test('sixteen requests at a time are answered as without it', async () => {
    expect(await wrong(mixed, 30)).toEqual([]);
  });

  test('a gateway that has more operations than a connection keeps prepared takes none from another', async () => {
    const narrow = await createApp(
      { DATABASE_POOL: '4', DIRECT_DATABASE_URL: databaseUrl },
      { reach: () => through(pooler.port, databaseUrl) },
    );
    // The first time each is resolved; asked again soon after, it is a statement of its own.
    const operations = Array.from({ length: 350 }, (_, index) =>
      graph(`{ utxos(network: fuji, blockchainId: "p-chain", first: 2) { nodes { a${index}: utxoId } } }`),
    ).flatMap((operation) => [operation, operation, operation]);
    try {
      const found = await Promise.all([wrong(operations, 66, narrow), wrong(mixed, 60)]);
      expect(found).toEqual([[], []]);
    } finally {
      await narrow.close();
    }
  });

  test('a statement that is lost behind its back is asked again without its name', async () => {
    const clients = await Promise.all(
      Array.from({ length: POOL }, () => connectTo(through(pooler.port, databaseUrl))),
    );
    for (const client of clients) await client.query('BEGIN');
    // In a way that the pooler does not notice.
    for (const client of clients) await client.query(`DO $$ BEGIN EXECUTE 'DEALLOCATE ALL'; END $$`);
    for (const client of clients) await client.query('COMMIT');
    await Promise.all(clients.map((client) => client.end()));
    expect(await wrong(mixed, 6)).toEqual([]);
  });

  test('keys are made, used and revoked, and counted by', async () => {
    const { key, record } = await makeKey(gateway, 'free');
    const list = `${blockchain}/p-chain/utxos`;
    expect((await gateway.get(list, { 'x-service-api-key': key })).status).toBe(200);
    expect(await gateway.services.accessControl.keys.revoke(record.id)).toBe(true);
  });

  test('nothing is left on a server connection', async () => {
    expect(await tracesBehind(pooler.port, databaseUrl)).toEqual([]);
  });
});

describe.skipIf(pgbouncerTooOld)(`with a replica behind a pooler of its own${because}`, () => {
  let replication: Replication;
  let poolers: TestPooler[];

  beforeAll(async () => {
    replication = await openReplication();
    await limitStatements(replication.primaryUrl, 10_000);
    await replication.caughtUp();
    poolers = await Promise.all(
      [replication.primaryUrl, replication.standbyUrl].map((url) => startPgBouncer(url)),
    );
  });
  afterAll(async () => {
    await Promise.all((poolers ?? []).map((each) => each.stop()));
    await replication?.close();
  });

  test('requests are read from it', async () => {
    const [first, second] = poolers as [TestPooler, TestPooler];
    const { primaryUrl, standbyUrl } = replication;
    const gateway = await createApp(
      { DIRECT_DATABASE_URL: primaryUrl, READ_DATABASE_URLS: through(second.port, standbyUrl) },
      { reach: () => through(first.port, primaryUrl) },
    );
    try {
      await loadSample(gateway.storage, pino({ level: 'silent' }));
      await replication.caughtUp();
      await readsFromReplica(gateway, true);
      const before = replicaOf(gateway).reads;
      for (const ask of mixed) expect((await ask(gateway)).status).toBe(200);
      expect(replicaOf(gateway).reads).toBeGreaterThan(before + 5);
    } finally {
      await gateway.close();
    }
    expect(await tracesBehind(first.port, primaryUrl)).toEqual([]);
    expect(await tracesBehind(second.port, standbyUrl)).toEqual([]);
  });
});
