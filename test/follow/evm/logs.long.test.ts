import { describe, expect, test } from 'vitest';
import { followOnce } from '../../harness/followed.js';
import { importRows } from '../../harness/import-rows.js';
import { chainIdOf, HEAD, lacks, RecordedStream, type Alteration } from '../../harness/recorded-c-chain.js';
import type { Storage } from '../../../src/storage/open.js';
import { hasRecordedNode, networksOf, recordedFile } from '../../harness/recorded-node.js';
import type { Asked, Said } from '../../harness/scripted-node.js';

type Receipt = Record<string, unknown> & { logs: Record<string, unknown>[] };

describe.runIf(hasRecordedNode).each(networksOf('network-a'))('NFTs of the C-chain of %s', (network) => {
  const chain = chainIdOf[network];
  const dumpOf = async ({ prisma }: Storage) => {
    const rows = await prisma.$queryRaw<{ row: string }[]>`
      SELECT concat_ws(' ', encode(address, 'hex'), token_id, coalesce(encode(owner, 'hex'), '-'), last_transfer_block,
        last_transfer_timestamp, encode(last_transfer_tx_hash, 'hex')) AS row FROM nft_token ORDER BY address, token_id`;
    return rows.map(({ row }) => row);
  };
  const stream = new RecordedStream('nfts', dumpOf, HEAD, network);

  test('name tokens', () => {
    expect(stream.whole.length).toBeGreaterThan(20);
  });

  /** Changes the receipts of blocks that have logs. */
  const receipts =
    (change: (all: Receipt[]) => unknown[]) =>
    ({ method }: Asked, { result }: Record<string, unknown>): Said | null => {
      const all = (result ?? []) as Receipt[];
      const changes = method === 'eth_getBlockReceipts' && all.some(({ logs }) => logs.length > 0);
      return changes ? { result: change(all) } : null;
    };

  test.each<[string, RegExp, Alteration]>([
    ['leaves out all receipts', /0 receipts were given for its \d+ transactions/, receipts(() => [])],
    [
      'leaves out logs',
      /their root is 0x\w{64}, and its header says 0x/,
      receipts((all) => all.map((each) => ({ ...each, logs: [] }))),
    ],
    [
      'gives receipts of another transaction',
      /the receipt of 0x\w+ is that of 0x/,
      receipts((all) => all.map((each) => ({ ...each, transactionHash: `0x${'1'.repeat(64)}` }))),
    ],
    [
      'gives a log without data',
      /cannot be read: data of a receipt is not whole bytes/,
      receipts((all) =>
        all.map((each) => ({ ...each, logs: each.logs.map((log) => ({ ...log, data: null })) })),
      ),
    ],
    [
      'empties the filter of a header',
      /the hash of block \d+ is not that of its header/,
      ({ method }, { result }) =>
        method === 'eth_getBlockByNumber'
          ? { result: { ...(result as object), logsBloom: `0x${'0'.repeat(512)}` } }
          : null,
    ],
    [
      'has lost receipts',
      /no node has given block \d+, although one of them has a newer one/,
      ({ method, params }) =>
        method === 'eth_getBlockReceipts' && Number((params as [string])[0]) > 30 ? { result: null } : null,
    ],
    [
      'does not offer receipts',
      /eth_getBlockReceipts: it does not offer this method/,
      ({ method }) => (method === 'eth_getBlockReceipts' ? lacks(method) : null),
    ],
  ])(
    'a node that %s: it waits and says why, nothing wrong is stored, and another node fills it',
    async (_does, note, change) => {
      const url = await stream.alter(change);
      expect(await stream.noteOf(url)).toMatch(note);
      await stream.follow(url, stream.node.url);
      expect(await stream.dump()).toEqual(stream.whole);
    },
  );

  const ofAnotherContract = (all: Receipt[]) =>
    all.map((each) => ({
      ...each,
      logs: each.logs.map((log) => ({ ...log, address: `0x${'7'.repeat(40)}` })),
    }));

  /** Of an NFT: of blocks without one, receipts are read only to find where the stream may begin. */
  const isOfToken = ({ topics }: Record<string, unknown>) =>
    /^0x(?:ddf252ad|c3d58168|4a39dc06)/.test((topics as string[])[0] ?? '') &&
    (topics as string[]).length === 4;

  test.each<[string, (all: Receipt[]) => Said]>([
    ['none', () => ({ result: [] })],
    ['null', () => ({ result: null })],
    ['one too few', (all) => ({ result: all.slice(1) })],
    ['without their logs', (all) => ({ result: all.map((each) => ({ ...each, logs: [] })) })],
    ['logs of another contract', (all) => ({ result: ofAnotherContract(all) })],
    ['an error that is a text', () => ({ error: 'they were eaten' as unknown as object })],
    ['an error of a code of ours', () => ({ error: { code: -32602, message: 'invalid argument 0' } })],
    ['a status', () => ({ status: 400, body: 'no' })],
  ])('receipts of one block that stay %s are a gap, until a node gives them', async (_, spoil) => {
    let height = 0;
    const url = await stream.alter(({ method, params }, { result }) => {
      const all = (result ?? []) as Receipt[];
      if (method !== 'eth_getBlockReceipts' || !all.some(({ logs }) => logs.some(isOfToken))) return null;
      const asked = Number((params as [string])[0]);
      // The first that is asked for waits until another one was answered.
      height ||= asked;
      return asked === height ? spoil(all) : null;
    });
    await stream.follow(url);
    const gaps = await stream.database.storage.prisma.followGap.findMany();
    expect(gaps).toMatchObject([{ name: `nfts:${chain}`, height: BigInt(height) }]);
    expect(gaps[0]?.reason).toMatch(/eth_getBlockReceipts: .*, although it answers similar calls/);
    expect((await stream.dump()).length).toBeLessThanOrEqual(stream.whole.length);
    await stream.follow();
    expect(await stream.database.storage.prisma.followGap.count()).toBe(0);
    expect(await stream.dump()).toEqual(stream.whole);
  });

  test.each<[string, Said]>([
    ['an error that is a text', { error: 'they were eaten' as unknown as object }],
    ['an error of a code of ours', { error: { code: -32602, message: 'invalid argument 0' } }],
    ['words that nobody knows', { error: { code: -32000, message: 'the hamster is tired' } }],
    ['a status', { status: 400, body: 'no' }],
  ])('%s instead of the receipts of the newest block alone holds up no beginning', async (_, said) => {
    const url = await stream.alter(({ method, params }) =>
      method === 'eth_getBlockReceipts' && Number((params as [string])[0]) === HEAD ? said : null,
    );
    await stream.follow(url);
    const row = await stream.database.storage.prisma.followPipeline.findFirstOrThrow();
    expect(row).toMatchObject({ firstHeight: 0n, nextHeight: BigInt(HEAD + 1) });
    await stream.follow();
    expect(await stream.dump()).toEqual(stream.whole);
  });

  test.each<[string, Said]>([
    ['a limit', { status: 429, body: 'too many requests' }],
    ['a passing error', { error: { code: -32000, message: 'database is busy' } }],
    ['words that nobody knows', { error: { code: -32000, message: 'the hamster is tired' } }],
  ])('%s at the first start decides nothing: the stream has all blocks', async (_, said) => {
    let left = 12;
    const url = await stream.alter(({ method }) =>
      method === 'eth_getBlockReceipts' && (left -= 1) >= 0 ? said : null,
    );
    await stream.follow(url);
    expect(left).toBeLessThan(0);
    const row = await stream.database.storage.prisma.followPipeline.findFirstOrThrow();
    expect(row).toMatchObject({ firstHeight: 0n, nextHeight: BigInt(HEAD + 1) });
    expect(await stream.dump()).toEqual(stream.whole);
  });

  test('a node that has receipts from a block on: they begin there, and another node fills the past by one option', async () => {
    const first = 61;
    const url = await stream.alter(({ method, params }) =>
      method === 'eth_getBlockReceipts' && Number((params as [string])[0]) < first
        ? { error: { code: 4444, message: 'pruned history unavailable' } }
        : null,
    );
    await stream.follow(url);
    const { storage } = stream.database;
    expect(await storage.prisma.followPipeline.findFirst()).toMatchObject({ firstHeight: BigInt(first) });
    const genesis = recordedFile(network, 'genesis.json');
    const given = { urls: [stream.node.url], genesis, only: ['nfts'] as const, from: { nfts: 0n } };
    expect(await followOnce(storage, given)).toEqual([]);
    expect(await storage.prisma.followPipeline.findFirst()).toMatchObject({ firstHeight: 0n });
    expect(await stream.dump()).toEqual(stream.whole);
  });

  test('a file with older and newer transfers, before and after: the newest transfer counts', async () => {
    const { whole, database } = stream;
    const [first, second] = whole.map((row) => row.split(' '));
    const rowOf = ([address, tokenId]: string[] = [], block: number) => ({
      evmChainId: chain,
      address: `0x${address}`,
      tokenId,
      owner: `0x${'7'.repeat(40)}`,
      lastTransferBlock: block,
      lastTransferTxHash: `0x${'7'.repeat(64)}`,
    });
    const rows = [rowOf(first, 1), rowOf(second, 9_000)];
    await stream.begin();
    await importRows(database.storage, 'evm.nft-tokens.ndjson', rows);
    await stream.follow();
    const [afterFirst, afterSecond, ...rest] = await stream.dump();
    expect([afterFirst, ...rest]).toEqual([whole[0], ...whole.slice(2)]);
    expect(afterSecond).toContain('9000');
    await importRows(database.storage, 'evm.nft-tokens.ndjson', rows);
    expect((await stream.dump())[0]).toEqual(whole[0]);
  });
});

test.runIf(!hasRecordedNode)('no recorded network lies in ../shared/node', () => {
  expect(hasRecordedNode).toBe(false);
});
