import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatAddress } from '../../../src/avalanche/address.js';
import { withChecksum } from '../../../src/avalanche/cb58.js';
import { decodePBlock } from '../../../src/avalanche/codec/block.js';
import { sha256 } from '../../../src/avalanche/codec/ids.js';
import { rebuildGenesis } from '../../../src/avalanche/codec/genesis-bytes.js';
import type { Genesis, PTransaction, Utxo } from '../../../src/avalanche/codec/types.js';
import { adoptIdentities } from '../../../src/avalanche/identity.js';
import { parseJson } from '../../../src/json.js';
import { checkedBytes } from '../../avalanche/codec/recorded.js';
import { createApp, type TestApp } from '../../harness/app.js';
import { ask } from '../../harness/ask.js';
import { poolOf } from '../../harness/connections.js';
import { excerptAnswer, excerptGenesis, excerptHeads } from '../../harness/excerpt-node.js';
import { followOnce } from '../../harness/followed.js';
import { serveNode, type NodeServer } from '../../harness/node-server.js';
import { createDatabase } from '../../harness/database.js';
import { launch } from '../../harness/launched.js';
import { PWriter, WrittenChain } from '../../harness/p-writer.js';

const AVAX = 1_000_000_000n;
const FEE = 1_000_000n;
const genesis: Genesis = rebuildGenesis(parseJson(readFileSync(excerptGenesis, 'utf8')));
const at = (seconds: number) => genesis.time + seconds;
/** Seconds after genesis. */
const forks = { banff: 100, cortina: 200, durango: 300, etna: 400, helicon: 500 };
const nodes = [
  'NodeID-111111111111111111116DBWJs',
  'NodeID-8AGTFjCyAgrYBjE6ysbDTdUdAQNB9YePE',
  'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg',
] as const;

/** A chain with what nodes made long ago, what they will make, and what was refused. */
function write(): { chain: WrittenChain; all: Record<string, PTransaction> } {
  const first = excerptAnswer(
    '/ext/bc/P',
    'platform.getBlockByHeight',
    { height: '0', encoding: 'hex' },
    excerptHeads,
  );
  const chain = new WrittenChain(
    decodePBlock(checkedBytes((first as { result: { block: string } }).result.block)),
  );
  const writer = new PWriter(genesis.networkId, genesis.avaxAssetId);
  const free = genesis.utxos.filter(
    ({ output: { stakeableLocktime, amount } }) => stakeableLocktime === null && amount > 4000n * AVAX,
  );
  const spend = (stake: bigint, owner: number, consumed: Utxo = free.shift() as Utxo) => ({
    consumed: [consumed],
    stake,
    owner,
    kept: consumed.output.amount - stake - FEE,
  });
  const all: Record<string, PTransaction> = {};
  const period = (node: number, start: number, end: number) => ({
    nodeId: nodes[node] as string,
    start: at(start),
    end: at(end),
  });
  // Before Banff: stakers are proposed, and some are refused.
  all['validator'] = writer.addValidator(spend(3000n * AVAX, 1), period(0, 10, 350), 100_000);
  all['refused validator'] = writer.addValidator(spend(3001n * AVAX, 2), period(1, 10, 350), 100_000);
  all['refused delegator'] = writer.addDelegator(spend(3002n * AVAX, 3), period(0, 20, 60));
  all['early delegator'] = writer.addDelegator(spend(3003n * AVAX, 4), period(0, 20, 60));
  chain.apricotProposal(all['validator'], true);
  chain.apricotProposal(all['refused validator'], false);
  chain.apricotProposal(writer.advanceTime(at(10)), false);
  chain.apricotProposal(writer.advanceTime(at(10)), true);
  chain.apricotProposal(all['refused delegator'], false);
  chain.apricotProposal(all['early delegator'], true);
  chain.apricotProposal(writer.advanceTime(at(20)), true);
  // What was refused can be spent, from the places where it would have been at stake.
  const back = all['refused validator'].outputs[1] as Utxo;
  chain.apricotStandard([writer.move(spend(0n, 5, back))]);
  chain.apricotAtomic(writer.move(spend(0n, 6)));
  chain.apricotProposal(writer.advanceTime(at(60)), true);
  chain.apricotProposal(writer.reward(all['early delegator'].id), true);
  // Of a validator that started before Cortina; it ends without a reward, and so does its delegator.
  all['late delegator'] = writer.addDelegator(spend(3004n * AVAX, 7), period(0, 220, 340));
  chain.banffStandard(at(210), [all['late delegator']]);
  chain.banffStandard(at(220), []);
  chain.banffProposal(at(340), writer.reward(all['late delegator'].id), false);
  chain.banffProposal(at(350), writer.reward(all['validator'].id), false);
  // Helicon: validators that begin again by themselves.
  all['renewed'] = writer.addAutoRenewed(
    spend(3005n * AVAX, 10),
    nodes[1],
    { fee: 20_000, kept: 500_000 },
    100,
  );
  all['compounding'] = writer.addAutoRenewed(
    spend(3006n * AVAX, 20),
    nodes[2],
    { fee: 20_000, kept: 1_000_000 },
    100,
  );
  all['its delegator'] = writer.addDelegator(spend(3007n * AVAX, 30), period(1, 0, 590));
  chain.banffStandard(at(500), [all['renewed'], all['compounding'], all['its delegator']]);
  chain.banffProposal(at(590), writer.reward(all['its delegator'].id), true);
  const ends = (time: number, isRewarded: (one: PTransaction) => boolean) => {
    const both = [all['renewed'], all['compounding']] as PTransaction[];
    // Both end in the same second: in the order of their ids.
    for (const one of both.sort((a, b) => Buffer.compare(idBytes(a), idBytes(b))))
      chain.banffProposal(at(time), writer.rewardAutoRenewed(one.id, at(time)), isRewarded(one));
  };
  ends(600, () => true);
  chain.banffStandard(at(650), [writer.setAutoRenewed(spend(0n, 8), all['renewed'].id, 500_000, 0)]);
  ends(700, (one) => one === all['renewed']);
  all['lasting'] = writer.addAutoRenewed(
    spend(3008n * AVAX, 40),
    nodes[1],
    { fee: 25_000, kept: 500_000 },
    100,
  );
  chain.banffStandard(at(710), [all['lasting']]);
  return { chain, all };
}

