import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adoptIdentities } from '../../src/avalanche/identity.js';
import { createApp, type TestApp } from '../harness/app.js';
import { networkFilling } from '../harness/followed.js';
import { hasRecordedNode } from '../harness/recorded-node.js';
import { allPages } from '../harness/rest-pages.js';
import { isInternal, recordedFrames, type TracedFrame } from '../harness/trace-truth.js';

interface RestFrame extends Record<string, unknown> {
  txHash: string;
}

const lower = (address: string | undefined) => address?.toLowerCase();

/** A frame as REST has it, with addresses in small letters. */
function wantedOf({ blockNumber, txHash, frame, within }: TracedFrame): RestFrame {
  return {
    blockNumber: String(blockNumber),
    txHash,
    internalTxType: frame.type,
    from: frame.from,
    to: frame.to,
    value: String(BigInt(frame.value ?? 0)),
    isReverted: [frame, ...within].some(({ error }) => error !== undefined),
    gasUsed: String(BigInt(frame.gasUsed)),
    gasLimit: String(BigInt(frame.gas)),
  };
}

/** REST's newest first: by block, then by hash, then the last frame of a transaction first. */
const newestFirst = (a: TracedFrame, b: TracedFrame) =>
  b.blockNumber - a.blockNumber ||
  (a.txHash < b.txHash ? 1 : -1) * Number(a.txHash !== b.txHash) ||
  b.position - a.position;

describe.runIf(hasRecordedNode).each([
  { network: 'network-a', chainId: 43337, frames: 2142 },
  { network: 'network-c', chainId: 43339, frames: null },
] as const)('the C-chain of $network', ({ network, frames }) => {
  let gateway: TestApp;
  let chainId: string;
  const all = recordedFrames(network);
  const internal = all.filter(isInternal);
  const wanted = internal.filter(({ frame }) => frame.to !== undefined).sort(newestFirst);

  beforeAll(async () => {
    gateway = await createApp({}, { filling: networkFilling(network, ['internals']) });
    const [row] = await gateway.storage.prisma.chain.findMany();
    chainId = String(row?.evmChainId);
  });

  afterAll(async () => {
    await gateway.close();
    adoptIdentities({});
  });

  test('every frame that counts is listed for both its addresses, as the node’s tracer said it', async () => {
    if (frames !== null) expect(all).toHaveLength(frames);
    const addresses = new Set(all.flatMap(({ frame }) => [lower(frame.from), lower(frame.to)]));
    addresses.delete(undefined);
    expect(addresses.size).toBeGreaterThan(50);
    const listed = new Set<string>();
    for (const address of addresses) {
      const path = `/v1/chains/${chainId}/addresses/${address}/transactions:listInternals`;
      const rows = await allPages<RestFrame>(gateway, path, 'transactions');
      const shown = rows.map(({ blockTimestamp, blockHash, from, to, ...rest }) => {
        expect([blockTimestamp, blockHash]).toEqual([expect.any(Number), expect.stringMatching(/^0x/)]);
        const party = (side: unknown) => lower((side as { address: string }).address);
        return { ...rest, from: party(from), to: party(to) };
      });
      const own = wanted.filter(({ frame }) => frame.from === address || frame.to === address);
      expect(shown, address).toEqual(own.map(wantedOf));
      for (const { txHash } of rows) listed.add(txHash);
    }
    expect(listed).toEqual(new Set(wanted.map(({ txHash }) => txHash)));
    expect(await gateway.storage.prisma.internalTx.count()).toBe(wanted.length);
  });

  test('failed creations, of which the tracer says no address, are left out and counted', async () => {
    await gateway.get('/metrics');
    const { text } = await gateway.get('/metrics');
    const failed = internal.length - wanted.length;
    expect(failed).toBeGreaterThan(0);
    expect(text).toContain(
      `moraine_follow_frames_left_out_total{network="fuji",chain="internals:${chainId}"} ${failed}`,
    );
  });

  test('the chain is in the list of chains, without the address of the node', async () => {
    const { body } = await gateway.get('/v1/chains');
    const [chain] = body['chains'] as Record<string, unknown>[];
    expect(chain).toMatchObject({
      chainId,
      chainName: 'C-Chain',
      vmName: 'EVM',
      isTestnet: true,
      status: 'OK',
      rpcUrl: '',
      networkToken: { symbol: 'AVAX', decimals: 18 },
    });
  });
});
