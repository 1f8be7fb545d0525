import { pino } from 'pino';
import { afterAll, describe, expect, test } from 'vitest';
import { adoptIdentities } from '../../src/avalanche/identity.js';
import { decodePTransaction } from '../../src/avalanche/codec/p-transaction.js';
import { openNode } from '../../src/follow/node/nodes.js';
import { readForkTimes } from '../../src/follow/network/node-facts.js';
import { seedState } from '../../src/follow/staking/seed.js';
import type { StoredState } from '../../src/follow/staking/state.js';
import { readState } from '../../src/follow/staking/store.js';
import { readPipelines } from '../../src/follow/status/status.js';
import { startAlteredNode } from '../harness/altered-node.js';
import { createPool, poolOf, storageOn } from '../harness/connections.js';
import { createDatabase, type Filling } from '../harness/database.js';
import { until } from '../harness/embedded.js';
import { followOnce, networkFilling, startFollowing } from '../harness/followed.js';
import { captureLog } from '../harness/log.js';
import type { Alteration } from '../harness/recorded-c-chain.js';
import { hasRecordedNode, recordedFile, startRecordedNode } from '../harness/recorded-node.js';
import { startStateNode } from '../harness/state-node.js';
import type { Storage } from '../../src/storage/open.js';

const signal = new AbortController().signal;

async function withDatabase<T>(
  filling: Filling | undefined,
  work: (storage: Storage) => Promise<T>,
): Promise<T> {
  const database = await createDatabase(filling ? { filling } : {});
  const storage = storageOn(createPool(database.url, 8));
  try {
    return await work(storage);
  } finally {
    await poolOf(storage).end();
    await database.drop();
  }
}

async function stateOf(storage: Storage): Promise<StoredState> {
  const stored = await readState(storage, 'fuji');
  if (!stored) throw new Error('no state is stored');
  expect(stored.difference).toBeNull();
  return stored.state;
}

/** What two states have in common: a sum of fees counts from any beginning. */
function comparable({ time, fee, stakers, supplies, l1Validators }: StoredState) {
  const byId = <T>(rows: readonly T[], idOf: (row: T) => string) =>
    [...rows].sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
  return {
    time,
    excess: fee.excess,
    supplies,
    stakers: byId(stakers, ({ txId }) => txId),
    l1Validators: byId(l1Validators, ({ validationId }) => validationId).map(
      ({ validationId, subnetId, nodeId, weight, endFee, owner }) => ({
        validationId,
        subnetId,
        nodeId,
        weight,
        owner,
        balance: endFee > 0n ? endFee - fee.accrued : 0n,
      }),
    ),
  };
}

