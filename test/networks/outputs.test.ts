import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adoptIdentities } from '../../src/avalanche/identity.js';
import { createApp, type TestApp } from '../harness/app.js';
import { networkFilling } from '../harness/followed.js';
import { truthOf, type NodeTruth } from '../harness/node-truth.js';
import { hasRecordedNode } from '../harness/recorded-node.js';
import { verticesOf } from '../harness/recorded-vertices.js';
import { byId, toldByNodes, type RestOutput } from '../harness/rest-outputs.js';
import { allPages } from '../harness/rest-pages.js';

const chains = ['p', 'x', 'c'] as const;
const lists = (chain: string) => `/v1/networks/fuji/blockchains/${chain}-chain/utxos`;

describe.runIf(hasRecordedNode).each(['network-a', 'network-c'] as const)(
  '%s, followed from its genesis',
  (network) => {
    let gateway: TestApp;
    let truth: NodeTruth;
    let listed: Record<(typeof chains)[number], RestOutput[]>;

    beforeAll(async () => {
      truth = truthOf(network);
      gateway = await createApp({}, { filling: networkFilling(network) });
      const all = chains.map(async (chain) => [chain, await allPages(gateway, lists(chain), 'utxos')]);
      listed = Object.fromEntries(await Promise.all(all)) as typeof listed;
    });

    afterAll(async () => {
      await gateway.close();
      adoptIdentities({});
    });

    test('every transaction is stored under the id that its bytes have, and no other one is', async () => {
      const wanted = truth.allTransactions();
      for (const chain of chains) {
        const rows = await gateway.storage.prisma.transaction.findMany({
          where: { network: 'fuji', chain },
          select: { txHash: true, txType: true },
        });
        const ids = wanted[chain].map((one) => [one.id, (one as { type?: string }).type].join(' '));
        expect(rows.map(({ txHash, txType }) => `${txHash} ${txType}`).sort()).toEqual(ids.sort());
      }
    });

    test('for every address REST lists what the node’s getUTXOs listed, on each chain', async () => {
      const unspent = truth.unspent();
      expect(unspent.size).toBeGreaterThan(50);
      const { genesis } = truth;
      const ids = { p: '11111111111111111111111111111111LpoYY', x: genesis.xChainId, c: genesis.cChainId };
      for (const [address, outputs] of unspent)
        for (const chain of chains) {
          const rows = await allPages<RestOutput>(gateway, `${lists(chain)}?addresses=${address}`, 'utxos');
          const wanted = outputs.filter(
            ({ createdOnChainId, consumedOnChainId }) =>
              createdOnChainId === ids[chain] || consumedOnChainId === ids[chain],
          );
          const free = rows.filter(({ staked }) => !staked);
          expect(byId(free).map(toldByNodes), `${chain} ${address}`).toEqual(byId(wanted));
        }
    });

    test('REST lists every vertex of the DAG that the node’s index has', async () => {
      const listed = await allPages<Record<string, unknown>>(
        gateway,
        '/v1/networks/fuji/blockchains/x-chain/vertices',
        'vertices',
      );
      const byPosition = (one: Record<string, unknown>, other: Record<string, unknown>) =>
        Number(one['vertexIndex']) - Number(other['vertexIndex']);
      expect(listed.sort(byPosition)).toEqual(verticesOf(network));
      expect(listed.length).toBe(network === 'network-c' ? 240 : 0);
    });

    test('what REST lists as staked is what the node’s getStake listed', async () => {
      for (const [address, outputs] of truth.staked()) {
        const rows = await allPages<RestOutput>(gateway, `${lists('p')}?addresses=${address}`, 'utxos');
        const staked = rows.filter((row) => row.staked).map(({ utxoBytes }) => utxoBytes.slice(78, -8));
        expect(staked.sort(), address).toEqual(outputs);
      }
    });

    test('the lists of whole chains have these and the outputs without owners, and no other one', () => {
      const owned = new Set([...truth.unspent().values()].flat().map(({ utxoId }) => utxoId));
      const all = Object.values(truth.transactions()).flat();
      const consumed = new Set(all.flatMap(({ inputs }) => inputs.map(({ utxoId }) => utxoId)));
      const unowned = all
        .flatMap(({ outputs }) => outputs)
        .filter(({ output, utxoId }) => output.owners.addresses.length === 0 && !consumed.has(utxoId));
      if (network === 'network-c') expect(unowned).toHaveLength(160);
      const free = new Set(
        Object.values(listed)
          .flatMap((rows) => rows.filter(({ staked }) => !staked))
          .map(({ utxoId }) => utxoId),
      );
      expect([...free].sort()).toEqual([...owned, ...unowned.map(({ utxoId }) => utxoId)].sort());
    });

    test('every RewardValidatorTx emitted what the node’s getRewardUTXOs tells, in the order of the index', async () => {
      const rewards = truth.rewards();
      const ended = await gateway.storage.prisma.transaction.findMany({
        where: { network: 'fuji', chain: 'p', txType: 'RewardValidatorTx' },
        include: { outputs: { orderBy: { position: 'asc' }, include: { utxo: true } } },
      });
      expect(ended.length).toBeGreaterThan(100);
      const paid = ended.map(({ details, outputs }) => [
        (details as { stakingTxHash: string }).stakingTxHash,
        outputs.map(({ utxo }) => `0x${Buffer.from(utxo.utxoBytes ?? []).toString('hex')}`),
      ]);
      expect(paid).toEqual(
        paid.map(([staking]) => [
          staking,
          (rewards.get(staking as string) ?? []).map(({ utxoBytes }) => utxoBytes),
        ]),
      );
      const given = [...rewards.values()].flat().length;
      expect(paid.flatMap(([, outputs]) => outputs)).toHaveLength(given);
    });
  },
);

test.runIf(!hasRecordedNode)('no recorded network lies in ../shared/node', () => {
  expect(hasRecordedNode).toBe(false);
});
