import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SUBNET_EVM } from '../../sample/chains.js';
import { l1HeaderHash, type EvmHeader } from '../../src/avalanche/codec/evm-header.js';
import { readReceipt, receiptsRoot } from '../../src/avalanche/codec/evm-receipt.js';
import { adoptIdentities } from '../../src/avalanche/identity.js';
import { probeL1 } from '../../src/follow/check/l1-probe.js';
import { openEvm } from '../../src/follow/node/nodes.js';
import { avalanchego, startLiveNode, type LiveNode } from '../harness/avalanchego.js';
import { followOnce } from '../harness/followed.js';
import { createImportDatabase, type ImportDatabase } from '../harness/ingest.js';
import { LiveL1, subnetEvm } from '../harness/live-l1.js';
import { l1Genesis, l1Upgrade, LiveL1Actor } from '../harness/live-l1-actor.js';
import { LiveWallet } from '../harness/live-wallet.js';
import { Wallet } from '../harness/signed-transactions.js';
import { framesOfTrace, isInternal, type RawFrame } from '../harness/trace-truth.js';

type Block = EvmHeader & {
  readonly transactions: readonly string[];
  readonly receiptsRoot: string;
  readonly number: string;
};

const EVM_CHAIN_ID = 77_341;
const AVAX = 1_000_000_000;
const owner = new Wallet('moraine live owner');
const programs = avalanchego && subnetEvm ? { avalanchego, subnetEvm } : null;
const hex = (height: number) => `0x${height.toString(16)}`;

