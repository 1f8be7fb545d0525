import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { withChecksum } from '../../src/avalanche/cb58.js';
import { adoptIdentities } from '../../src/avalanche/identity.js';
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

/** Where the amount of an output is: after its codec version, ids, index and type. */
const AMOUNT = 74;

/** Another amount in an output as nodes print it. */
function onemore(utxo: string): string {
  const bytes = Buffer.from(utxo.slice(2), 'hex').subarray(0, -4);
  bytes.writeBigUInt64BE(bytes.readBigUInt64BE(AMOUNT) + 1n, AMOUNT);
  return `0x${Buffer.from(withChecksum(bytes)).toString('hex')}`;
}

describe.runIf(hasRecordedNode)('a node that says otherwise what stakes were paid', () => {
  let node: RecordedNode;
  let lying: ScriptedNode;
  let database: ImportDatabase;
  let whole: Record<string, unknown[]>;
  /** What it says of the supply. */
  let supply: 'right' | 'wrong' | 'nothing';
  const follow = (url: string, again = false) =>
    followOnce(database.storage, {
      urls: [url],
      genesis: recordedFile('network-a', 'genesis.json'),
      only: ['p'],
      node: { patienceMs: 200 },
      ...(again && { again: ['p'] }),
    });
  const trouble = async () => (await readPipelines(database.storage, Date.now()))[0]?.trouble;

  beforeAll(async () => {
    node = await startRecordedNode('network-a');
    whole = await dumpOf(networkFilling('network-a', ['p']));
    lying = await startAlteredNode(node.url, ({ method }, { result }) => {
      if (method === 'platform.getRewardUTXOs') {
        const { utxos, ...rest } = result as { utxos: string[] };
        return { result: { ...rest, utxos: utxos.map(onemore) } };
      }
      if (method !== 'platform.getCurrentSupply' || supply === 'right') return null;
      if (supply === 'nothing') return { error: { code: -32000, message: 'database is busy' } };
      const said = result as { supply: string };
      return { result: { ...said, supply: String(BigInt(said.supply) + 1n) } };
    });
  });
  beforeEach(async () => {
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

test.runIf(!hasRecordedNode)('no recorded network lies in ../shared/node', () => {
  expect(hasRecordedNode).toBe(false);
});
