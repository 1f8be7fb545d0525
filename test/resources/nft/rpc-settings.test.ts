import { describe, expect, test } from 'vitest';
import { describeConfig, loadConfig } from '../../../src/config.js';
import { metadataSources } from '../../../src/resources/nft/metadata/sources.js';

describe('the RPC of a chain', () => {
  const settings = {
    RPC_URLS: { 43113: 'http://127.0.0.1:1/' },
    IPFS_GATEWAY: undefined,
    ARWEAVE_GATEWAY: undefined,
  };

  test('is the one that the operator set, which is trusted, before an imported one, which is not', async () => {
    const imported = 'https://imported.example';
    const sources = metadataSources({ ...settings, FETCH_ALLOW_LOOPBACK: false }, () =>
      Promise.resolve(imported),
    );
    expect(await sources.rpcOf(43113n)).toEqual({ url: 'http://127.0.0.1:1/', trusted: true });
    expect(await sources.rpcOf(43114n)).toEqual({ url: imported, trusted: false });
    const none = metadataSources({ ...settings, FETCH_ALLOW_LOOPBACK: false }, () => Promise.resolve(null));
    expect(await none.rpcOf(1n)).toBeNull();
  });

  test('is refused as a setting when it is no address, without printing it', () => {
    const load = () => loadConfig({ RPC_URLS: '{"43114":"ftp://key"}' });
    expect(load).toThrow(/^wrong settings in the environment:\n {2}RPC_URLS: its value/);
    expect(load).not.toThrow(/ftp/);
    expect(loadConfig({ RPC_URLS: '{"43114":"https://rpc.example/key/"}' }).RPC_URLS).toEqual({
      43114: 'https://rpc.example/key',
    });
    expect(
      describeConfig({ RPC_URLS: '{"1":"key"}' }).find(({ name }) => name === 'RPC_URLS')!.value,
    ).not.toContain('key');
  });
});