describe.skipIf(!programs)(
  `a chain of subnet-evm on a live node${programs ? '' : ' (skipped: TEST_AVALANCHEGO or TEST_SUBNET_EVM names no program)'}`,
  () => {
    const ends: (() => Promise<unknown>)[] = [];
    let node: LiveNode;
    let chain: LiveL1;
    let genesis: object;
    let nfts: number;
    let database: ImportDatabase;
    let blocks: Block[];

    beforeAll(async () => {
      const allocation = {
        ethAddr: owner.evmAddress.toLowerCase(),
        avaxAddr: `X-${owner.text}`,
        initialAmount: 1000 * AVAX,
        unlockSchedule: [{ amount: 2000 * AVAX }],
      };
      node = await startLiveNode(programs!.avalanchego, [allocation], { [SUBNET_EVM]: programs!.subnetEvm });
      ends.push(node.drop);
      await node.ready();
      const now = Math.floor(Date.now() / 1000);
      const forks = { durango: now + 30, etna: now + 40, granite: now + 50, upgrade: now + 75 };
      genesis = l1Genesis(EVM_CHAIN_ID, owner.evmAddress, forks);
      chain = await LiveL1.make(node, await LiveWallet.open(node, owner), {
        evmChainId: EVM_CHAIN_ID,
        genesis,
        upgrade: l1Upgrade(owner.evmAddress, forks),
      });
      nfts = await new LiveL1Actor(chain, forks).act();
      const head = Number(await chain.call<string>('eth_blockNumber'));
      blocks = await Promise.all(
        Array.from({ length: head + 1 }, (_, height) =>
          chain.call<Block>('eth_getBlockByNumber', hex(height), false),
        ),
      );
      database = await createImportDatabase();
      ends.push(database.close);
      const given = { urls: [node.url], genesis: node.genesis, l1: [chain.url] };
      expect(await followOnce(database.storage, given)).toEqual([]);
    });

    afterAll(async () => {
      for (const end of ends.splice(0).reverse()) await end();
      adoptIdentities({});
    });

    test('each header has the hash of its members, from genesis through every upgrade', () => {
      for (const header of blocks) expect(l1HeaderHash(header), header.number).toBe(header.hash);
      const eras = new Set(blocks.map((header) => Object.keys(header).length));
      expect(eras.size).toBeGreaterThan(3);
    });

    test('the receipts of each block have the root that its header says', async () => {
      for (const { number, receiptsRoot: root } of blocks) {
        const receipts = await chain.call<unknown[]>('eth_getBlockReceipts', number);
        expect(receiptsRoot(receipts.map(readReceipt)), number).toBe(root);
      }
    });

    test('its internal transactions are those of a walk of each single trace', async () => {
      const expected: string[] = [];
      for (const { number, transactions } of blocks)
        for (const hash of transactions) {
          const root = await chain.call<RawFrame>('debug_traceTransaction', hash, { tracer: 'callTracer' });
          for (const each of framesOfTrace({ blockNumber: Number(number), txHash: hash }, root)) {
            if (!isInternal(each) || each.frame.to === undefined) continue;
            const isReverted = [...each.within, each.frame].some(({ error }) => error !== undefined);
            const { type, value = '0x0' } = each.frame;
            expected.push([Number(number), hash, each.position, type, BigInt(value), isReverted].join(' '));
          }
        }
      const rows = await database.storage.prisma.internalTx.findMany({ where: { evmChainId: EVM_CHAIN_ID } });
      const stored = rows.map(({ blockNumber, txHash, position, type, value, isReverted }) => {
        const hash = `0x${Buffer.from(txHash).toString('hex')}`;
        return [blockNumber, hash, position, type, value, isReverted].join(' ');
      });
      expect(expected.length).toBeGreaterThan(20);
      expect(stored.toSorted()).toEqual(expected.toSorted());
    });

    test('its NFTs are those that were moved', async () => {
      const tokens = await database.storage.prisma.nftToken.findMany({ where: { evmChainId: EVM_CHAIN_ID } });
      expect(tokens.map(({ tokenId }) => Number(tokenId)).toSorted()).toEqual([...Array(nfts).keys()]);
    });

    test('the list of chains names the transaction that made it', async () => {
      const row = await database.storage.prisma.chain.findUniqueOrThrow({
        where: { evmChainId: EVM_CHAIN_ID },
      });
      const { blockchainId, subnetId } = chain;
      expect(row).toMatchObject({ blockchainId, subnetId, chainName: 'live', vmId: SUBNET_EVM });
    });

    test('each account has what the node says, also whom the genesis, the minter, upgrades and fees give coins', async () => {
      const traces = blocks
        .flatMap(({ transactions }) => transactions)
        .map((hash) => chain.call('debug_traceTransaction', hash, { tracer: 'callTracer' }));
      const config = await chain.call('eth_getChainConfig');
      const said = JSON.stringify([blocks, config, genesis, await Promise.all(traces)]).toLowerCase();
      // Addresses, and words of calls that may be some.
      const found = [...said.matchAll(/"(?:0x)?([0-9a-f]{40})"|(?<=0{24})([0-9a-f]{40})/g)];
      const rows = await database.storage.prisma.$queryRaw<{ address: string; balance: string }[]>`
        SELECT encode(a.address, 'hex') AS address, b.balance::text FROM evm_balance b
          JOIN evm_holding h ON h.id = b.holding_id JOIN evm_address a ON a.id = b.address_id
        WHERE h.kind = 'native' AND h.evm_chain_id = ${EVM_CHAIN_ID} AND b.until_day = 2147483647`;
      const stored = new Map(rows.map(({ address, balance }) => [address, BigInt(balance)]));
      const everybody = new Set([...stored.keys(), ...found.map(([, address, word]) => address ?? word!)]);
      const holders: string[] = [];
      for (const address of everybody) {
        const balance = BigInt(await chain.call<string>('eth_getBalance', `0x${address}`, 'latest'));
        expect(`${address} ${stored.get(address) ?? 0n}`).toBe(`${address} ${balance}`);
        if (balance > 0n) holders.push(address);
      }
      expect(holders.length).toBeGreaterThan(30);
      const { memo } = await database.storage.prisma.followPipeline.findFirstOrThrow({
        where: { name: `balances:${EVM_CHAIN_ID}` },
      });
      expect(memo).toBeNull();
    });

    test('--check says that all streams can be filled from genesis on', async () => {
      const nodes = openEvm([chain.url], null, { log: pino({ level: 'silent' }) });
      const text = await probeL1(nodes, new AbortController().signal);
      await nodes.close();
      expect(text).toMatch(
        /has the EVM chain 77341, at \d+\n {2}internal transactions {2}from genesis\n {2}NFTs, messages +from genesis\n {2}balances by day +from genesis\n$/,
      );
    });
  },
);
