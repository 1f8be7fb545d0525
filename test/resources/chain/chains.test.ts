import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createApp, type TestApp } from '../../harness/app.js';
import { askTwice } from '../../harness/ask.js';
import { chainRow, idOf } from '../../harness/evm-rows.js';
import { expectList } from '../../harness/list-model.js';
import { importRows, importRowsOrReject } from '../../harness/seed.js';
import { poolOf } from '../../harness/connections.js';

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp();
});
afterAll(() => gateway.close());
beforeEach(() => poolOf(gateway.storage).query('TRUNCATE chain'));

const full = {
  chainId: '43113',
  blockchainId: idOf('C'),
  status: 'OK',
  chainName: 'C "chain"',
  description: 'Contracts.',
  subnetId: idOf('subnet'),
  vmId: idOf('vm'),
  vmName: 'EVM',
  explorerUrl: 'https://example.com',
  rpcUrl: 'https://example.com/rpc',
  wsUrl: 'wss://example.com/ws',
  isTestnet: true,
  chainLogoUri: 'https://example.com/logo.svg',
  private: false,
  enabledFeatures: ['nftIndexing', 'teleporter'],
  networkToken: { name: 'Avalanche', symbol: 'AVAX', decimals: 18, logoUri: 'https://example.com/avax.svg' },
};

describe('chains', () => {
  test('are found by EVM id and by blockchain id', async () => {
    await importRows(gateway.storage, 'evm.chains', [full]);
    const { blockchainId, ...reply } = { ...full, platformChainId: full.blockchainId };
    for (const id of ['43113', blockchainId, '043113']) {
      const { status, body } = await gateway.get(`/v1/chains/${id}`);
      expect(status).toBe(200);
      expect(body).toEqual(reply);
    }
  });

  test('have null for features of which nothing is known, and no such member on REST', async () => {
    await importRows(gateway.storage, 'evm.chains', [
      chainRow('11'),
      chainRow('12', { enabledFeatures: ['webhooks'] }),
    ]);
    const read = (id: string) =>
      askTwice<{ chain: object }>(gateway, `{ chain(chainId: "${id}") { enabledFeatures } }`);
    expect(await read('11')).toEqual({ chain: { enabledFeatures: null } });
    expect(await read('12')).toEqual({ chain: { enabledFeatures: ['webhooks'] } });
    expect((await gateway.get('/v1/chains/11')).body).not.toHaveProperty('enabledFeatures');
  });

  test('that are not stored are a 404 and null, malformed ids a 400', async () => {
    expect((await gateway.get('/v1/chains/1')).status).toBe(404);
    expect((await gateway.get(`/v1/chains/${idOf('nowhere')}`)).status).toBe(404);
    expect((await gateway.get('/v1/chains/c-chain')).status).toBe(400);
    expect((await gateway.graphql('{ chain(chainId: "1") { id } }')).data).toEqual({ chain: null });
  });

  test('are listed by rising EVM id, all of them on REST, and paged both ways in GraphQL', async () => {
    const ids = [...Array.from({ length: 130 }, (_, index) => String(index * 7 + 1)), '9223372036854775807'];
    await importRows(
      gateway.storage,
      'evm.chains',
      [...ids].reverse().map((id) => chainRow(id)),
    );
    const { body } = await gateway.get('/v1/chains');
    expect((body.chains as { chainId: string }[]).map(({ chainId }) => chainId)).toEqual(ids);
    for (const direction of ['forward', 'backward'] as const)
      await expectList(gateway, { field: 'chains(', key: 'chainId', expected: ids, pageSize: 13, direction });
  });

  test('can be listed by network and feature', async () => {
    const rows = [
      chainRow('1'),
      chainRow('2', { isTestnet: false, enabledFeatures: ['webhooks'] }),
      chainRow('3', { enabledFeatures: ['webhooks'] }),
    ];
    await importRows(gateway.storage, 'evm.chains', rows);
    const list = async (query: string) =>
      ((await gateway.get(`/v1/chains?${query}`)).body.chains as { chainId: string }[]).map(
        ({ chainId }) => chainId,
      );
    expect(await list('network=mainnet')).toEqual(['2']);
    expect(await list('network=testnet')).toEqual(['1', '3']);
    expect(await list('feature=webhooks')).toEqual(['2', '3']);
    expect(await list('feature=webhooks&network=fuji')).toEqual(['3']);
    expect((await gateway.get('/v1/chains?feature=x&network=y')).body.message).toHaveLength(2);
  });

  test('keep what an earlier row knew of them', async () => {
    await importRows(gateway.storage, 'evm.chains', [full]);
    await importRows(gateway.storage, 'evm.chains', [chainRow('43113', { isActive: false })]);
    const { body } = await gateway.get('/v1/chains/43113');
    expect(body).toMatchObject({
      chainName: 'Chain 43113',
      status: 'UNAVAILABLE',
      wsUrl: full.wsUrl,
      description: 'Contracts.',
    });
  });

  test('keep what an earlier row knew where an exported one has an empty text', async () => {
    await importRows(gateway.storage, 'evm.chains', [full]);
    await importRows(gateway.storage, 'evm.chains', [chainRow('43113', { description: '', rpcUrl: '' })]);
    const { body } = await gateway.get('/v1/chains/43113');
    expect(body).toMatchObject({ description: full.description, rpcUrl: full.rpcUrl });
  });

  test('without RPC address or token are rejected with the reason', async () => {
    const rejected = await importRowsOrReject(gateway.storage, 'evm.chains', [
      chainRow('1', { rpcUrl: undefined }),
      chainRow('1', { networkToken: undefined }),
      chainRow('1', { isEvm: false }),
      chainRow('1', { enabledFeatures: ['magic'] }),
      chainRow(idOf('not EVM')),
    ]);
    expect(rejected.map(({ message }) => /^\w+/.exec(message)?.[0])).toEqual([
      'rpcUrl',
      'networkToken',
      'vmName',
      'enabledFeatures',
      'chainId',
    ]);
  });
});
