import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blockchainIds, nativeAssetIds } from '../../../src/avalanche/networks.js';
import { loadConfig } from '../../../src/config.js';
import { adoptIdentity } from '../../../src/follow/network/identity.js';
import { contentsOf } from '../../../src/load-sample.js';
import { startServer } from '../../../src/serve.js';
import { createApp, type TestApp } from '../../harness/app.js';
import { createDatabase } from '../../harness/database.js';
import { createImportDatabase, runImport, type ImportDatabase } from '../../harness/ingest.js';
import { addressOf, idOf, transactionRow, utxoRow } from '../../harness/ledger-rows.js';
import { ownFacts, ownRow } from '../../harness/own-network.js';

const silent = pino({ level: 'silent' });
const publicAddress = 'fuji1rh4rsdwnh5t3eqgnyhzyxw9zpvuxfa5lhw07vm';
const utxos = '/v1/networks/fuji/blockchains/x-chain/utxos';

describe('a network of one’s own, shown as fuji', () => {
  let database: ImportDatabase;
  let gateway: TestApp;
  let owner: string;

  const ownUtxo = (name: string, fields: object = {}) =>
    utxoRow(
      name,
      {
        addresses: [owner],
        assetId: ownFacts.avaxAssetId,
        createdOnChainId: ownFacts.xChainId,
        consumedOnChainId: ownFacts.xChainId,
        blockNumber: '7',
        blockTimestamp: 1_700_000_000,
        ...fields,
      },
      'fuji',
    );

  beforeAll(async () => {
    database = await createImportDatabase();
    await adoptIdentity(ownFacts, { as: 'fuji', storage: database.storage, contents: contentsOf });
    owner = addressOf('anna', 'fuji');
    gateway = await createApp({}, { reach: () => database.url });
    const files = [
      database.write('fuji.x-chain.utxos.ndjson', [
        ownUtxo('a'),
        ownUtxo('of fuji', { addresses: [publicAddress] }),
        ownUtxo('on fuji', { createdOnChainId: blockchainIds.fuji.x }),
      ]),
      database.write('fuji.x-chain.transactions.ndjson', [
        transactionRow('t', { emittedUtxos: [ownUtxo('b')], blockNumber: '8' }),
      ]),
    ];
    await runImport(database.storage, files);
  });

  afterAll(async () => {
    await gateway.close();
    await database.close();
  });

  test('its addresses begin with custom1', () => {
    expect(owner).toMatch(/^custom1/);
  });

  test('an import takes its addresses and chains, and refuses those of fuji', async () => {
    const file = database.write('fuji.x-chain.utxos.ndjson', [
      ownUtxo('of fuji', { addresses: [publicAddress] }),
      ownUtxo('on fuji', { createdOnChainId: blockchainIds.fuji.x }),
    ]);
    const { lines } = await runImport(database.storage, [file]);
    expect(lines.join('\n')).toContain(
      `addresses[0]: "${publicAddress}" does not begin with custom1, as addresses of fuji do`,
    );
    expect(lines.join('\n')).toContain('is not the id of p-chain, x-chain, c-chain of fuji');
  });

  test('REST prints and takes its addresses and ids', async () => {
    const { status, body } = await gateway.get(`${utxos}?addresses=X-${owner}`);
    expect(status).toBe(200);
    expect(body.utxos).toHaveLength(2);
    for (const utxo of body.utxos)
      expect(utxo).toMatchObject({
        addresses: [owner],
        createdOnChainId: ownFacts.xChainId,
        consumedOnChainId: ownFacts.xChainId,
        asset: { assetId: ownFacts.avaxAssetId, symbol: 'AVAX', name: 'Avalanche', denomination: 9 },
      });
    const byId = await gateway.get(`${utxos.replace('x-chain', ownFacts.xChainId)}?addresses=${owner}`);
    expect(byId.body.utxos).toEqual(body.utxos);
  });

  test('REST refuses those of fuji', async () => {
    const address = await gateway.get(`${utxos}?addresses=${publicAddress}`);
    expect([address.status, address.text]).toEqual([
      400,
      expect.stringContaining('does not begin with custom1'),
    ]);
    const chain = await gateway.get(utxos.replace('x-chain', blockchainIds.fuji.x));
    expect([chain.status, chain.text]).toEqual([
      400,
      expect.stringContaining(`x-chain (${ownFacts.xChainId})`),
    ]);
  });

  // The second time one statement answers it, the first time the resolvers.
  test.each(['before', 'after'])('GraphQL prints its ids %s the operation is known', async () => {
    const { data, errors } = await gateway.graphql(
      `query ($owner: String!) {
        address(network: fuji, address: $owner) { utxos(blockchainId: "x-chain", first: 1) { nodes { createdOnChainId blockchainId owners { address } } } }
        transaction(network: fuji, blockchainId: "${ownFacts.xChainId}", txHash: "${idOf('t')}") { blockchainId block { blockchainId number } }
      }`,
      { owner },
    );
    const on = { blockchainId: ownFacts.xChainId };
    expect(errors).toBeUndefined();
    expect(data).toEqual({
      address: {
        utxos: { nodes: [{ ...on, createdOnChainId: ownFacts.xChainId, owners: [{ address: owner }] }] },
      },
      transaction: { ...on, block: { ...on, number: '8' } },
    });
  });

  test('a balance history without an asset is one of its AVAX', async () => {
    const { data } = await gateway.graphql(
      `{ address(network: fuji, address: "${owner}") { balanceHistory(firstDate: "2023-11-14", lastDate: "2023-11-14") { nodes { received } } } }`,
    );
    expect(data).toMatchObject({ address: { balanceHistory: { nodes: [{ received: '2000' }] } } });
  });

  test('mainnet stays as it is', async () => {
    const { status, body } = await gateway.get(
      `/v1/networks/mainnet/blockchains/${blockchainIds.mainnet.x}/utxos?addresses=${addressOf('anna')}`,
    );
    expect([status, body.utxos]).toEqual([200, []]);
  });

  test('OpenAPI and the examples have its ids and addresses', async () => {
    const { text } = await gateway.get('/openapi.json');
    expect(text).toContain('(?:avax|custom)1');
    expect(text).toContain(ownFacts.xChainId);
    expect(text).toContain('custom1rh4rsdwnh5t3eqgnyhzyxw9zpvuxfa5l');
    for (const known of ['fuji1', blockchainIds.fuji.x, nativeAssetIds.fuji])
      expect(text).not.toContain(known);
    expect(text).toContain(blockchainIds.mainnet.x);
  });
});

test('a gateway that runs learns it when another process stores it', async () => {
  const database = await createDatabase();
  const config = loadConfig({
    DATABASE_URL: database.url,
    PORT: '0',
    SAMPLE: 'off',
    WORKER: 'off',
    LOG_LEVEL: 'silent',
  });
  const server = await startServer(config, silent);
  const ask = async (address: string) => (await fetch(`${server.url}${utxos}?addresses=${address}`)).status;
  const document = async () => (await fetch(`${server.url}/openapi.json`)).text();
  try {
    expect(await ask(publicAddress)).toBe(200);
    expect(await document()).toContain('(?:avax|fuji)1');
    await server.services.storage.prisma.followNetwork.create({ data: ownRow });
    while ((await ask(publicAddress)) === 200) await sleep(50);
    expect(await ask(addressOf('anna', 'fuji'))).toBe(200);
    expect(await document()).toContain('(?:avax|custom)1');
  } finally {
    await server.stop();
    await database.drop();
  }
});

test('a database without a network of its own has the public ones, whatever was open before', async () => {
  const database = await createImportDatabase();
  try {
    expect(addressOf('anna', 'fuji')).toMatch(/^fuji1/);
  } finally {
    await database.close();
  }
});
