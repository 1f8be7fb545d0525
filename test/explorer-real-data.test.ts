import { fileURLToPath } from 'node:url';
import { Avalanche } from '@avalanche-sdk/chainkit';
import { BadRequestError, NotFoundError } from '@avalanche-sdk/chainkit/models/errors';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blockchainIds } from '../src/avalanche/networks.js';
import { createApp, type TestApp } from './harness/app.js';
import { hashAt } from './harness/evm-rows.js';
import { runImport, type RunImport } from './harness/ingest.js';
import { listen } from './harness/listen.js';
import { hasRealData, readRealData, realData } from './harness/seed.js';
import { walkRest } from './harness/walk.js';

const files = [
  'evm.chains.ndjson',
  'evm.43114.internal-transactions.ndjson',
  'evm.43419.internal-transactions.ndjson.gz',
  'mainnet.icm.messages.ndjson',
  'mainnet.x-chain.vertices.ndjson',
  'mainnet.x-chain.transactions.ndjson.gz',
];

interface Frame {
  blockNumber: string;
  txHash: string;
  from: { address: string };
  to: { address: string };
}
type Row = Record<string, unknown>;

describe.skipIf(!hasRealData)('real vertices, internal transactions, ICM messages and chains', () => {
  let gateway: TestApp;
  let first: RunImport;
  let client: Avalanche;
  let serverURL: string;
  const paths = files.map((file) => fileURLToPath(new URL(file, realData)));

  beforeAll(async () => {
    gateway = await createApp();
    first = await runImport(gateway.storage, paths);
    serverURL = await listen(gateway.app);
    // Telemetry is on by default and calls a foreign host.
    client = new Avalanche({ network: 'mainnet', enableTelemetry: false });
  });
  afterAll(() => gateway?.close());

  test('come in but for the 180 chains without RPC address and token, and only once', async () => {
    expect(first).toMatchObject({ rejected: 180, leftOut: 0, rows: 357 + 4 + 12_000 + 92 + 1 + 2 });
    const again = await runImport(gateway.storage, paths.slice(1));
    expect(again).toMatchObject({ written: 0, rejected: 0 });
  });

  test('every internal transaction of every hot address is listed as it was imported, newest first', async () => {
    const frames = await readRealData<Frame>('evm.43419.internal-transactions.ndjson.gz');
    for (const address of ['0x1c695462A43103116C2d806f1895a17D270B270A', frames[0]?.to.address ?? '']) {
      const path = `/v1/chains/43419/addresses/${address}/transactions:listInternals`;
      const rows = await walkRest(gateway, path, 'transactions', 97);
      const own = frames.filter(({ from, to }) => from.address === address || to.address === address);
      const text = (list: unknown[]) => list.map((row) => JSON.stringify(sorted(row))).sort();
      expect(text(rows)).toEqual(text(own));
      const keys = rows.map((row) => [Number(row['blockNumber']), row['txHash'] as string] as const);
      const ordered = [...keys].sort((a, b) => b[0] - a[0] || (a[1] < b[1] ? 1 : a[1] > b[1] ? -1 : 0));
      expect(keys).toEqual(ordered);
    }
  });

  test('every ICM message is listed and found as it was imported', async () => {
    const messages = await readRealData<Row>('mainnet.icm.messages.ndjson');
    const rows = await walkRest(gateway, '/v1/icm/messages', 'messages', 10);
    const byId = new Map(rows.map((row) => [row['messageId'], row]));
    expect(rows).toHaveLength(messages.length);
    for (const message of messages) {
      expect(byId.get(message['messageId'])).toEqual(message);
      expect((await gateway.get(`/v1/icm/messages/${message['messageId'] as string}`)).body).toEqual(message);
    }
  });

  test('the published client reads them all, page by page, without a validation error', async () => {
    const { data } = client;
    let vertices = 0;
    for await (const { result } of await data.primaryNetwork.vertices.listLatest(
      { blockchainId: 'x-chain', network: 'mainnet' },
      { serverURL },
    ))
      vertices += result.vertices.length;
    expect(vertices).toBe(1);

    const address = '0xb31f66aa3c1e785363f0875a1b74e27b85fd66c7';
    for (const chainId of ['43114', blockchainIds.mainnet.c]) {
      let frames = 0;
      for await (const { result } of await data.evm.address.transactions.listInternal(
        { chainId, address, pageSize: 3, startBlock: 0, endBlock: 1e21 },
        { serverURL },
      ))
        frames += result.transactions.length;
      expect(frames).toBe(4);
    }

    for (const filter of [{}, { network: 'mainnet' as const }, { blockchainId: blockchainIds.mainnet.c }]) {
      let messages = 0;
      for await (const { result } of await data.icm.list({ ...filter, pageSize: 30 }, { serverURL }))
        messages += result.messages.length;
      expect(messages).toBeGreaterThan(80);
    }
    const { chains } = await data.evm.chains.list({}, { serverURL });
    expect(chains).toHaveLength(177);
    const chain = await data.evm.chains.get({ chainId: blockchainIds.mainnet.c }, { serverURL });
    expect(chain.chainId).toBe('43114');
  });

  test('the published client gets its own typed errors', async () => {
    const { data } = client;
    const errorOf = (promise: Promise<unknown>) => promise.catch((error: unknown) => error);
    expect(await errorOf(data.icm.get({ messageId: hashAt(1) }, { serverURL }))).toBeInstanceOf(
      NotFoundError,
    );
    expect(await errorOf(data.icm.get({ messageId: 'x' }, { serverURL }))).toBeInstanceOf(BadRequestError);
    expect(await errorOf(data.evm.chains.get({ chainId: '5' }, { serverURL }))).toBeInstanceOf(NotFoundError);
  });

  test('the vertex leads to its transaction and back', async () => {
    const { data } = await gateway.graphql(
      '{ vertices(network: mainnet) { nodes { txHashes transactions { nodes { txHash txType vertices { nodes { vertexHash } } } } } } }',
    );
    expect(data).toMatchObject({
      vertices: {
        nodes: [
          {
            txHashes: ['w3nAnUhBbJjobdu4ywgQXQAAdXhN9i13UJC7rHsHukmu5FDo8'],
            transactions: {
              nodes: [
                {
                  txHash: 'w3nAnUhBbJjobdu4ywgQXQAAdXhN9i13UJC7rHsHukmu5FDo8',
                  txType: 'ImportTx',
                  vertices: { nodes: [{ vertexHash: '2sc5kGzCQzATBsDVvgKyLCdRgjeXZyjZL5qttsuYxZUKhPGDVH' }] },
                },
              ],
            },
          },
        ],
      },
    });
  });
});

/** The value with members in one order, as JSON texts of equal values must be equal. */
function sorted(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([key, each]) => [key, sorted(each)]));
}
