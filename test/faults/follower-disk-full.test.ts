import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { createPool, storageOn } from '../harness/connections.js';
import { startFollower, type TestFollower } from '../harness/follower.js';
import { GeneratedNode, GeneratedPipeline } from '../harness/generated-chain.js';
import { createImportDatabase, dumpLedger } from '../harness/ingest.js';
import { emptyDatabase, ledgerOf } from './harness/followed-servers.js';
import { copyPostgres } from './harness/postgres.js';
import { canMountSmallDisk, mountSmallDisk, skippedWithoutMount } from './harness/small-disk.js';
import { report } from './harness/table.js';

/** Of the generated chain: no proposal. */
const HEAD = 3000n;
/** The sample, another database with the followed chain, and the log of writes. */
const MEGABYTES = 300;
const canMount = await canMountSmallDisk();

describe.skipIf(!canMount)(`the disk is full under a follower${skippedWithoutMount(canMount)}`, () => {
  test('it waits and says why, and with room again it goes on by itself to the rows of an uninterrupted run', async () => {
    const disk = await mountSmallDisk(MEGABYTES);
    onTestFinished(disk.drop);
    const server = await copyPostgres(inject('sampleServer').folder, { into: disk.data });
    onTestFinished(server.stop);
    const url = await emptyDatabase(server, 'followed');
    const pool = createPool(url, 4);
    onTestFinished(() => pool.end());
    const node = new GeneratedNode('node', HEAD);
    node.faults.delayMs = 20;
    const follower = startFollower(storageOn(pool), [new GeneratedPipeline([node])], { once: true });
    onTestFinished(() => void follower.stop());
    await seen(follower, ({ next }) => (next ?? 0n) > HEAD / 10n);
    disk.fill();
    const note = await seen(follower, ({ state }) => state === 'waiting');
    await sleep(1000);
    const height = follower.views[0]?.next ?? 0n;
    await disk.free();
    // As whoever runs PostgreSQL does, if it has ended because it could not write its log.
    await server.start();
    const back = performance.now();
    expect(await follower.ended).toEqual([]);
    const recoverMs = performance.now() - back;
    const [wanted, got] = [await uninterrupted(), await ledgerOf(url)];
    const isRight = JSON.stringify(got) === JSON.stringify(wanted);
    report({
      fault: 'disk of the database full under a follower',
      sent: 1,
      right: Number(isRight),
      refused: 0,
      wrong: Number(!isRight),
      recoverMs,
      lost: (wanted['transaction']?.length ?? 0) - (got['transaction']?.length ?? 0),
      note: `at block ${height}: ${note}`,
    });
    expect(height).toBeLessThan(HEAD);
    expect(note).toMatch(/the disk of the database is full|the database stopped or cannot be reached/);
    expect(got).toEqual(wanted);
  });
});

/** Waits for a state of the only pipeline; its note then. */
async function seen({ views: [view] }: TestFollower, is: (view: TestFollower['views'][number]) => boolean) {
  while (!view || !is(view)) await sleep(5);
  return view.note;
}

async function uninterrupted(): Promise<Record<string, unknown[]>> {
  const database = await createImportDatabase();
  const pipeline = new GeneratedPipeline([new GeneratedNode('node', HEAD)]);
  expect(await startFollower(database.storage, [pipeline], { once: true }).ended).toEqual([]);
  const rows = await dumpLedger(database.storage);
  await database.close();
  return rows;
}
