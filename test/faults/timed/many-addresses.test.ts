import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../harness/gateway.js';
import { setTimedScene } from '../harness/scene.js';
import { expectSound, report } from '../harness/table.js';

/** More than the gateway takes in all (MAX_CONNECTIONS, 2,048). */
const ADDRESSES = 2600;
const SECONDS = 8;

/**
 * One silent connection of each of so many addresses; one that is closed is opened again after half a second.
 */
function flood(url: string): { stop: () => void; opened: () => number } {
  const sockets = new Set<Socket>();
  let stopped = false;
  let opened = 0;
  const open = (index: number) => {
    if (stopped) return;
    const localAddress = `127.1.${Math.floor(index / 250)}.${1 + (index % 250)}`;
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port), localAddress });
    opened += 1;
    sockets.add(socket.on('error', () => undefined));
    socket.on('close', () => sockets.delete(socket) && setTimeout(() => open(index), 500).unref());
  };
  for (let index = 0; index < ADDRESSES; index += 1) open(index);
  const stop = () => {
    stopped = true;
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(stop);
  return { stop, opened: () => opened };
}

test.each([
  ['with a pool of connections', {}],
  ['that connects anew each time', { connection: 'close' }],
])('a caller with a key %s is answered while many addresses hold idle connections', async (who, headers) => {
  const { scene } = await setTimedScene();
  const args = ['keys', 'create', '--plan', 'free', '--name', 'honest'];
  const { output } = await runCommand(args, { DATABASE_URL: scene.database.url });
  const key = { 'x-service-api-key': output.trim().split('\n').at(-1)!.trim() };
  const measure = async (seconds: number) => {
    const load = scene.load({ headers: { ...key, ...headers } });
    await sleep(seconds * 1000);
    load.faultEnds();
    await load.rightAgain(15_000);
    return load.stop();
  };
  const alone = await measure(SECONDS);
  // Its pool is there before they come.
  const attacked = measure(SECONDS + 2);
  await sleep(2000);
  const { stop, opened } = flood(scene.gateway.url);
  const tally = await attacked;
  stop();
  report({
    fault: `${ADDRESSES} addresses with a silent connection each: a key ${who}`,
    ...tally,
    lost: await scene.lost(),
    note: `${tally.note}; alone ${alone.note}; ${opened()} connections were opened`,
  });
  expectSound(tally);
  expect(tally.refused).toBe(0);
});
