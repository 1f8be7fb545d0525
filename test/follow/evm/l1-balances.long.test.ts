import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listRoot } from '../../../src/avalanche/codec/list-root.js';
import { l1HeaderHash, type EvmHeader } from '../../../src/avalanche/codec/evm-header.js';
import { adoptIdentities } from '../../../src/avalanche/identity.js';
import { startAlteredNode } from '../../harness/altered-node.js';
import { hasAnvil, startAnvil, type Anvil } from '../../harness/anvil.js';
import { createApp, type TestApp } from '../../harness/app.js';
import { wordOf } from '../../harness/evm-actor.js';
import { assemble, deploying, logs } from '../../harness/evm-code.js';
import { excerptGenesis, startExcerptNode } from '../../harness/excerpt-node.js';
import { followOnce, followUntilWaiting, startFollowing } from '../../harness/followed.js';
import { captureLog } from '../../harness/log.js';
import type { Said, ScriptedNode } from '../../harness/scripted-node.js';
import { idsProgram } from '../../harness/token-code.js';

/** A chain that the recorded P-chain has made. */
const CHAIN = 62_642;
const MINTER = '0x0200000000000000000000000000000000000001';
const MINTED = '0x400cd392f3d56fd10bb1dbd5839fdda8298208ddaa97b368faa053e1850930ee';
const DAY = 86_400;
const someone = (byte: string) => `0x${byte.repeat(20)}`;

type Block = Record<string, unknown> & { number: string; timestamp: string };

