import { execFileSync, spawnSync } from 'node:child_process';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { runCommand, startGateway } from './harness/gateway.js';
import { storedOutputs, wrongBalances, writeImportFile } from './harness/import-file.js';
import { startLoad } from './harness/load.js';
import { copyPostgres, newFolder } from './harness/postgres.js';
import { knownGood } from './harness/probes.js';
import { watchRows } from './harness/rows.js';
import { expectSound, report } from './harness/table.js';

const MEGABYTES = 170;
const canMount = await tryMount();

describe.skipIf(!canMount)(
  `the disk is full${canMount ? '' : ' (skipped: needs root that may mount a tmpfs)'}`,
  () => {
    test('an import says so and leaves nothing half; reads go on; with room again it ends', async () => {
      const folder = await mountSmall();
      onTestFinished(() => unmount(folder));
      const server = await copyPostgres(inject('sampleServer').folder, { into: join(folder, 'data') });
      onTestFinished(server.stop);
      const missing = await watchRows(server);
      const file = await writeImportFile('disk full', 12_000);
      onTestFinished(() => rm(file.folder, { recursive: true }));
      const env = { DATABASE_URL: server.url };
      const gateway = await startGateway(env);
      onTestFinished(gateway.kill);
      const load = startLoad(() => gateway.url, await knownGood(gateway.url), { rate: 10 });
      await load.seen('right', 10);
      // dd ends when the disk is full; what it wrote stays.
      spawnSync('dd', ['if=/dev/zero', `of=${join(folder, 'ballast')}`, 'bs=64k'], { stdio: 'ignore' });
      const args = ['import', file.path];
      const failed = await runCommand(args, env);
      await load.seen('right', 10);
      await rm(join(folder, 'ballast'));
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
  },
);

async function mountSmall(): Promise<string> {
  const folder = await newFolder();
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${MEGABYTES}m,mode=711`, 'tmpfs', folder]);
  await mkdir(join(folder, 'data'));
  await chmod(join(folder, 'data'), 0o711);
  return folder;
}

async function unmount(folder: string): Promise<void> {
  execFileSync('umount', ['-l', folder]);
  await rm(folder, { recursive: true, force: true });
}

async function tryMount(): Promise<boolean> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  try {
    const folder = await mountSmall();
    await writeFile(join(folder, 'data', 'x'), 'x');
    await unmount(folder);
    return true;
  } catch {
    return false;
  }
}
