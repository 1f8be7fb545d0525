import { rm } from 'node:fs/promises';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { runCommand, startGateway } from './harness/gateway.js';
import { storedOutputs, wrongBalances, writeImportFile } from './harness/import-file.js';
import { startLoad } from './harness/load.js';
import { copyPostgres } from './harness/postgres.js';
import { knownGood } from './harness/probes.js';
import { watchRows } from './harness/rows.js';
import { canMountSmallDisk, mountSmallDisk, skippedWithoutMount } from './harness/small-disk.js';
import { expectSound, report } from './harness/table.js';

/** The sample, the rows of the test, and the log of writes. */
const MEGABYTES = 230;
const canMount = await canMountSmallDisk();

describe.skipIf(!canMount)(`the disk is full${skippedWithoutMount(canMount)}`, () => {
  test('an import says so and leaves nothing half; reads go on; with room again it ends', async () => {
    const disk = await mountSmallDisk(MEGABYTES);
    onTestFinished(disk.drop);
    const server = await copyPostgres(inject('sampleServer').folder, { into: disk.data });
    onTestFinished(server.stop);
    const missing = await watchRows(server);
    const file = await writeImportFile('disk full', 12_000);
    onTestFinished(() => rm(file.folder, { recursive: true }));
    const env = { DATABASE_URL: server.url };
    const gateway = await startGateway(env);
    onTestFinished(gateway.kill);
    const load = startLoad(() => gateway.url, await knownGood(gateway.url), { rate: 10 });
    await load.seen('right', 10);
    disk.fill();
    const args = ['import', file.path];
    const failed = await runCommand(args, env);
    await load.seen('right', 10);
    await disk.free();
    await server.start();
    load.faultEnds();
    const again = await runCommand(args, env);
    const lost = file.rows - (await storedOutputs(server)) + (await missing());
    await load.rightAgain(15_000);
    const tally = await load.stop();
    report({ fault: 'disk of the database full', ...tally, lost });
    expect(failed.code).toBe(1);
    expect(failed.output).not.toMatch(/^ {4}at /m);
    expect(again.code).toBe(0);
    expect(await wrongBalances(server)).toBe(0);
    expectSound(tally);
  });
});