describe.runIf(hasAnvil)('balances of an EVM chain of an L1', () => {
  let node: Awaited<ReturnType<typeof startExcerptNode>>;
  let anvil: Anvil;
  let gateway: TestApp;
  let account: string;
  const altered: ScriptedNode[] = [];

  beforeAll(async () => {
    node = await startExcerptNode();
  });
  beforeEach(async () => {
    [anvil, gateway] = await Promise.all([startAnvil(CHAIN), createApp()]);
    [account] = await anvil.call<[string]>('eth_accounts');
  });
  afterEach(async () => {
    for (const each of altered.splice(0)) await each.close();
    await Promise.all([anvil.close(), gateway.close()]);
  });
  afterAll(async () => {
    await node.close();
    adoptIdentities({});
  });

  const given = (url: string, more: object = {}) => ({
    urls: [node.url],
    genesis: excerptGenesis,
    only: ['c-atomic' as const],
    l1: [url],
    l1Only: ['balances' as const],
    ...more,
  });
  const follow = (url = anvil.url, more: object = {}) => followOnce(gateway.storage, given(url, more));
  const alter = async (change: Parameters<typeof startAlteredNode>[1]) => {
    const other = await startAlteredNode(anvil.url, change);
    altered.push(other);
    return other.url;
  };
  const send = async (transaction: object): Promise<string> => {
    const gas = '0x4c4b40';
    const hash = await anvil.call<string>('eth_sendTransaction', { from: account, gas, ...transaction });
    for (;;) {
      const receipt = await anvil.call<{ contractAddress: string | null } | null>(
        'eth_getTransactionReceipt',
        hash,
      );
      if (receipt) return receipt.contractAddress ?? '';
      await sleep(2);
    }
  };
  const blockAt = (height: string) => anvil.call<Block>('eth_getBlockByNumber', height, false);
  const headTime = async () => Number((await blockAt('latest')).timestamp);
  const nextDay = async () => {
    await anvil.call('evm_setNextBlockTimestamp', (Math.floor((await headTime()) / DAY) + 1) * DAY);
    await anvil.call('evm_mine');
  };
  /** What is stored of an address, by day: of the coin, or of NFTs of a contract. */
  const stored = async (address: string, contract = '0x') => {
    const rows = await gateway.storage.prisma.$queryRaw<{ day: number; balance: string }[]>`
      SELECT b.day, b.balance::text FROM evm_balance b JOIN evm_holding h ON h.id = b.holding_id
        JOIN evm_address a ON a.id = b.address_id
      WHERE h.contract = decode(${contract.slice(2)}, 'hex') AND a.address = decode(${address.slice(2)}, 'hex')
      ORDER BY b.day`;
    return rows.map(({ day, balance }) => [day, BigInt(balance)] as const);
  };
  const dayOf = (time: number) => Math.floor(time / DAY);
  const pipeline = () =>
    gateway.storage.prisma.followPipeline.findFirstOrThrow({ where: { name: `balances:${CHAIN}` } });

  test.each([
    ['by its call, as before Durango', '0x00', '4f5aaaba'],
    [
      'by its event',
      `0x${assemble(36, 'CALLDATALOAD', 0, 'MSTORE', 4, 'CALLDATALOAD', 'CALLER', MINTED, 32, 0, 'LOG3')}`,
      'deadbeef',
    ],
  ])('whom the native minter makes coins for is known %s', async (_how, code, selector) => {
    const lucky = someone('a1');
    await anvil.call('anvil_setCode', MINTER, code);
    await anvil.call('evm_mine');
    await anvil.call('anvil_setBalance', lucky, '0x7b');
    await send({ to: MINTER, data: `0x${selector}${wordOf(lucky)}${wordOf(123)}` });
    expect(await follow()).toEqual([]);
    expect(await stored(lucky)).toEqual([[dayOf(await headTime()), 123n]]);
  });

  test('nobody is touched by a call or an event of the same form at another address', async () => {
    const lucky = someone('a2');
    const other = someone('0e');
    await anvil.call(
      'anvil_setCode',
      other,
      `0x${assemble(...logs([MINTED, `0x${wordOf(1)}`, `0x${wordOf(lucky)}`], `0x${wordOf(1)}`))}`,
    );
    await send({ to: other, data: `0x4f5aaaba${wordOf(lucky)}${wordOf(123)}` });
    expect(await follow()).toEqual([]);
    expect(await stored(lucky)).toEqual([]);
  });

  /** The newest block with other members, and the hash that these have. */
  const withHead = async (change: object) => {
    const head = await blockAt('latest');
    const block = { ...head, ...change } as EvmHeader & Block;
    const hash = l1HeaderHash(block);
    return alter(({ method, params }) =>
      method === 'eth_getBlockByNumber' && (params as [string])[0] === head.number
        ? ({ result: { ...block, hash } } satisfies Said)
        : null,
    );
  };

  test('whom withdrawals credit is known, and withdrawals of another root than that of the header are refused', async () => {
    const lucky = someone('a3');
    await anvil.call('anvil_setBalance', lucky, '0x7b');
    await anvil.call('evm_mine');
    const withdrawals = [{ index: '0x5', validatorIndex: '0x0', address: lucky, amount: '0x3039' }];
    // RLP of 5, 0, the address and 12345.
    const withdrawalsRoot = listRoot([`da058094${lucky.slice(2)}823039`]);
    const wrong = await withHead({ withdrawals: [], withdrawalsRoot });
    const following = await startFollowing(gateway.storage, given(wrong, { node: { patienceMs: 50 } }));
    const note = () => following.views.find(({ name }) => name === `balances:${CHAIN}`)?.note;
    await expect.poll(note, { timeout: 20_000 }).toMatch(/withdrawals of block \d+ have another root/);
    await following.stop();
    expect(await stored(lucky)).toEqual([]);
    expect(await follow(await withHead({ withdrawals, withdrawalsRoot }))).toEqual([]);
    expect(await stored(lucky)).toEqual([[dayOf(await headTime()), 123n]]);
  });

  test('a block with uncles is not stored, with the reason, and one without is', async () => {
    await anvil.call('evm_mine');
    const wrong = await withHead({ sha3Uncles: `0x${'1'.repeat(64)}` });
    await followUntilWaiting(gateway.storage, given(wrong), /^block 1 rewards uncle miners/);
    expect(await follow()).toEqual([]);
  });

  test('what the configuration of the chain changes, it changes in the first block of its time', async () => {
    const [early, upgraded, minted] = [someone('b1'), someone('b2'), someone('b3')];
    await anvil.call('anvil_setBalance', early, '0x1');
    await anvil.call('evm_mine');
    await nextDay();
    for (const lucky of [upgraded, minted]) await anvil.call('anvil_setBalance', lucky, '0x7b');
    const time = (await headTime()) + 100;
    await anvil.call('evm_setNextBlockTimestamp', time + 50);
    await anvil.call('evm_mine');
    await nextDay();
    const config = {
      chainId: CHAIN,
      contractNativeMinterConfig: { blockTimestamp: 0, initialMint: { [early]: '0x1' } },
      upgrades: {
        stateUpgrades: [{ blockTimestamp: time, accounts: { [upgraded]: { balanceChange: '0x7b' } } }],
        precompileUpgrades: [
          { contractNativeMinterConfig: { blockTimestamp: time, initialMint: { [minted]: '0x7b' } } },
          { feeManagerConfig: { blockTimestamp: time + 1, disable: true } },
        ],
      },
    };
    const url = await alter(({ method }) => (method === 'eth_getChainConfig' ? { result: config } : null));
    expect(await follow(url, { from: { balances: 2n } })).toEqual([]);
    for (const lucky of [upgraded, minted]) expect(await stored(lucky)).toEqual([[dayOf(time), 123n]]);
    expect(await stored('0x0200000000000000000000000000000000000003')).toEqual([[dayOf(time), 0n]]);
    expect(await stored(early)).toEqual([]);
    // With its genesis, and backward.
    expect(await follow(url, { from: { balances: { since: 0 } } })).toEqual([]);
    expect((await stored(early)).map(([, balance]) => balance)).toEqual([1n]);
    for (const lucky of [upgraded, minted]) expect(await stored(lucky)).toEqual([[dayOf(time), 123n]]);
  });

  test('accounts of a genesis that nobody knows are missing, which is said, until the transaction that made the chain is stored', async () => {
    const { log, text } = captureLog();
    const p = { only: ['p' as const], l1: [] };
    expect(await followOnce(gateway.storage, given(anvil.url, p))).toEqual([]);
    const made = await gateway.storage.prisma.$queryRaw<{ alloc: Record<string, unknown> }[]>`
      SELECT details->'blockchainInfo'->'genesisData'->'alloc' AS alloc FROM transaction
      WHERE details->'blockchainInfo'->'genesisData'->'config'->>'chainId' = ${String(CHAIN)}`;
    const [allotted = ''] = Object.keys(made[0]!.alloc);
    const owner = `0x${allotted.replace(/^0x/, '').toLowerCase()}`;
    await anvil.call('anvil_setBalance', owner, '0x7b');
    await anvil.call('evm_mine');
    await nextDay();
    await gateway.close();
    gateway = await createApp();
    expect(await follow(anvil.url, { node: { log } })).toEqual([]);
    expect(await pipeline()).toMatchObject({ firstHeight: 0n, memo: { lacksGenesis: true } });
    expect(text()).toContain('the genesis accounts are not all known');
    expect((await gateway.get('/ready')).text).toContain('the genesis accounts are not all known');
    expect(await stored(owner)).toEqual([]);
    // A node for development names its own.
    expect((await stored(account)).at(0)?.[1]).toBe(10_000n * 10n ** 18n);
    expect(await followOnce(gateway.storage, given(anvil.url, p))).toEqual([]);
    await anvil.call('evm_mine');
    expect(await follow()).toEqual([]);
    expect(await stored(owner)).toEqual([[dayOf(Number((await blockAt('0x0')).timestamp)), 123n]]);
    expect((await pipeline()).memo).toBeNull();
  });

  test('ERC-1155 tokens of a contract that was created before are not counted, which is said once, until the past is read', async () => {
    const { log, lines } = captureLog();
    const owner = someone('c1');
    const contract = await send({ data: `0x${deploying(idsProgram())}` });
    const mint = (id: number) =>
      send({ to: contract, data: `0x${wordOf(0)}${wordOf(owner)}${wordOf(id)}${wordOf(10 + id)}` });
    await mint(1);
    const more = { tokens: [contract], node: { log } };
    expect(await follow(anvil.url, { ...more, from: { balances: 'now' } })).toEqual([]);
    await mint(2);
    await nextDay();
    await mint(2);
    expect(await follow(anvil.url, more)).toEqual([]);
    expect(await stored(owner, contract)).toEqual([]);
    const said = lines.filter(({ msg }) => msg.includes('ERC-1155'));
    expect(said.map(({ msg }) => msg)).toEqual([
      expect.stringMatching(
        new RegExp(`^balances:${CHAIN}: ERC-1155 balances of ${contract} are not counted`),
      ),
    ]);
    expect(await follow(anvil.url, { ...more, from: { balances: { since: 0 } } })).toEqual([]);
    const today = dayOf(await headTime());
    expect(await stored(owner, contract)).toEqual([
      [today - 1, 23n],
      [today, 35n],
    ]);
  });

  test('a contract that was left out of the named ones for some blocks is not counted, until it is read again', async () => {
    const owner = someone('c2');
    const contract = await send({ data: `0x${deploying(idsProgram())}` });
    const mint = (id: number) =>
      send({ to: contract, data: `0x${wordOf(0)}${wordOf(owner)}${wordOf(id)}${wordOf(10 + id)}` });
    await mint(1);
    expect(await follow(anvil.url, { tokens: [contract] })).toEqual([]);
    expect((await stored(owner, contract)).map(([, count]) => count)).toEqual([11n]);
    await mint(2);
    expect(await follow()).toEqual([]);
    await nextDay();
    await mint(3);
    expect(await follow(anvil.url, { tokens: [contract] })).toEqual([]);
    expect((await stored(owner, contract)).map(([, count]) => count)).toEqual([11n]);
    expect(await follow(anvil.url, { tokens: [contract], again: ['balances'] })).toEqual([]);
    expect((await stored(owner, contract)).map(([, count]) => count)).toEqual([23n, 36n]);
  });

  test('a sum that does not fit is stored as the largest number', async () => {
    const owner = someone('c3');
    const contract = await send({ data: `0x${deploying(idsProgram())}` });
    const all = 'f'.repeat(64);
    for (const id of [1, 2])
      await send({ to: contract, data: `0x${wordOf(0)}${wordOf(owner)}${wordOf(id)}${all}` });
    expect(await follow(anvil.url, { tokens: [contract] })).toEqual([]);
    expect((await stored(owner, contract)).map(([, count]) => count)).toEqual([2n ** 256n - 1n]);
  });
});

test.runIf(!hasAnvil)('npm has no Anvil for this machine', () => {
  expect(hasAnvil).toBe(false);
});
