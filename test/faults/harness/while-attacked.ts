import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Attack } from './attacks.js';
import { runCommand } from './gateway.js';
import { slotsLeft, watchHealth } from './metrics.js';
import { setTimedScene, type Scene } from './scene.js';
import { expectSound, report } from './table.js';

async function keyOf({ database }: Scene): Promise<Record<string, string>> {
  const args = ['keys', 'create', '--plan', 'free', '--name', 'honest'];
  const { output } = await runCommand(args, { DATABASE_URL: database.url });
  return { 'x-service-api-key': output.trim().split('\n').at(-1)!.trim() };
}

/** Has an honest caller ask while `attack` runs, and reports what it saw. */
export async function whileAttacked(
  fault: string,
  seconds: number,
  attack: (url: string) => Pick<Attack, 'stop'>,
): Promise<void> {
  const { scene, watchersUrl } = await setTimedScene();
  const { gateway } = scene;
  const load = scene.load({ headers: await keyOf(scene) });
  await load.seen('right', 10);
  const { stop } = attack(gateway.url);
  const health = watchHealth(gateway.url, watchersUrl);
  await sleep(seconds * 1000);
  const { note, failed } = await health.stop();
  await stop();
  load.faultEnds();
  await load.rightAgain(15_000);
  const tally = await load.stop();
  const slots = await slotsLeft(watchersUrl, 30_000);
  const memory = Math.round(await gateway.peakMemory());
  report({
    ...{ fault, ...tally, lost: await scene.lost() },
    note: `${tally.note}, ${note}, memory at most ${memory} MiB`,
  });
  expectSound(tally);
  expect(tally).toMatchObject({ refused: 0 });
  expect(failed).toBe(0);
  expect(slots).toBe(0);
  expect(await gateway.stop()).toMatchObject({ code: 0 });
}
