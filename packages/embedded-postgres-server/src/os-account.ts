import { execFile, type SpawnOptions } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { promisify } from 'node:util';
import { EmbeddedError } from './errors.js';

/**
 * The account under which the PostgreSQL programs run. They refuse root, so that root enters a user namespace
 * (files stay root's own) or becomes an unprivileged user.
 */
export type OsAccount = { kind: 'self' } | { kind: 'namespace' } | { kind: 'user'; uid: number; gid: number };

/** What decides the account; only tests set it. */
export interface OsAccountOptions {
  /** false: behave as if user namespaces were forbidden (as in the default seccomp profile of containers). */
  namespaces?: boolean;
}

export interface FileOwner {
  uid: number;
  gid: number;
}

const execFileAsync = promisify(execFile);

/**
 * Chooses the account.
 *
 * @param owner who owns the cluster, if there is one already
 * @throws EmbeddedError (root) when neither is possible
 */
export async function chooseAccount(
  owner: FileOwner | undefined,
  options: OsAccountOptions = {},
): Promise<OsAccount> {
  const isRoot = process.getuid?.() === 0;
  if (!isRoot) return hasName() || !(await canUnshare(options)) ? { kind: 'self' } : { kind: 'namespace' };
  if (owner && owner.uid !== 0) return { kind: 'user', ...owner };
  if (await canUnshare(options)) return { kind: 'namespace' };
  const account: OsAccount = { kind: 'user', ...unprivilegedUser() };
  const { error } = await run(account, '/bin/sh', ['-c', ':']);
  if (!error) return account;
  throw new EmbeddedError(
    'root',
    'PostgreSQL refuses to run as root, and this process can neither create a user namespace nor switch to another user.',
  );
}

/** The command line and spawn options that run a program under an account. */
export function underAccount(
  account: OsAccount,
  file: string,
  args: string[],
): [string, string[], SpawnOptions] {
  // The account may not be able to enter the working folder.
  const options: SpawnOptions = { env: environment(), ...(process.platform !== 'win32' && { cwd: '/' }) };
  switch (account.kind) {
    case 'self':
      return [file, args, options];
    case 'namespace':
      return ['unshare', ['-U', file, ...args], options];
    case 'user':
      return [file, args, { ...options, uid: account.uid, gid: account.gid }];
  }
}

/** The environment without PostgreSQL's own variables: a user sets PGOPTIONS and similar ones for psql. */
export function environment(): NodeJS.ProcessEnv {
  // Of a program that uses this package, too: the settings of Moraine are not read here.
  // eslint-disable-next-line no-restricted-properties
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^PG[A-Z_]+$/.test(name)));
}

export interface RunResult {
  output: string;
  /** Set when the program could not be started or ended with another status than 0. */
  error?: Error;
}

/**
 * Runs a program to its end under an account; never throws.
 *
 * @param signal ends the program early; the function still returns only when it has ended
 */
export async function run(
  account: OsAccount,
  file: string,
  args: string[],
  signal?: AbortSignal,
): Promise<RunResult> {
  const [command, commandArgs, options] = underAccount(account, file, args);
  const running = execFileAsync(command, commandArgs, {
    ...(options as { env: NodeJS.ProcessEnv; cwd?: string; uid?: number; gid?: number }),
    encoding: 'utf8',
  });
  const { child } = running;
  // initdb handles SIGTERM only between two of its steps, each of which may take seconds.
  const end = () => void child.kill('SIGKILL');
  if (signal?.aborted) end();
  signal?.addEventListener('abort', end, { once: true });
  try {
    const { stdout, stderr } = await running;
    return { output: `${stdout}${stderr}` };
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    return { output: `${stdout}${stderr}`, error: error as Error };
  } finally {
    signal?.removeEventListener('abort', end);
  }
}

/** Whether the account can enter a folder: the system decides, as modes do not include ACLs and mounts. */
export async function canEnter(account: OsAccount, folder: string): Promise<boolean> {
  if (account.kind === 'self') return true;
  return !(await run(account, '/bin/sh', ['-c', 'cd "$0"', folder])).error;
}

async function canUnshare({ namespaces = true }: OsAccountOptions): Promise<boolean> {
  if (!namespaces || process.platform !== 'linux') return false;
  return !(await run({ kind: 'namespace' }, '/bin/sh', ['-c', ':'])).error;
}

// initdb refuses a user id without a name; inside a user namespace it sees "nobody".
function hasName(): boolean {
  try {
    return userInfo().username !== '';
  } catch {
    return false;
  }
}

// initdb looks the user's name up, so that it must be in /etc/passwd.
function unprivilegedUser(): FileOwner {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of ['postgres', 'nobody', 'daemon']) {
    const fields = lines.find((line) => line.startsWith(`${name}:`))?.split(':') ?? [];
    const [uid, gid] = [Number(fields[2]), Number(fields[3])];
    if (uid > 0 && gid > 0) return { uid, gid };
  }
  return { uid: 65_534, gid: 65_534 };
}
