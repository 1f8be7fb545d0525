import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { holdBodies, readNothing, resetPipelines, type Attack } from '../harness/attacks.js';
import { runCommand } from '../harness/gateway.js';
import { slotsLeft, watchHealth } from '../harness/metrics.js';
import { setTimedScene, type Scene } from '../harness/scene.js';
import { expectSound, report } from '../harness/table.js';

async function keyOf({ database }: Scene): Promise<Record<string, string>> {
  const args = ['keys', 'create', '--plan', 'free', '--name', 'honest'];
  const { output } = await runCommand(args, { DATABASE_URL: database.url });
  return { 'x-service-api-key': output.trim().split('\n').at(-1)!.trim() };
}

/** Has an honest caller ask while `attack` runs, and reports what it saw. */
async function whileAttacked(
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

test('300 half-open bodies take no slot from anybody', () =>
  whileAttacked('300 half-open bodies', 8, holdBodies));

test('pipelined requests whose connection is reset give their slots back', () =>
  whileAttacked('pipelined requests, reset', 6, resetPipelines));

test('300 readers of a large reply that never read hold neither slots nor memory for long', () =>
  whileAttacked('300 slow readers', 12, readNothing));

test('all three at once: a caller with a key of its own gets right answers alone', () =>
  whileAttacked('half-open bodies, slow readers and resets at once, 60 s', 60, (url) => {
    const attacks = [holdBodies, readNothing, resetPipelines].map((begin) => begin(url));
    return { stop: async () => void (await Promise.all(attacks.map(({ stop }) => stop()))) };
  }));
