import { rm } from 'node:fs/promises';
import { expect, inject, onTestFinished, test } from 'vitest';
import { setTimeout as sleep } from 'node:timers/promises';
import { batchLimits } from '../../src/ingest/batch.js';
import { runCommand, startCommand, startGateway, type Command } from './harness/gateway.js';
import { outputsHeld, wrongBalances, writeImportFile } from './harness/import-file.js';
import { startLoad } from './harness/load.js';
import { copyPostgres } from './harness/postgres.js';
import { knownGood } from './harness/probes.js';
import { expectSound, report } from './harness/table.js';

test('PostgreSQL killed under an import: what was written stays, and the import run again ends', async () => {
  const server = await copyPostgres(inject('sampleServer').folder);
  onTestFinished(server.drop);
  const file = await writeImportFile('database killed', 24_000);
  onTestFinished(() => rm(file.folder, { recursive: true }));
  const env = { DATABASE_URL: server.url };
  const gateway = await startGateway(env);
  onTestFinished(gateway.kill);
  const load = startLoad(() => gateway.url, await knownGood(gateway.url), { rate: 10 });
  const args = ['import', file.path];
  const importer = startCommand(args, env);
  onTestFinished(importer.kill);
  const held = await someWritten(server, importer);
  await server.kill();
  const { code } = await importer.exit;
  await server.start();
  load.faultEnds();
  const after = await outputsHeld(server);
  const again = await runCommand(args, env);
  const lost = file.rows - (await outputsHeld(server)) + Math.max(0, held - after);
  const third = await runCommand(args, env);
  await load.rightAgain(15_000);
  const tally = await load.stop();
  report({ fault: 'PostgreSQL killed -9 under import', ...tally, lost });
  expect(code).toBe(1);
  expect(importer.output()).toContain('run it again');
  expect(importer.output()).not.toMatch(/^ {4}at /m);
  // Whole batches: of 24,000 outputs three.
  expect(after % batchLimits.rows).toBe(0);
  expect(again.code).toBe(0);
  expect(lost).toBe(0);
  expect(await wrongBalances(server)).toBe(0);
  expect(third.output).toContain('rows read: 0 written');
  expectSound(tally);
});

/** Waits until a part of the file is there for others to see. */
async function someWritten(
  server: Parameters<typeof outputsHeld>[0],
  { child, output }: Command,
): Promise<number> {
  for (;;) {
    const held = await outputsHeld(server);
    if (held > 0) return held;
    if (child.exitCode !== null) throw new Error(`the import ended too early:\n${output()}`);
    await sleep(5);
  }
}
