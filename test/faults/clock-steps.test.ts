import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand, type Env, type Gateway } from './harness/gateway.js';
import { startLoad } from './harness/load.js';
import { newFolder } from './harness/postgres.js';
import { setScene, type Scene } from './harness/scene.js';
import { send } from './harness/send.js';
import { expectSound, report } from './harness/table.js';

const clock = fileURLToPath(new URL('harness/clock.mjs', import.meta.url));
const hour = 3_600_000;
const list = '/v1/networks/fuji/blockchains/p-chain/utxos?includeSpent=true&pageSize=10';

/** A gateway whose wall clock a test sets. */
async function sceneWithClock(
  env: Env = {},
): Promise<Scene & { step: (milliseconds: number) => Promise<void> }> {
  const folder = await newFolder();
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'clock');
  const scene = await setScene({ CLOCK_FILE: file, ...env }, ['--import', clock]);
  return {
    ...scene,
    async step(milliseconds) {
      await writeFile(file, String(milliseconds));
      scene.gateway.child.kill('SIGUSR2');
      await sleep(200);
    },
  };
}

async function makeKey({ database }: Scene, ...more: string[]): Promise<Record<string, string>> {
  const args = ['keys', 'create', '--plan', 'free', '--name', 'test', ...more];
  const { output } = await runCommand(args, { DATABASE_URL: database.url });
  return { 'x-service-api-key': output.trim().split('\n').at(-1)!.trim() };
}

const statusWith = async ({ url }: Gateway, headers: Record<string, string> = {}, path = list) =>
  (await send(url, { path }, { headers })).status;

/** Waits until the gateway answers so, at most `milliseconds`; returns its last answer. */
async function becomes(status: number, milliseconds: number, ask: () => Promise<number>): Promise<number> {
  const deadline = performance.now() + milliseconds;
  for (;;) {
    const found = await ask();
    if (found === status || performance.now() > deadline) return found;
    await sleep(200);
  }
}

test('the clock steps forward and back: answers, page tokens and keys that expire stay as they should', async () => {
  const scene = await sceneWithClock();
  const { gateway, step, lost } = scene;
  const key = await makeKey(scene, '--expires', new Date(Date.now() + hour / 2).toISOString());
  const first = JSON.parse((await send(gateway.url, { path: list })).text) as { nextPageToken: string };
  const next = `${list}&pageToken=${first.nextPageToken}`;
  // Without the page token of the probes, which a clock hours back may not know yet.
  const probes = scene.probes.filter(({ path }) => !path.includes('pageToken'));
  const load = startLoad(() => gateway.url, probes);
  await load.seen('right', 20);
  const seen: Record<string, number> = {};
  let future = '';
  for (const [name, milliseconds] of [
    ['an hour on', hour],
    ['set right', 0],
    // A token says the hour of its issue: of a clock an hour back it may be minutes ahead, which is allowed.
    ['two hours back', -2 * hour],
    ['set right again', 0],
  ] as const) {
    await step(milliseconds);
    // 4 seconds of another clock may be long over, or last for an hour.
    seen[`key ${name}`] = await statusWith(gateway, key);
    seen[`token ${name}`] = await statusWith(gateway, {}, next);
    if (milliseconds < 0) future = (await send(gateway.url, { path: next })).text;
  }
  load.faultEnds();
  await load.rightAgain(15_000);
  const tally = await load.stop();
  await step(25 * hour);
  const expired = await send(gateway.url, { path: next });
  await step(0);
  report({ fault: 'wall clock steps hours on and back', ...tally, lost: await lost() });
  expect(seen).toEqual({
    'key an hour on': 401,
    'token an hour on': 200,
    'key set right': 200,
    'token set right': 200,
    'key two hours back': 200,
    'token two hours back': 400,
    'key set right again': 200,
    'token set right again': 200,
  });
  // A token from the future gets its own error, not that of an old one.
  expect(future).toContain('ahead of the clock of this gateway');
  expect(future).not.toContain('expired');
  expect(expired.status).toBe(400);
  expect(expired.text).toContain('expired');
  expect(await statusWith(gateway, {}, next)).toBe(200);
  expectSound(tally);
  expect(await gateway.stop()).toMatchObject({ code: 0 });
});

test('the clock steps back after a key was used: its revocation still counts within seconds', async () => {
  const scene = await sceneWithClock();
  const { database, gateway, step } = scene;
  const key = await makeKey(scene);
  expect(await statusWith(gateway, key)).toBe(200);
  await step(-hour);
  expect(await statusWith(gateway, key)).toBe(200);
  await database.query(`UPDATE api_key SET revoked_at = now() - interval '2 hours'`);
  expect(await becomes(401, 15_000, () => statusWith(gateway, key))).toBe(401);
});

test('the clock steps back while a caller is over its limit, or blocked: it waits no longer than its refusal says', async () => {
  const { gateway, step } = await sceneWithClock({
    RATE_LIMITS: 'on',
    TRUSTED_PROXIES: '127.0.0.1',
    PLANS: '{"anonymous": {"requests": 15, "seconds": 2}}',
    RATE_LIMIT_TOLERANCE: '2',
    RATE_LIMIT_BLOCK_SECONDS: '3',
    RATE_LIMIT_BLOCK_MAX_SECONDS: '3',
  });
  const as = (address: string) => ({ 'x-forwarded-for': address });
  const ask = async (address: string, times: number) => {
    for (let count = 0; count < times; count += 1) await statusWith(gateway, as(address), '/v1/chains');
  };
  // The first goes over its limit once, the second until it is blocked.
  await ask('10.0.0.1', 16);
  await ask('10.0.0.2', 30);
  await step(-hour);
  // A caller that goes on while it is refused is blocked again and again: these ask as seldom as the refusals
  // say.
  const patiently = (address: string) =>
    becomes(200, 12_000, async () => {
      await sleep(3500);
      return statusWith(gateway, as(address), '/v1/chains');
    });
  const [over, blocked] = await Promise.all([patiently('10.0.0.1'), patiently('10.0.0.2')]);
  expect({ over, blocked }).toEqual({ over: 200, blocked: 200 });
});