const idBytes = ({ bytes }: PTransaction) => sha256(bytes);

let gateway: TestApp;
let node: NodeServer;
let databaseUrl: string;
const { chain, all } = write();

beforeAll(async () => {
  const hex = (bytes: Uint8Array) => `0x${Buffer.from(withChecksum(bytes)).toString('hex')}`;
  const transactions = new Map<string, PTransaction>();
  for (const { transactions: accepted, proposal } of chain.blocks)
    for (const one of [...accepted, ...(proposal ? [proposal] : [])]) transactions.set(one.id, one);
  node = await serveNode({
    heads: { ...excerptHeads, P: chain.blocks.length - 1 },
    answer: (path, method, params, heads) => {
      const { height, txID } = params as Record<string, string>;
      const block = chain.blocks[Number(height)];
      const known = transactions.get(txID ?? '');
      if (method === 'platform.getBlockByHeight' && block)
        return { result: { block: hex(block.bytes), encoding: 'hex' } };
      if (method === 'platform.getTx' && known) return { result: { tx: hex(known.bytes), encoding: 'hex' } };
      // As a node of the future, in which it is deprecated today.
      if (method === 'platform.getRewardUTXOs')
        return { error: { code: -32000, message: `rpc: can't find method "${method}"`, data: null } };
      if (method === 'info.upgrades') return { result: upgrades };
      return excerptAnswer(path, method, params, heads);
    },
  });
  gateway = await createApp({}, { reach: (url) => (databaseUrl = url) });
  const stopped = await followOnce(gateway.storage, {
    urls: [node.url],
    genesis: excerptGenesis,
    only: ['p'],
  });
  expect(stopped).toEqual([]);
});

afterAll(async () => {
  await gateway.close();
  await node.close();
  adoptIdentities({});
});

const upgrades = {
  apricotPhase1Time: '2020-12-05T05:00:00Z',
  apricotPhase5Time: '2020-12-05T05:00:00Z',
  ...Object.fromEntries(
    Object.entries(forks).map(([name, seconds]) => [
      `${name}Time`,
      new Date(at(seconds) * 1000).toISOString(),
    ]),
  ),
};