describe.runIf(hasRecordedNode)('the state of stakers from a node', () => {
  afterAll(() => adoptIdentities({}));

  test.each(['network-a', 'network-c'] as const)(
    'of %s is the one that follows of all blocks',
    async (network) => {
      const node = await startRecordedNode(network);
      const nodes = openNode([node.url], { log: pino({ level: 'silent' }) });
      try {
        const followed = await withDatabase(networkFilling(network), stateOf);
        const { platform } = nodes;
        const given = {
          platform,
          options: { signal },
          durangoTime: (await readForkTimes(nodes, signal)).durangoTime,
          transaction: async (id: string) => decodePTransaction(await platform.transaction(id)),
        };
        const height = await platform.height();
        expect(await seedState(height - 1n, given)).toBeNull();
        const seeded = await seedState(height, given);
        expect(seeded && comparable(seeded)).toEqual(comparable(followed));
      } finally {
        await nodes.close();
        await node.close();
      }
    },
  );

  test.each<[what: string, said: RegExp, change: Alteration]>([
    [
      'it is before Durango',
      /before Durango stakers may wait for their start, and no node gives all of their values/,
      ({ method }) =>
        method === 'platform.getTimestamp' ? { result: { timestamp: '2020-11-25T00:00:00Z' } } : null,
    ],
    [
      'the fee of L1 validators is not known',
      /the node does not know the fee of L1 validators/,
      ({ method }) =>
        method === 'platform.getValidatorFeeState'
          ? { error: { code: -32000, message: `rpc: can't find method "${method}"` } }
          : null,
    ],
    [
      'an L1 validator has nobody who gets what is left',
      /the node does not say who gets the remaining balance of the L1 validator/,
      ({ method }, { result }) => {
        if (method !== 'platform.getCurrentValidators') return null;
        const { validators } = result as { validators: Record<string, unknown>[] };
        return {
          result: { validators: validators.map(({ remainingBalanceOwner: _, ...others }) => others) },
        };
      },
    ],
    [
      'a staker has no end',
      /no node gives all values of the staker/,
      ({ method }, { result }) => {
        if (method !== 'platform.getCurrentValidators') return null;
        const { validators } = result as { validators: Record<string, unknown>[] };
        return { result: { validators: validators.map(({ endTime: _, ...others }) => others) } };
      },
    ],
  ])(
    'is not taken where %s: it is missing, which is said, and another node gives it',
    async (_what, said, change) => {
      const network = 'network-a';
      const node = await startRecordedNode(network);
      const other = await startAlteredNode(node.url, change);
      const given = { genesis: recordedFile(network, 'genesis.json'), only: ['p'] as const };
      await withDatabase(undefined, async (storage) => {
        const [first, second] = [captureLog(), captureLog()];
        const all = { ...given, from: { p: 'now' as const } };
        const running = await startFollowing(storage, { ...all, urls: [other.url], log: first.log });
        await until(() => Promise.resolve(said.test(first.text())));
        expect(await running.stop()).toEqual([]);
        expect(await storage.prisma.followStaker.count()).toBe(0);
        const [{ missing } = { missing: null }] = await readPipelines(storage, Date.now());
        expect(missing).toContain('until the state of stakers is taken from the node');
        const honest = await startFollowing(storage, { ...all, urls: [node.url], log: second.log });
        await until(() =>
          Promise.resolve(/the state of \d+ stakers .* was taken from the node/.test(second.text())),
        );
        expect(await honest.stop()).toEqual([]);
      });
      await other.close();
      await node.close();
    },
  );

  test('goes on with the next blocks, if the P-chain is begun in the middle', async () => {
    const network = 'network-a';
    const given = { genesis: recordedFile(network, 'genesis.json'), only: ['p'] as const };
    const whole = await withDatabase(networkFilling(network), stateOf);
    // From here on nothing is spent that stands in no block and was made before.
    const node = await startRecordedNode(network, { heads: { P: 2010 } });
    const { head, full } = await node.heads();
    const past = await withDatabase(undefined, async (storage) => {
      expect(await followOnce(storage, { ...given, urls: [node.url] })).toEqual([]);
      return stateOf(storage);
    });
    expect(past.l1Validators.length).toBeGreaterThan(0);
    expect(past.stakers.length).toBeGreaterThan(whole.stakers.length);
    const stateNode = await startStateNode(node.url, past, BigInt(head.P));
    await withDatabase(undefined, async (storage) => {
      const running = await startFollowing(storage, { ...given, urls: [stateNode.url], from: { p: 'now' } });
      const missing = async () => (await readPipelines(storage, Date.now()))[0]?.missing;
      // Twice to take it, and again to compare it.
      await until(() => Promise.resolve(stateNode.looks() > 3));
      expect(await missing()).toContain('until the state of stakers is taken from the node');
      stateNode.goOn();
      await node.moveHeads(full);
      const arrived = until(() => Promise.resolve(running.views[0]?.next === BigInt(full.P) + 1n));
      await Promise.race([arrived, running.ended]);
      expect(await running.stop()).toEqual([]);
      expect(comparable(await stateOf(storage))).toEqual(comparable(whole));
      // Of stakes of before only the ends are stored, with their blocks.
      expect(await storage.prisma.transaction.count({ where: { blockNumber: null } })).toBe(0);
      expect(await missing()).toContain('up to the day on which the state of stakers was taken');
    });
    await stateNode.close();
    await node.close();
  });
});
