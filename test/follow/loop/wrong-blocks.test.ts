import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { adoptIdentities } from '../../../src/avalanche/identity.js';
import { startAlteredNode } from '../../harness/altered-node.js';
import { excerptGenesis, startExcerptNode } from '../../harness/excerpt-node.js';
import { excerptFilling, followOnce, followUntilWaiting } from '../../harness/followed.js';
import { dumpFollowed, dumpOf } from '../../harness/followed-dump.js';
import { withOtherBytes } from '../../harness/forged-blocks.js';
import { createImportDatabase, type ImportDatabase } from '../../harness/ingest.js';
import type { NodeServer } from '../../harness/node-server.js';
import type { ScriptedNode } from '../../harness/scripted-node.js';

let node: NodeServer;
let lying: ScriptedNode;
let database: ImportDatabase;
let whole: Record<string, unknown[]>;
beforeAll(async () => {
  whole = await dumpOf(excerptFilling);
  node = await startExcerptNode();
});
beforeEach(async () => {
  database = await createImportDatabase();
});
afterEach(async () => {
  await lying.close();
  await database.close();
});
afterAll(async () => {
  await node.close();
  adoptIdentities({});
});

/** A node that gives a block with another last byte, that of a signature: the next block contradicts it. */
const forging = (chain: 'platform' | 'avm', height: bigint) =>
  startAlteredNode(node.url, ({ method, params }, { result }) => {
    const isIt =
      method === `${chain}.getBlockByHeight` && (params as { height: string }).height === String(height);
    if (!isIt) return null;
    const change = (bytes: Buffer) => Buffer.concat([bytes.subarray(0, -1), Buffer.of(bytes.at(-1)! ^ 1)]);
    return { result: withOtherBytes(result, 'block', change) };
  });

const given = { genesis: excerptGenesis };

test.each([
  ['x', 'avm', 60n],
  ['p', 'platform', 278n],
] as const)(
  'a wrong block of %s, which is found by the next one, holds up no block before it that was read with it',
  async (name, chain, height) => {
    lying = await forging(chain, height);
    const note = new RegExp(`has a block ${height + 1n} of ${name} \\(\\w+\\) whose parent is`);
    await followUntilWaiting(database.storage, { ...given, only: [name], urls: [lying.url] }, note);
    const stored = await database.storage.prisma.followPipeline.findFirstOrThrow({ where: { name } });
    expect(stored.nextHeight).toBe(height);
    expect(await followOnce(database.storage, { ...given, urls: [node.url] })).toEqual([]);
    expect(await dumpFollowed(database.storage)).toEqual(whole);
  },
);