const sum = (amounts: readonly { toFixed: (digits: number) => string }[]) =>
  amounts.reduce((total, amount) => total + BigInt(amount.toFixed(0)), 0n);

test('all that was in genesis and all that was paid is unspent, at stake or burned', async () => {
  const { prisma } = gateway.storage;
  const outputs = await prisma.utxo.findMany();
  const rows = await prisma.transaction.findMany({ where: { chain: 'p' } });
  const burned = rows.flatMap(
    ({ details }) => (details as { amountBurned: { amount: string }[] }).amountBurned,
  );
  const inGenesis = [
    ...genesis.utxos.map(({ output }) => output.amount),
    ...genesis.validators.flatMap((one) => one.outputs.map(({ output }) => output.amount)),
  ].reduce((total, amount) => total + amount, 0n);
  const rewards = outputs.filter(({ rewardType }) => rewardType !== null);
  expect(rewards.map(({ rewardType }) => rewardType).sort()).toEqual([
    'DELEGATOR',
    'DELEGATOR',
    'VALIDATOR',
    'VALIDATOR',
    'VALIDATOR',
    'VALIDATOR_FEE',
    'VALIDATOR_FEE',
    'VALIDATOR_FEE',
  ]);
  const unspent = outputs.filter(({ consumingTxHash }) => consumingTxHash === null);
  expect(
    sum(unspent.map(({ amount }) => amount)) +
      burned.reduce((total, { amount }) => total + BigInt(amount), 0n),
  ).toBe(inGenesis + sum(rewards.map(({ amount }) => amount)));
});

test('the supply is that of genesis, with what was paid and what is promised', async () => {
  const { prisma } = gateway.storage;
  const state = await prisma.followStaking.findFirstOrThrow();
  expect([state.difference, state.knowsStakers]).toEqual([null, true]);
  const rewards = await prisma.utxo.findMany({ where: { rewardType: { not: null } } });
  const stakers = await prisma.followStaker.findMany();
  const lasting = [...genesis.validators, all['lasting'] as PTransaction];
  expect(stakers.map(({ txId }) => txId).sort()).toEqual(lasting.map(({ id }) => id).sort());
  const supplies = await prisma.followSupply.findMany();
  expect(sum(supplies.map(({ supply }) => supply))).toBe(
    genesis.initialSupply +
      sum(rewards.map(({ amount }) => amount)) +
      sum(stakers.map(({ potentialReward }) => potentialReward)),
  );
});

test('refused stakers have their stake back, and are not at stake', async () => {
  const { prisma } = gateway.storage;
  for (const name of ['refused validator', 'refused delegator']) {
    const { id, outputs } = all[name] as PTransaction;
    const { details } = await prisma.transaction.findFirstOrThrow({ where: { txHash: id } });
    expect(details).not.toHaveProperty('estimatedReward');
    expect(details).not.toHaveProperty('endTimestamp');
    const rows = await prisma.utxo.findMany({ where: { txHash: id } });
    expect(rows.map(({ staked }) => staked)).toEqual(outputs.map(() => false));
  }
});

test('a validator that begins again stays at stake until it ends', async () => {
  const { prisma } = gateway.storage;
  for (const name of ['renewed', 'compounding']) {
    const { id } = all[name] as PTransaction;
    const { details } = await prisma.transaction.findFirstOrThrow({ where: { txHash: id } });
    const last = chain.blocks.findLast(
      ({ proposal }) => proposal !== null && 'stakingTxId' in proposal && proposal.stakingTxId === id,
    );
    expect(details).toMatchObject({ rewardTxHash: last?.proposal?.id });
    const rows = await prisma.utxo.findMany({ where: { txHash: id } });
    expect(rows.map(({ staked }) => staked)).toEqual([false, false]);
  }
});

