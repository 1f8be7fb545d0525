import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase, type TestDatabase } from '../../harness/database.js';
import { startMoraine, type MoraineProcess } from '../../harness/moraine.js';

const list = '/v1/networks/fuji/blockchains/p-chain/utxos?includeSpent=true&sortBy=amount&pageSize=100';

let database: TestDatabase;
let gateway: MoraineProcess;
beforeAll(async () => {
  database = await createDatabase({ sample: true });
  gateway = await start();
});
afterAll(async () => {
  await gateway.stop();
  await database.drop();
});

const start = () =>
  startMoraine(
    'serve',
    { DATABASE_URL: database.url, PORT: '0', WORKER: 'off', LOG_LEVEL: 'silent', RATE_LIMITS: 'off' },
    /http:\/\/127\.0\.0\.1:\d+(?=\/$)/,
  );

interface Page {
  utxoIds: string[];
  next: string | null;
}

async function restPage(token: string): Promise<Page> {
  const reply = await fetch(`${gateway.ready}${list}&pageToken=${token}`);
  expect(reply.status).toBe(200);
  const body = (await reply.json()) as { utxos: { utxoId: string }[]; nextPageToken?: string };
  return { utxoIds: body.utxos.map(({ utxoId }) => utxoId), next: body.nextPageToken ?? null };
}

async function graphqlPage(after: string): Promise<Page> {
  const query = `{ utxos(network: fuji, blockchainId: "p-chain", includeSpent: true, sortBy: amount, first: 100,
    after: ${JSON.stringify(after)}) { nodes { utxoId } pageInfo { hasNextPage endCursor } } }`;
  const headers = { 'content-type': 'application/json' };
  const reply = await fetch(`${gateway.ready}/graphql`, {
    ...{ method: 'POST', headers, body: JSON.stringify({ query }) },
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

/** The ids of each page of the list; `between` runs before each page but the first. */
async function walk(read: typeof restPage, between: (page: number) => Promise<void>): Promise<string[][]> {
  const pages: string[][] = [];
  for (let token: string | null = ''; token !== null;) {
    if (pages.length > 0) await between(pages.length);
    const page: Page = await read(token);
    pages.push(page.utxoIds);
    token = page.next;
  }
  return pages;
}

test.each([
  ['REST', restPage],
  ['GraphQL', graphqlPage],
])('a walk through %s goes on where it was after the gateway was started again', async (_door, read) => {
  const whole = await walk(read, () => Promise.resolve());
  expect(whole.length).toBeGreaterThan(4);
  expect(new Set(whole.flat()).size).toBe(whole.flat().length);
  const broken = await walk(read, async (page) => {
    if (page !== 3) return;
    expect(await gateway.stop()).toBe(0);
    gateway = await start();
  });
  expect(broken).toEqual(whole);
});
