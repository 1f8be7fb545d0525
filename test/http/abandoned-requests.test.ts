import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SharedReads } from '../../src/storage/shared-reads.js';
import { createApp, type TestApp } from '../harness/app.js';
import { connectTo, holdConnection, poolOf } from '../harness/connections.js';
import { listPath, listQuery } from '../harness/keys.js';
import { listenOnPort } from '../harness/listen.js';
import { get, metric, send, until } from '../harness/raw-client.js';

function post(query: string, accept = 'application/json'): string {
  const body = JSON.stringify({ query });
  return `POST /graphql HTTP/1.1\r\nhost: x\r\naccept: ${accept}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
}
const getGraphQL = (query: string) => get(`/graphql?query=${encodeURIComponent(query)}`);

// Longer than any test: what ends before was cancelled.
const settings = { STATEMENT_TIMEOUT_MS: '600000', DATABASE_POOL: '8' };

let patient: TestApp;
let hasty: TestApp;
// No connection of the gateway's pool, so that it sees all of those.
let watcher: pg.Client;
let port: number;
let hastyPort: number;
beforeAll(async () => {
  patient = await createApp({ ...settings, REQUEST_TIMEOUT_MS: '600000' });
  hasty = await createApp({ ...settings, REQUEST_TIMEOUT_MS: '1000' });
  [port, hastyPort] = await Promise.all([listenOnPort(patient.app), listenOnPort(hasty.app)]);
  watcher = await connectTo(patient.services.config.DATABASE_URL ?? '');
  // Answered by the plain executor; later ones are prepared.
  for (const gateway of [patient, hasty])
    for (let round = 0; round < 3; round += 1) await gateway.graphql(listQuery);
});
afterAll(() => Promise.all([watcher.end(), patient.close(), hasty.close()]));

const withoutToken = (text: string) => text.replace(/"nextPageToken":"[^"]*"/, '');

/** Statements of the gateway that the server is working on, those that wait for a lock included. */
async function statements({ storage }: TestApp, like = '%utxo_owner%'): Promise<number> {
  const { rows } = await poolOf(storage).query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity
      WHERE datname = current_database() AND state = 'active' AND pid <> pg_backend_pid() AND query LIKE $1`,
    [like],
  );
  return rows[0]?.count ?? 0;
}

/** The server's processes of connections of the patient gateway that are in such a state. */
async function pids(states: string): Promise<number[]> {
  const { rows } = await watcher.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND state LIKE $1 AND pid <> pg_backend_pid()`,
    [states],
  );
  return rows.map(({ pid }) => pid);
}

/** Has every list of outputs wait while `work` is done. */
async function whileHeld(gateway: TestApp, work: () => Promise<void>): Promise<void> {
  const client = await holdConnection(gateway.storage);
  try {
    await client.query('BEGIN; LOCK TABLE utxo_owner IN ACCESS EXCLUSIVE MODE');
    await work();
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}

const doors = [
  ['REST', get(listPath)],
  ['GraphQL, seen before', post(listQuery)],
  ['GraphQL, for the first time', post(`${listQuery} # anew`)],
  ['GraphQL as graphql-response+json', post(`${listQuery} # typed`, 'application/graphql-response+json')],
  ['GET of GraphQL, seen before', getGraphQL(listQuery)],
  ['GET of GraphQL, for the first time', getGraphQL(`${listQuery} # anew, by GET`)],
] as const;

