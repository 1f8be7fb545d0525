import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { runCommand, type Env } from './gateway.js';
import { requestsLeft, watchHealth } from './metrics.js';
import { setTimedScene, type Scene } from './scene.js';
import { expectSound, report } from './table.js';

/** A scene under attack, as an attack sees it. */
export interface Attacked {
  scene: Scene;
  url: string;
  /** Where /metrics is (PROMETHEUS_PORT). */
  watchersUrl: string;
}

/** An attack that goes on until it is stopped; it may return a few words about its result. */
export type RunAttack = (attacked: Attacked) => { stop: () => Promise<string | void> };

async function keyOf({ database }: Scene): Promise<Record<string, string>> {
  const args = ['keys', 'create', '--plan', 'free', '--name', 'honest'];
  const { output } = await runCommand(args, { DATABASE_URL: database.url });
  return { 'x-service-api-key': output.trim().split('\n').at(-1)!.trim() };
}

/** How long the honest caller asks before the attack, seconds. */
const QUIET = 4;

/** What a caller sees whom nobody disturbs, in the same run. */
async function aloneFor(scene: Scene, headers: Record<string, string>): Promise<string> {
  const load = scene.load({ headers });
  await load.seen('right', 20 * QUIET);
  const { note, wrongOnes } = await load.stop();
  expect(wrongOnes).toEqual([]);
  return note;
}

/**
 * Has an honest caller with a key ask 20 times a second, first alone and then while `attack` runs, and
 * reports what it saw: half, 99 of 100 and all of its answers, and the longest of /health. Wanted are less
 * than 50 ms, 500 ms and, for /health, 200 ms; asserted is that every answer was the right one.
 */
export async function whileAttacked(
  fault: string,
  seconds: number,
  attack: RunAttack,
  env: Env = {},
): Promise<void> {
  const { scene, watchersUrl } = await setTimedScene(env);
  const { gateway } = scene;
  const headers = await keyOf(scene);
  const quiet = await aloneFor(scene, headers);
  const load = scene.load({ headers });
  await load.seen('right', 20);
  const { stop } = attack({ scene, url: gateway.url, watchersUrl });
  const health = watchHealth(gateway.url, watchersUrl);
  await sleep(seconds * 1000);
  const attackerNote = await stop();
  const { note, failed } = await health.stop();
  load.faultEnds();
  await load.rightAgain(15_000);
  const tally = await load.stop();
  const inFlight = await requestsLeft(watchersUrl, 30_000);
  const memory = Math.round(await gateway.peakMemory());
  report({
    fault,
    ...tally,
    lost: await scene.lost(),
    note: [tally.note, `alone ${quiet}`, note, `memory at most ${memory} MiB`, attackerNote]
      .filter(Boolean)
      .join(', '),
  });
  expectSound(tally);
  expect(tally).toMatchObject({ refused: 0 });
  expect(failed).toBe(0);
  expect(inFlight).toBe(0);
  expect(await gateway.stop()).toMatchObject({ code: 0 });
}
