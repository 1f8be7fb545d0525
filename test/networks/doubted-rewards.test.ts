import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { withChecksum } from '../../src/avalanche/cb58.js';
import { adoptIdentities } from '../../src/avalanche/identity.js';
import { readState } from '../../src/follow/staking/store.js';
import { readPipelines } from '../../src/follow/status/status.js';
import { startAlteredNode } from '../harness/altered-node.js';
import { dumpFollowed, dumpOf } from '../harness/followed-dump.js';
import { followOnce, networkFilling } from '../harness/followed.js';
import { createImportDatabase, type ImportDatabase } from '../harness/ingest.js';
import {
  hasRecordedNode,
  recordedFile,
  startRecordedNode,
  type RecordedNode,
} from '../harness/recorded-node.js';
import type { ScriptedNode } from '../harness/scripted-node.js';
import { startStateNode } from '../harness/state-node.js';

/** Where the amount of an output is: after its codec version, ids, index and type. */
const AMOUNT = 74;

/** Another amount in an output as nodes print it. */
const onemore = (utxo: string) =>
  changed(utxo, (bytes) => bytes.writeBigUInt64BE(bytes.readBigUInt64BE(AMOUNT) + 1n, AMOUNT));

/** Another owner: the last one is at the end. */
const otherOwner = (utxo: string) =>
  changed(utxo, (bytes) => bytes.writeUInt8(bytes.at(-1)! ^ 1, bytes.length - 1));

function changed(utxo: string, change: (bytes: Buffer) => void): string {
  const bytes = Buffer.from(utxo.slice(2), 'hex').subarray(0, -4);
  change(bytes);
  return `0x${Buffer.from(withChecksum(bytes)).toString('hex')}`;
}

describe.runIf(hasRecordedNode)('a node that says otherwise what stakes were paid', () => {
  let node: RecordedNode;
  let lying: ScriptedNode;
  let database: ImportDatabase;
  let whole: Record<string, unknown[]>;
  /** What it says of the supply. */
  let supply: 'right' | 'wrong' | 'nothing';
  /** What is another in its rewards, and in how many of them. */
  let part: (utxo: string) => string;
  let most: number;
  const lied = new Set<string>();
  const isLied = (params: unknown) => {
    const { txID } = params as { txID: string };
    if (lied.size < most) lied.add(txID);
    return lied.has(txID);
  };
  const follow = (url: string | string[], again = false) =>
    followOnce(database.storage, {
      urls: [url].flat(),
      genesis: recordedFile('network-a', 'genesis.json'),
      only: ['p'],
      node: { patienceMs: 200 },
      ...(again && { again: ['p'] }),
    });
  const trouble = async () => (await readPipelines(database.storage, Date.now()))[0]?.trouble;

  beforeAll(async () => {
    node = await startRecordedNode('network-a');
    whole = await dumpOf(networkFilling('network-a', ['p']));
    lying = await startAlteredNode(node.url, ({ method, params }, { result }) => {
      if (method === 'platform.getRewardUTXOs') {
        const { utxos, ...rest } = result as { utxos: string[] };
        if (!isLied(params)) return null;
        return { result: { ...rest, utxos: utxos.map((utxo) => part(utxo)) } };
      }
      if (method !== 'platform.getCurrentSupply' || supply === 'right') return null;
      if (supply === 'nothing') return { error: { code: -32000, message: 'database is busy' } };
      const said = result as { supply: string };
      return { result: { ...said, supply: String(BigInt(said.supply) + 1n) } };
    });
  });
  beforeEach(async () => {
    [part, most] = [onemore, Infinity];
    lied.clear();
    database = await createImportDatabase();
  });
  afterEach(() => database.close());
  afterAll(async () => {
    await lying.close();
    await node.close();
    adoptIdentities({});
  });

  test('is not believed: all tables are those of an honest one, once its state says the same', async () => {
    supply = 'right';
    expect(await follow(lying.url)).toEqual([]);
    expect(await trouble()).toBeNull();
    expect(await dumpFollowed(database.storage)).toEqual(whole);
  });

  test('is in doubt until a state can be compared', async () => {
    supply = 'nothing';
    expect(await follow(lying.url)).toEqual([]);
    expect(await trouble()).toMatch(/^rewards are in doubt since block [\d,]+, .*the node paid \d+/);
    expect(await follow(node.url)).toEqual([]);
    expect(await trouble()).toBeNull();
    expect(await dumpFollowed(database.storage)).toEqual(whole);
  });

  test('to whom: no state shows that, so it is in doubt until it says otherwise', async () => {
    [supply, part, most] = ['right', otherOwner, 20];
    expect(await follow(lying.url)).toEqual([]);
    const doubt =
      /^rewards are in doubt since block [\d,]+, until most nodes say what Moraine computes: .*to other owners/;
    expect(await trouble()).toMatch(doubt);
    expect(await follow(lying.url)).toEqual([]);
    expect(await trouble()).toMatch(doubt);
    expect(await follow(node.url)).toEqual([]);
    expect(await trouble()).toBeNull();
    expect(await dumpFollowed(database.storage)).toEqual(whole);
  });

  test.each([1, 2])(
    'is outvoted by %i honest nodes: nothing is in doubt, and no state differs',
    async (honest) => {
      supply = 'wrong';
      const others = Array.from({ length: honest }, () => node.url);
      expect(await follow([lying.url, ...others])).toEqual([]);
      const { difference, doubt } = await database.storage.prisma.followStaking.findFirstOrThrow();
      // Of two nodes none is outvoted: one says that it doubts, and the state shows nothing.
      expect([difference, doubt === null]).toEqual([null, honest === 2]);
      expect((await dumpFollowed(database.storage))['utxo']).toEqual(whole['utxo']);
    },
  );

  test('and of the state too: what is computed stands, the alarm stays, and an honest node ends it', async () => {
    supply = 'wrong';
    expect(await follow(lying.url)).toEqual([]);
    expect(await trouble()).toMatch(
      /^estimated rewards and subnet metrics are not written since block 2,119/,
    );
    expect(await follow(node.url)).toEqual([]);
    expect(await trouble()).toBeNull();
    expect(await dumpFollowed(database.storage)).toEqual(whole);
  });

  test('is believed with --again where its state says so; an honest node ends the alarm when all is written again', async () => {
    supply = 'wrong';
    expect(await follow(lying.url)).toEqual([]);
    expect(await follow(lying.url, true)).toEqual([]);
    expect((await dumpFollowed(database.storage))['utxo']).not.toEqual(whole['utxo']);
    expect(await follow(node.url)).toEqual([]);
    expect(await trouble()).toMatch(/^rewards and subnet metrics since block 0 may be missing or wrong/);
    expect(await follow(node.url, true)).toEqual([]);
    expect(await trouble()).toBeNull();
    expect(await dumpFollowed(database.storage)).toEqual(whole);
  });
});