describe.each(doors)('by %s', (_door, request) => {
  test('the statement of a client that leaves is cancelled in the server, and its slot is free', () =>
    whileHeld(patient, async () => {
      const socket = await send(port, request);
      expect(await until(async () => (await statements(patient)) === 1)).toBe(true);
      const [asking] = await pids('active');
      socket.resetAndDestroy();
      expect(await until(async () => (await statements(patient)) === 0)).toBe(true);
      expect(await until(async () => (await metric(port, 'moraine_http_requests_in_flight')) === 0)).toBe(
        true,
      );
      // The cancel may be heard late: nobody else is given that connection. One that is kept ends after ten
      // idle seconds.
      expect(await until(async () => !(await pids('%')).includes(asking ?? 0), 5)).toBe(true);
    }));

  test('the statement of a request that is too late is cancelled in the server', () =>
    whileHeld(hasty, async () => {
      const socket = await send(hastyPort, request);
      expect(await until(async () => (await statements(hasty)) === 1)).toBe(true);
      const [chunk] = (await socket.take(1).toArray()) as Buffer[];
      expect(String(chunk)).toContain('HTTP/1.1 503');
      expect(String(chunk)).toContain('longer than the allowed 1000 ms');
      expect(await until(async () => (await statements(hasty)) === 0)).toBe(true);
    }));
});

test('a statement that ends soon after its client left keeps its connection', async () => {
  const isKept = async () => {
    let asking: number[] = [];
    await whileHeld(patient, async () => {
      const socket = await send(port, get(listPath));
      expect(await until(async () => (await statements(patient)) === 1)).toBe(true);
      asking = await pids('active');
      const before = patient.app.load.connections;
      socket.resetAndDestroy();
      // Not from /metrics, which is read once a second.
      expect(await until(() => Promise.resolve(patient.app.load.connections < before))).toBe(true);
    });
    expect(await until(async () => (await statements(patient)) === 0)).toBe(true);
    await sleep(50);
    const left = new Set(await pids('%'));
    return asking.length > 0 && asking.every((pid) => left.has(pid));
  };
  // On a machine that stands still meanwhile it is cancelled, as it should be.
  let kept = false;
  for (let attempt = 0; attempt < 10 && !kept; attempt += 1) kept = await isKept();
  expect(kept).toBe(true);
});

test('statements of clients that leave at any moment take no other statement with them', async () => {
  const right = withoutToken((await patient.get(listPath)).text);
  const wrong: string[] = [];
  for (let round = 0; round < 12; round += 1) {
    // Some end before they would be cancelled, some after it, and some at that moment.
    await whileHeld(patient, async () => {
      const sockets = await Promise.all(
        [1, 2, 3].map((size) => send(port, get(`${listPath}?pageSize=${size}`))),
      );
      expect(await until(async () => (await statements(patient)) > 0)).toBe(true);
      for (const socket of sockets) socket.resetAndDestroy();
      await sleep(85 + 3 * round);
    });
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => fetch(`http://127.0.0.1:${port}${listPath}`)),
    );
    for (const reply of replies) {
      const text = withoutToken(await reply.text());
      if (reply.status !== 200 || text !== right) wrong.push(`${reply.status} ${text.slice(0, 200)}`);
    }
  }
  expect(wrong).toEqual([]);
});

test('a thousand clients that leave in the middle cancel nobody else’s statement', async () => {
  const pages = await Promise.all(
    [1, 2, 3, 4, 5].map(async (size) => {
      const path = `${listPath}?pageSize=${size}`;
      return { path, right: withoutToken((await patient.get(path)).text) };
    }),
  );
  const wrong: string[] = [];
  let done = false;
  const staying = Array.from({ length: 6 }, async (_, index) => {
    for (let round = 0; !done; round += 1) {
      const { path, right } = pages[(round + index) % pages.length]!;
      const reply = await fetch(`http://127.0.0.1:${port}${path}`);
      const text = withoutToken(await reply.text());
      if (reply.status !== 200 || text !== right) wrong.push(`${reply.status} ${text.slice(0, 200)}`);
    }
  });
  for (let round = 0; round < 100; round += 1) {
    const leaving = await Promise.all(
      pages.flatMap(({ path }) => [send(port, get(path)), send(port, get(`${path}&sortOrder=asc`))]),
    );
    // At any moment of a request, which takes some milliseconds.
    await sleep((round % 10) / 2);
    for (const socket of leaving) socket.resetAndDestroy();
  }
  done = true;
  await Promise.all(staying);
  expect(wrong).toEqual([]);
  expect(SharedReads.of(poolOf(patient.storage)).figures.reads).toBeGreaterThan(0);
});
