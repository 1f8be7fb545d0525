import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adoptIdentities } from '../../../src/avalanche/identity.js';
import { l1HeaderHash, type EvmHeader } from '../../../src/avalanche/codec/evm-header.js';
import { probeL1 } from '../../../src/follow/check/l1-probe.js';
import { openEvm } from '../../../src/follow/node/nodes.js';
import { hasAnvil, startAnvil, type Anvil } from '../../harness/anvil.js';
import { assemble, creates, deploying, nftProgram, sends, type Step } from '../../harness/evm-code.js';
import { excerptGenesis, startExcerptNode } from '../../harness/excerpt-node.js';
import { followOnce, followUntilWaiting, startFollowing } from '../../harness/followed.js';
import { freePort } from '../../harness/free-port.js';
import { importRows } from '../../harness/import-rows.js';
import { createImportDatabase, type ImportDatabase } from '../../harness/ingest.js';
import { Random } from '../../harness/random.js';
import { framesOfTrace, isInternal, type RawFrame, type TracedFrame } from '../../harness/trace-truth.js';

interface Receipt {
  contractAddress: string | null;
}

const CHAIN = 777;
/** Short enough for contracts that create contracts. */
const someone = '0x5555';
const word = (value: bigint | string) => BigInt(value).toString(16).padStart(64, '0');