/** Blocks at which the node of the next test stands. */
const [DIFFERS, AGREES] = [1201, 2011];

test.runIf(hasRecordedNode)(
  'estimates that were left out while the state differed are written after a restart too, and rewards are wrong from the first one on',
  async () => {
    const node = await startRecordedNode('network-a', { heads: { P: DIFFERS } });
    const lying = await startAlteredNode(node.url, ({ method }, { result }) => {
      if (method === 'platform.getCurrentSupply') return { result: { supply: '1', height: String(DIFFERS) } };
      if (method === 'platform.getCurrentValidators') return { result: { validators: [] } };
      if (method !== 'platform.getRewardUTXOs') return null;
      const { utxos, ...rest } = result as { utxos: string[] };
      return { result: { ...rest, utxos: utxos.map(onemore) } };
    });
    const database = await createImportDatabase();
    const { storage } = database;
    const given = { genesis: recordedFile('network-a', 'genesis.json'), only: ['p'] as const };
    const follow = (url: string) => followOnce(storage, { ...given, urls: [url], node: { patienceMs: 200 } });
    const state = () => storage.prisma.followStaking.findFirstOrThrow();
    try {
      expect(await follow(lying.url)).toEqual([]);
      expect((await state()).differentSince).toBe(BigInt(DIFFERS));
      await node.moveHeads({ P: AGREES });
      expect(await follow(lying.url)).toEqual([]);
      const [reward] = await storage.prisma.$queryRaw<{ block: string }[]>`
        SELECT min(block_number)::text AS block FROM transaction
        WHERE tx_type = 'RewardValidatorTx' AND block_number > ${DIFFERS}`;
      expect((await state()).withheldSince).toBe(BigInt(reward!.block));
      const stored = await readState(storage, 'fuji');
      const paid = stored!.state.stakers.filter(({ potentialReward }) => potentialReward > 0n);
      const unestimated = async () => {
        const [row] = await storage.prisma.$queryRaw<{ count: bigint }[]>`
          SELECT count(*) AS count FROM transaction WHERE details->>'estimatedReward' IS NULL
            AND tx_hash = ANY(${paid.map(({ txId }) => txId)}::text[])`;
        return row?.count;
      };
      expect(await unestimated()).toBeGreaterThan(0n);
      const past = await startStateNode(node.url, stored!.state, BigInt(AGREES));
      expect(await follow(past.url)).toEqual([]);
      await past.close();
      expect((await state()).difference).toBeNull();
      // The estimates come with the next block, of another process.
      await node.moveHeads({ P: 2119 });
      expect(await follow(node.url)).toEqual([]);
      expect(await unestimated()).toBe(0n);
    } finally {
      await lying.close();
      await node.close();
      await database.close();
      adoptIdentities({});
    }
  },
);

test.runIf(!hasRecordedNode)('no recorded network lies in ../shared/node', () => {
  expect(hasRecordedNode).toBe(false);
});
