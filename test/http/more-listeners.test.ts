import { readdir, readFile, readlink } from 'node:fs/promises';
import { connect } from 'node:net';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { createDatabase } from '../harness/database.js';
import { launch, served } from '../harness/launched.js';
import { get, readToEnd, until } from '../harness/raw-client.js';

/** How many descriptors of a process are of the socket that listens on a port. */
async function listenersOf(pid: number, port: number): Promise<number> {
  const table = await readFile('/proc/net/tcp', 'utf8');
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  const inode = table
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .find(([, local, , state]) => local?.endsWith(`:${hex}`) && state === '0A')?.[9];
  const descriptors = await readdir(`/proc/${pid}/fd`);
  const links = await Promise.all(
    descriptors.map((each) => readlink(`/proc/${pid}/fd/${each}`).catch(() => '')),
  );
  return links.filter((link) => link === `socket:[${inode}]`).length;
}

test.skipIf(process.platform !== 'linux')(
  'a gateway accepts several new connections in a turn: all that were opened while it stood still are answered',
  async () => {
    const database = await createDatabase();
    onTestFinished(database.drop);
    const gateway = launch(['serve'], { DATABASE_URL: database.url, SAMPLE: 'off' });
    onTestFinished(() => gateway.send('SIGKILL'));
    const url = new URL(await gateway.says(served));
    const port = Number(url.port);
    expect(await until(async () => (await listenersOf(gateway.pid, port)) === 4)).toBe(true);
    gateway.send('SIGSTOP');
    const sockets = Array.from({ length: 300 }, () => connect(port, url.hostname));
    onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
    await Promise.all(
      sockets.map(async (socket) => {
        await once(socket, 'connect');
        socket.write(get('/health', 'connection: close\r\n'));
      }),
    );
    gateway.send('SIGCONT');
    const answers = await Promise.all(sockets.map(readToEnd));
    expect(answers.filter((answer) => answer.startsWith('HTTP/1.1 200'))).toHaveLength(sockets.length);
    const { code } = await gateway.stop();
    expect(code).toBe(0);
    expect(gateway.output()).not.toContain('accept connections could not be started');
  },
);
