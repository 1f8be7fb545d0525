import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp, type TestApp } from '../harness/app.js';
import { listPath, makeKey } from '../harness/keys.js';
import { startMoraine, type MoraineProcess } from '../harness/moraine.js';
import { get, halfPost, importLargeTransaction, metric, send, until } from '../harness/raw-client.js';

const SECONDS = Number(process.env['ATTACK_SECONDS'] ?? 10);
const CLIENTS = 300;
const MS_BETWEEN_REQUESTS = 50;
/** Unanswered requests of the honest caller at most; one caller has 64 slots. */
const AT_ONCE = 48;

/** Prepares the database of the gateway, which has a process of its own, so that its memory is not ours. */
let app: TestApp;
let gateway: MoraineProcess;
let port: number;
let large: string;
beforeAll(async () => {
  app = await createApp();
  large = await importLargeTransaction(app);
  const env = {
    DATABASE_URL: app.services.config.DATABASE_URL ?? '',
    PORT: '0',
    SAMPLE: 'off',
    LOG_LEVEL: 'silent',
    RATE_LIMIT_TOLERANCE: '1000000',
  };
  gateway = await startMoraine('serve', env, /http:\/\/127\.0\.0\.1:\d+(?=\/$)/);
  port = Number(new URL(gateway.ready).port);
});
afterAll(async () => {
  await gateway.stop();
  await app.close();
});

let attacking = true;
const attackers = new Set<Socket>();

/** Goes on with a connection in the place of each that is closed, until the attack ends. */
async function keepOpen(text: string): Promise<void> {
  while (attacking) {
    const socket = await send(port, text).catch(() => undefined);
    if (!socket) continue;
    attackers.add(socket);
    while (attacking && !socket.closed) await sleep(500);
    socket.destroy();
    attackers.delete(socket);
  }
}

async function resetPipelined(): Promise<void> {
  while (attacking) {
    const sockets = await Promise.all(
      Array.from({ length: 8 }, () => send(port, get(listPath) + get('/no/such/path').repeat(50))),
    );
    await sleep(2);
    for (const socket of sockets) socket.resetAndDestroy();
    await sleep(100);
  }
}

test('while others hold all that they can hold, a caller with a key of its own gets right answers', async () => {
  const { key } = await makeKey(app, 'pro');
  const ask = () => fetch(`http://127.0.0.1:${port}${listPath}`, { headers: { 'x-service-api-key': key } });
  const right = await (await ask()).text();
  const attack = [
    ...Array.from({ length: CLIENTS }, () => keepOpen(halfPost())),
    ...Array.from({ length: CLIENTS }, () => keepOpen(get(large))),
    resetPipelined(),
  ];
  const times: number[] = [];
  const wrong: string[] = [];
  let peak = 0;
  const measure = setInterval(
    () =>
      void metric(port, 'process_resident_memory_bytes')
        .then((bytes) => (peak = Math.max(peak, bytes)))
        .catch(() => undefined),
    250,
  );
  const asked = new Set<Promise<void>>();
  for (
    const end = performance.now() + SECONDS * 1000;
    performance.now() < end;
    await sleep(MS_BETWEEN_REQUESTS)
  ) {
    const started = performance.now();
    if (asked.size === AT_ONCE) continue;
    const answered = ask()
      .then(async (reply) => [reply.status, await reply.text()] as const)
      .then(([status, text]) => {
        times.push(performance.now() - started);
        if (status !== 200 || text !== right) wrong.push(`${status} ${text.slice(0, 200)}`);
      })
      .catch((error: unknown) => void wrong.push(String((error as Error).cause ?? error)))
      .finally(() => asked.delete(answered));
    asked.add(answered);
  }
  await Promise.all(asked);
  attacking = false;
  clearInterval(measure);
  for (const socket of attackers) socket.destroy();
  await Promise.all(attack);
  times.sort((a, b) => a - b);
  const at = (part: number) => Math.round(times[Math.floor(times.length * part)] ?? NaN);
  console.log(
    `${times.length} answers, median ${at(0.5)} ms, p99 ${at(0.99)} ms, peak memory ${Math.round(peak / 2 ** 20)} MiB`,
  );
  // Written out, because a report of the run shortens what it compares.
  expect(wrong, wrong.join('\n')).toEqual([]);
  expect(times.length).toBeGreaterThan(10);
  expect(await until(async () => (await metric(port, 'moraine_http_requests_in_flight')) === 0, 30)).toBe(
    true,
  );
});