test('a validator that begins again says who is paid, and is among their rewards that are not paid yet', async () => {
  const { id } = all['lasting'] as PTransaction;
  const { transaction } = await ask<any>(
    gateway,
    `{ transaction(network: fuji, blockchainId: "p-chain", txHash: "${id}") { rewardAddresses delegationFeePercent } }`,
  );
  const named = [40, 41].map((byte) => formatAddress('fuji', new Uint8Array(20).fill(byte)));
  expect(transaction).toEqual({ rewardAddresses: named, delegationFeePercent: '2.5' });
  for (const address of named) {
    const query = `{ address(network: fuji, address: "${address}") {
      pendingRewards { nodes { txHash isDelegation rewardAddresses transaction { txHash } } } } }`;
    expect(await ask<any>(gateway, query)).toEqual({
      address: {
        pendingRewards: {
          nodes: [{ txHash: id, isDelegation: false, rewardAddresses: named, transaction: { txHash: id } }],
        },
      },
    });
  }
});

/** A command with the database of the followed chain. */
async function run(...args: string[]): Promise<{ code: number | null; output: string }> {
  const command = launch(args, { DATABASE_URL: databaseUrl });
  const { code } = await command.ended;
  return { code, output: command.output() };
}

test('verify finds no difference on a chain whose validators renew by themselves', async () => {
  const scratch = await createDatabase();
  const { code, output } = await run('verify', '--scratch', scratch.url);
  expect(output).not.toMatch(/differs?\b.*with/);
  expect(output).toContain('no difference');
  expect(code, output).toBe(0);
});

/** How often each type stands under its own name on the chain. */
const renewing = {
  AddAutoRenewedValidatorTx: 3,
  RewardAutoRenewedValidatorTx: 4,
  SetAutoRenewedValidatorConfigTx: 1,
};

const types = async () => {
  const query = (
    after: string,
  ) => `{ transactions(network: fuji, blockchainId: "p-chain", first: 3, txTypes: [UNKNOWN]${after}) {
    nodes { txHash txType chainTxType } pageInfo { endCursor hasNextPage } } }`;
  const nodes: { txHash: string; txType: string; chainTxType: string | null }[] = [];
  for (let after = ''; ;) {
    const { transactions } = await ask<any>(gateway, query(after));
    nodes.push(...transactions.nodes);
    if (!transactions.pageInfo.hasNextPage) return nodes;
    after = `, after: "${transactions.pageInfo.endCursor}"`;
  }
};

const counted = (names: readonly (string | null)[]) =>
  Object.fromEntries(
    [...new Set(names)].sort().map((name) => [name, names.filter((one) => one === name).length]),
  );

test('types that REST cannot name are UNKNOWN, and GraphQL gives the name that the chain has', async () => {
  const nodes = await types();
  expect(new Set(nodes.map(({ txType }) => txType))).toEqual(new Set(['UNKNOWN']));
  expect(counted(nodes.map(({ chainTxType }) => chainTxType))).toEqual(renewing);
  const { body } = await gateway.get(
    `/v1/networks/fuji/blockchains/p-chain/transactions/${nodes[0]!.txHash}`,
  );
  expect(body.txType).toBe('UNKNOWN');
  expect(body).not.toHaveProperty('chainTxType');
});

test('what was followed while such names were not stored gets them by rebuild, without the node', async () => {
  const links = async () => {
    const { rows } = await poolOf(gateway.storage).query(
      `SELECT 'address' AS of, transaction_id, tx_type FROM address_transaction
       UNION ALL SELECT 'validator', transaction_id, tx_type FROM validator_transaction
       UNION ALL SELECT 'transaction', id, tx_type FROM transaction ORDER BY 1, 2, 3`,
    );
    return rows;
  };
  const before = await links();
  for (const table of ['transaction', 'address_transaction', 'subnet_transaction', 'validator_transaction'])
    await poolOf(gateway.storage).query(
      `UPDATE ${table} SET tx_type = 'UNKNOWN' WHERE tx_type LIKE '%AutoRenewed%'`,
    );
  expect(counted((await types()).map(({ chainTxType }) => chainTxType))).toEqual({ null: 8 });
  expect((await run('rebuild', '--check')).output).toContain('transaction: 8 rows are missing or wrong');
  const { output, code } = await run('rebuild');
  expect([code, output]).toEqual([0, expect.stringContaining('transaction: 8 rows written')]);
  expect(await links()).toEqual(before);
});
