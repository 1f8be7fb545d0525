import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { canEnter, type Account } from './account.js';
import { giveTo } from './cluster.js';

/** Where a server listens: `host` is a folder for a Unix socket, else a loopback address. */
export interface Address {
  host: string;
  port: number;
}

const folderPrefix = 'moraine-';
// sun_path holds 108 bytes on Linux and 104 elsewhere, the last one NUL.
const maxSocketPath = 103;

/** Where the server of a cluster listens, or listened before it died: PostgreSQL writes it into postmaster.pid. */
export async function recordedAddress(cluster: string): Promise<Address | undefined> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '');
  const [, , , port, socketFolder, loopback] = text.split('\n').map((line) => line.trim());
  const host = socketFolder || loopback;
  return host && port ? { host, port: Number(port) } : undefined;
}

/** A new address for a server: a socket in a folder that only the account can enter, else a free loopback port. */
export async function makeAddress(account: Account): Promise<Address> {
  if (process.platform !== 'win32') {
    for (const parent of [...new Set([tmpdir(), '/tmp'])]) {
      if (Buffer.byteLength(join(parent, `${folderPrefix}XXXXXX`, '.s.PGSQL.5432')) > maxSocketPath) continue;
      if (!(await canEnter(account, parent))) continue;
      const host = await mkdtemp(join(parent, folderPrefix)).catch(() => undefined);
      if (!host) continue;
      await giveTo(account, host);
      return { host, port: 5432 };
    }
  }
  return { host: '127.0.0.1', port: await freePort() };
}

/** Removes what makeAddress made. */
export async function dropAddress({ host }: Address): Promise<void> {
  if (basename(host).startsWith(folderPrefix)) await rm(host, { recursive: true, force: true });
}

/** The server's arguments for an address. */
export function listenArguments({ host, port }: Address): string[] {
  const socket = host.startsWith('/');
  return [
    ...['-c', `listen_addresses=${socket ? '' : host}`, '-c', `port=${port}`],
    ...['-c', `unix_socket_directories=${socket ? host : ''}`, '-c', 'unix_socket_permissions=0700'],
  ];
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
