import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp } from '../../harness/app.js';
import { createDatabase, type TestDatabase } from '../../harness/database.js';
import { listen } from '../../harness/listen.js';
import { startMoraine, type MoraineProcess } from '../../harness/moraine.js';

const list = '/v1/networks/fuji/blockchains/p-chain/utxos?includeSpent=true&sortBy=amount&pageSize=100';

let database: TestDatabase;
let gateway: MoraineProcess;
const walks = new Map<Read, { whole: string[][]; begun: string[][]; next: string | null }>();

beforeAll(async () => {
  database = await createDatabase({ sample: true });
  // Only the database of the former gateway is left: it belongs to this process.
  const before = await createApp({}, { reach: () => database.url });
  const url = await listen(before.app);
  for (const read of [restPage, graphqlPage]) {
    const { pages: whole } = await walk(read, url);
    const { pages: begun, next } = await walk(read, url, '', 3);
    walks.set(read, { whole, begun, next });
  }
  await before.close();
  gateway = await startMoraine(
    'serve',
    { DATABASE_URL: database.url, PORT: '0', WORKER: 'off', LOG_LEVEL: 'silent', RATE_LIMITS: 'off' },
    /http:\/\/127\.0\.0\.1:\d+(?=\/$)/,
  );
});
afterAll(async () => {
  expect(await gateway.stop()).toBe(0);
  await database.drop();
});

interface Page {
  utxoIds: string[];
  next: string | null;
}

/** Reads a page of the gateway at an address. */
type Read = (url: string, token: string) => Promise<Page>;

async function restPage(url: string, token: string): Promise<Page> {
  const reply = await fetch(`${url}${list}&pageToken=${token}`);
  expect(reply.status).toBe(200);
  const body = (await reply.json()) as { utxos: { utxoId: string }[]; nextPageToken?: string };
  return { utxoIds: body.utxos.map(({ utxoId }) => utxoId), next: body.nextPageToken ?? null };
}

async function graphqlPage(url: string, after: string): Promise<Page> {
  const query = `{ utxos(network: fuji, blockchainId: "p-chain", includeSpent: true, sortBy: amount, first: 100,
    after: ${JSON.stringify(after)}) { nodes { utxoId } pageInfo { hasNextPage endCursor } } }`;
  const headers = { 'content-type': 'application/json' };
  const reply = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ query }),
  });
  const { data } = (await reply.json()) as {
    data: { utxos: { nodes: { utxoId: string }[]; pageInfo: { hasNextPage: boolean; endCursor: string } } };
  };
  const { nodes, pageInfo } = data.utxos;
  return {
    utxoIds: nodes.map(({ utxoId }) => utxoId),
    next: pageInfo.hasNextPage ? pageInfo.endCursor : null,
  };
}

/**
 * The ids of each page of the list from `token` on, of at most `most` pages, and the token of the next one.
 */
async function walk(read: Read, url: string, token: string | null = '', most = Infinity) {
  const pages: string[][] = [];
  let next = token;
  while (next !== null && pages.length < most) {
    const page: Page = await read(url, next);
    pages.push(page.utxoIds);
    next = page.next;
  }
  return { pages, next };
}

test.each([
  ['REST', restPage],
  ['GraphQL', graphqlPage],
])('a walk through %s goes on where it was after the gateway was started again', async (_door, read) => {
  const { whole, begun, next } = walks.get(read)!;
  expect(whole.length).toBeGreaterThan(4);
  expect(new Set(whole.flat()).size).toBe(whole.flat().length);
  expect([begun.length, typeof next]).toEqual([3, 'string']);
  const rest = await walk(read, gateway.ready, next);
  expect([...begun, ...rest.pages]).toEqual(whole);
});