describe.runIf(hasAnvil)('an EVM chain of another node', () => {
  let anvil: Anvil;
  let node: Awaited<ReturnType<typeof startExcerptNode>>;
  let database: ImportDatabase;
  let account: string;
  let nft: string;
  const random = new Random(34);
  const below = (bound: number) => random.below(bound);

  const send = async (transaction: object): Promise<string> => {
    const gas = '0x4c4b40';
    const hash = await anvil.call<string>('eth_sendTransaction', { from: account, gas, ...transaction });
    for (;;) {
      // A transaction is in a block a moment after its hash is given.
      const receipt = await anvil.call<Receipt | null>('eth_getTransactionReceipt', hash);
      if (receipt) return receipt.contractAddress ?? '';
      await sleep(2);
    }
  };
  const run = (...steps: Step[]) => send({ data: `0x${assemble(...steps)}`, value: '0x64' });

  /** Parts of programs, of which each transaction runs some as the code of a creation. */
  const parts: (() => Step[])[] = [
    () => sends(someone, below(3)),
    () => creates(assemble(...sends(someone, 1)), 2 + below(5), null),
    () => creates(assemble(...sends(someone, 1), 0, 0, 'REVERT'), 2 + below(5), null),
    () => creates(assemble(...sends(someone, 0)), below(2), 1000 + below(60_000)),
    () => creates(assemble(someone, 'SELFDESTRUCT'), 3, null),
  ];
  /** Each of random parts and endings, and transfers of NFTs that are moved back and burned. */
  const act = async (count: number) => {
    for (let turn = 0; turn < count; turn += 1) {
      const steps = Array.from({ length: 1 + below(4) }, () => parts[below(parts.length)]!()).flat();
      await run(...steps, ...([[], [0, 0, 'REVERT'], [someone, 'SELFDESTRUCT']] as Step[][])[below(3)]!);
      const owner = below(4) === 0 ? '0' : String(below(5) + 1);
      await send({ to: nft, data: `0x${word(BigInt(below(6)))}${word(owner)}` });
    }
  };
  const follow = (to: ImportDatabase, ...l1: string[]) =>
    followOnce(to.storage, { urls: [node.url], genesis: excerptGenesis, only: ['c-atomic'], l1 });
  const dump = async ({ storage: { prisma } }: ImportDatabase) => ({
    frames: await prisma.internalTx.findMany({
      where: { evmChainId: CHAIN },
      omit: { id: true },
      orderBy: [{ blockNumber: 'asc' }, { txHash: 'asc' }, { position: 'asc' }],
    }),
    tokens: await prisma.nftToken.findMany({
      where: { evmChainId: CHAIN },
      omit: { id: true },
      orderBy: { tokenId: 'asc' },
    }),
  });

  beforeAll(async () => {
    [anvil, node, database] = await Promise.all([
      startAnvil(CHAIN),
      startExcerptNode({ C: 5 }),
      createImportDatabase(),
    ]);
    [account] = await anvil.call<[string]>('eth_accounts');
    nft = await send({ data: `0x${deploying(nftProgram())}` });
    await act(30);
    expect(await follow(database, anvil.url)).toEqual([]);
  });
  afterAll(async () => {
    await Promise.all([anvil?.close(), node?.close(), database?.close()]);
    adoptIdentities({});
  });

  test('its internal transactions are those of a walk of each single trace', async () => {
    const expected: string[] = [];
    const head = Number(await anvil.call('eth_blockNumber'));
    for (let height = 1; height <= head; height += 1) {
      const block = await anvil.call<{ transactions: string[] }>(
        'eth_getBlockByNumber',
        `0x${height.toString(16)}`,
        false,
      );
      for (const hash of block.transactions) {
        const root = await anvil.call<RawFrame>('debug_traceTransaction', hash, { tracer: 'callTracer' });
        const frames: TracedFrame[] = framesOfTrace({ blockNumber: height, txHash: hash }, root);
        for (const each of frames.filter((one) => isInternal(one) && one.frame.to !== undefined)) {
          const { frame, within, position } = each;
          const isReverted = [...within, frame].some(({ error }) => error !== undefined);
          expected.push([height, hash, position, frame.type, BigInt(frame.value ?? 0), isReverted].join(' '));
        }
      }
    }
    const { frames } = await dump(database);
    const stored = frames.map((row) =>
      [
        row.blockNumber,
        `0x${Buffer.from(row.txHash).toString('hex')}`,
        row.position,
        row.type,
        row.value,
        row.isReverted,
      ].join(' '),
    );
    expect(expected.length).toBeGreaterThan(50);
    expect(stored.toSorted()).toEqual(expected.toSorted());
  });

  test('the owners of its NFTs are those that the contract names', async () => {
    const { tokens } = await dump(database);
    expect(tokens.length).toBe(6);
    for (const { tokenId, owner } of tokens) {
      const data = `0x6352211e${word(BigInt(String(tokenId)))}`;
      const said = BigInt(await anvil.call<string>('eth_call', { to: nft, data }, 'latest'));
      expect(owner === null ? 0n : BigInt(`0x${Buffer.from(owner).toString('hex')}`)).toBe(said);
    }
  });

  test('it goes on where it was, and has what one has that follows all at once; what a file says of the chain stays', async () => {
    const before = await database.storage.prisma.chain.findUniqueOrThrow({ where: { evmChainId: CHAIN } });
    expect(before).toMatchObject({ chainName: '', blockchainId: null, rpcUrl: '', vmName: 'EVM' });
    const known = { chainId: String(CHAIN), chainName: 'Ours', isActive: true, isEvm: true, rpcUrl: '' };
    const networkToken = { name: 'Pebble', symbol: 'PBL', decimals: 18 };
    const more = { isTestnet: true, networkToken, chainLogoUri: 'https://example.com/logo.png' };
    await importRows(database.storage, 'evm.chains.ndjson', [{ ...known, ...more }]);
    await act(10);
    expect(await follow(database, anvil.url)).toEqual([]);
    const other = await createImportDatabase();
    try {
      expect(await follow(other, anvil.url)).toEqual([]);
      expect(await dump(database)).toEqual(await dump(other));
    } finally {
      await other.close();
    }
    const row = await database.storage.prisma.chain.findUniqueOrThrow({ where: { evmChainId: CHAIN } });
    expect(row).toMatchObject({ chainName: 'Ours', networkToken, chainLogoUri: more.chainLogoUri });
  });

  test('--check says which chain it is and what it can fill', async () => {
    const nodes = openEvm([anvil.url], null, { log: pino({ level: 'silent' }) });
    const text = await probeL1(nodes, new AbortController().signal);
    await nodes.close();
    expect(text).toMatch(
      /^http:\S+ has the EVM chain 777, at \d+\n {2}internal transactions {2}from genesis\n {2}NFTs +from genesis\n {2}messages +from genesis\n {2}balances by day +from genesis; genesis accounts without activity only if .*\n$/,
    );
  });

  test('an address that does not answer at the start is followed when it does', async () => {
    const port = await freePort();
    const other = await createImportDatabase();
    const l1 = [`http://127.0.0.1:${port}`, anvil.url];
    const given = { urls: [node.url], genesis: excerptGenesis, only: ['c-atomic' as const], l1 };
    const running = await startFollowing(other.storage, { ...given, once: true, node: { patienceMs: 50 } });
    const late = await startAnvil(779, 'prague', port);
    expect(await running.ended).toEqual([]);
    const names = running.views.map(({ name }) => name);
    expect(names.slice(-4)).toEqual(['internals:779', 'nfts:779', 'messages:779', 'balances:779']);
    await Promise.all([late.close(), other.close()]);
  });

  test('an address of the C-chain is refused by name', async () => {
    await expect(follow(database, `${node.url}/ext/bc/C/rpc?key=secret`)).rejects.toThrow(
      `--l1 ${node.url}: it is the C-chain (EVM chain id 43337), which is followed from its node; leave this address out`,
    );
  });

  test('a chain that went back to an earlier block waits, with the reason', async () => {
    const snapshot = await anvil.call('evm_snapshot');
    await act(2);
    expect(await follow(database, anvil.url)).toEqual([]);
    await anvil.call('evm_revert', snapshot);
    await act(4);
    const given = { urls: [node.url], genesis: excerptGenesis, only: ['c-atomic' as const], l1: [anvil.url] };
    const notes = await followUntilWaiting(database.storage, given, /another block|whose parent is/, 4);
    expect(Object.keys(notes).sort()).toEqual(
      ['balances', 'internals', 'messages', 'nfts'].map((stream) => `${stream}:${CHAIN}`),
    );
  });

  test.each(['london', 'shanghai', 'cancun', 'prague'])(
    'the hash of a header of %s is that of its members',
    async (hardfork) => {
      const old = await startAnvil(778, hardfork);
      try {
        await old.call('evm_mine');
        const header = await old.call<EvmHeader>('eth_getBlockByNumber', '0x1', false);
        expect(l1HeaderHash(header)).toBe(header['hash']);
      } finally {
        await old.close();
      }
    },
  );
});

test.runIf(!hasAnvil)('npm has no Anvil for this machine', () => {
  expect(hasAnvil).toBe(false);
});
