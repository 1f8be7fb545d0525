import { lstat, mkdir, mkdtemp, readFile, rmdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { canEnter, type OsAccount } from './os-account.js';
import { giveTo } from './cluster.js';

/** Where a server listens: `host` is a folder for a Unix socket, else a loopback address. */
export interface Endpoint {
  host: string;
  port: number;
}

// sun_path has 108 bytes on Linux and 104 elsewhere, the last one NUL.
const maxSocketPath = 103;

/** Where the server of a cluster listens, or did before it died, from postmaster.pid. */
export async function recordedEndpoint(cluster: string): Promise<Endpoint | undefined> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '');
  const [, , , port, socketFolder, loopback] = text.split('\n').map((line) => line.trim());
  const host = socketFolder || loopback;
  return host && port ? { host, port: Number(port) } : undefined;
}

/**
 * A new address for a server: a socket in a folder that only the account can enter, or else a free loopback
 * port.
 *
 * @param name of the program, with which the folder's name begins
 */
export async function makeEndpoint(account: OsAccount, name: string): Promise<Endpoint> {
  if (process.platform !== 'win32') {
    for (const parent of [...new Set([tmpdir(), '/tmp'])]) {
      const longest = socketPath({ host: join(parent, `${name}-XXXXXX`), port: 5432 });
      if (Buffer.byteLength(longest) > maxSocketPath) continue;
      if (!(await canEnter(account, parent))) continue;
      const host = await mkdtemp(join(parent, `${name}-`)).catch(() => undefined);
      if (!host) continue;
      await giveTo(account, host);
      return { host, port: 5432 };
    }
  }
  return { host: '127.0.0.1', port: await freePort() };
}

/** The Unix socket of an address whose host is a folder. */
export function socketPath({ host, port }: Endpoint): string {
  return join(host, `.s.PGSQL.${port}`);
}

/**
 * Whether a new server can listen where an earlier one did: nobody else can have made the folder. One that is
 * gone is made again: another process that ended meanwhile stopped the server and removed it, while this one
 * cannot use another address.
 */
export async function isReusable({ host, port }: Endpoint, account: OsAccount): Promise<boolean> {
  if (!host.startsWith('/')) return (await freePort(port)) === port;
  // It fails for a folder that is there, and for one that cannot be made: the next lines tell them apart.
  await mkdir(host, { mode: 0o700 }).then(
    () => giveTo(account, host),
    () => undefined,
  );
  const uid = account.kind === 'user' ? account.uid : process.getuid?.();
  const found = await lstat(host).catch(() => undefined);
  return found?.isDirectory() === true && found.uid === uid && (found.mode & 0o077) === 0;
}

/**
 * Removes the folder of a server that has ended, unless the next one is already there: PostgreSQL removes its
 * own files, so that a folder with files is in use.
 */
export async function dropEndpoint({ host }: Endpoint, name: string): Promise<void> {
  if (basename(host).startsWith(`${name}-`)) await rmdir(host).catch(() => undefined);
}

/** The server's arguments for an address. */
export function listenArguments({ host, port }: Endpoint): string[] {
  const socket = host.startsWith('/');
  return [
    '-c',
    `listen_addresses=${socket ? '' : host}`,
    '-c',
    `port=${port}`,
    '-c',
    `unix_socket_directories=${socket ? host : ''}`,
    '-c',
    'unix_socket_permissions=0700',
  ];
}

/** `wanted` if it is free, else 0; any free port when 0 is wanted. */
function freePort(wanted = 0): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(0));
    probe.listen(wanted, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
