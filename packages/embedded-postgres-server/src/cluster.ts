import { randomBytes } from 'node:crypto';
import { createHash } from 'node:crypto';
import { chmod, chown, lchown, mkdir, mkdtemp, readdir, readFile, realpath } from 'node:fs/promises';
import { rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Binaries } from './binaries.js';
import { clusterDraft } from './drafts.js';
import { EmbeddedError, folderError, initError } from './errors.js';
import type { Stop } from './options.js';
import { canEnter, run, type OsAccount, type FileOwner } from './os-account.js';

/** The file of a cluster that has its superuser's password. */
const passwordFile = (name: string) => `${name}-password`;

/** Who owns the cluster (`postgres` in the data folder), or undefined before the first start. */
export async function clusterOwner(dataFolder: string): Promise<FileOwner | undefined> {
  try {
    const { uid, gid } = await stat(join(dataFolder, 'postgres'));
    return { uid, gid };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw await folderError(dataFolder, error);
  }
}

/** Makes the data folder. Others may enter it, since the server may run as another user, but not list it. */
export async function makeDataFolder(dataFolder: string): Promise<void> {
  try {
    if (await makeTree(dataFolder)) await chmod(dataFolder, 0o711);
  } catch (error) {
    throw await folderError(dataFolder, error);
  }
}

// Not `recursive: true`, which reports ENOENT for a read-only file system.
async function makeTree(folder: string): Promise<boolean> {
  try {
    await mkdir(folder);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && (await stat(folder)).isDirectory()) return false;
    if (code !== 'ENOENT' || dirname(folder) === folder) throw error;
  }
  await makeTree(dirname(folder));
  return makeTree(folder);
}

/** The folder of the cluster itself: `postgres` may be a link whose path the server's user cannot enter. */
export function clusterFolder(dataFolder: string): Promise<string> {
  return realpath(join(dataFolder, 'postgres'));
}

/**
 * The folder for the cluster and copies of the programs: the data folder, or one under `sharedRoot` if the
 * account cannot reach it (a clone under a home of mode 0700).
 */
export async function reachableFolder(
  account: OsAccount,
  dataFolder: string,
  sharedRoot: string,
): Promise<string> {
  if (await canEnter(account, dataFolder)) return dataFolder;
  const hash = createHash('sha256')
    .update(await realpath(dataFolder))
    .digest('hex');
  const folder = join(sharedRoot, hash.slice(0, 16));
  try {
    await mkdir(folder, { recursive: true, mode: 0o755 });
    // In case of a strict umask.
    for (const each of [sharedRoot, folder]) await chmod(each, 0o755);
  } catch (error) {
    throw await folderError(folder, error);
  }
  if (await canEnter(account, folder)) return folder;
  throw new EmbeddedError(
    'unreachable-folder',
    `The user that runs PostgreSQL can reach neither ${dataFolder} nor ${folder}.`,
  );
}

/**
 * Makes the cluster. It appears under its name only when it is complete, so that an interrupted or
 * simultaneous first start does no harm.
 *
 * @throws EmbeddedError; the reason of `stop.asked` when that was aborted meanwhile, and nothing is left
 * @param options.name of the superuser
 * @param options.home from reachableFolder; if it is not the data folder, `postgres` there becomes a link to
 *   the cluster
 */
export async function createCluster(options: {
  name: string;
  account: OsAccount;
  binaries: Binaries;
  dataFolder: string;
  home: string;
  settings: Record<string, string>;
  stop: Stop;
}): Promise<void> {
  const { name, account, binaries, dataFolder, home, settings, stop } = options;
  const target = join(home, 'postgres');
  const draft = await makeDraft(account, home);
  try {
    const cluster = join(draft, 'cluster');
    const pwfile = join(draft, passwordFile(name));
    await writeFile(pwfile, randomBytes(24).toString('base64url'), { mode: 0o600 });
    await giveTo(account, pwfile);
    const { output, error } = await run(
      account,
      binaries.initdb,
      [
        '--pgdata',
        cluster,
        '--username',
        name,
        '--auth',
        'scram-sha-256',
        '--pwfile',
        pwfile,
        // Text sorts by code units on every system.
        '--encoding',
        'UTF8',
        '--locale',
        'C',
        '--locale-provider',
        'builtin',
        '--builtin-locale',
        'C.UTF-8',
        ...Object.entries(settings).flatMap(([setting, value]) => ['--set', `${setting}=${value}`]),
      ],
      stop.asked,
    );
    stop.asked.throwIfAborted();
    if (error) throw initError(home, output || error.message);
    await rename(pwfile, join(cluster, passwordFile(name)));
    await renameUnlessThere(cluster, target);
  } finally {
    // The server of an aborted initdb still writes for a short time.
    await rm(draft, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }
  if (home !== dataFolder) await link(target, join(dataFolder, 'postgres'));
}

/** The superuser's password. */
export async function readPassword(dataFolder: string, name: string): Promise<string> {
  try {
    return await readFile(join(dataFolder, 'postgres', passwordFile(name)), 'utf8');
  } catch (error) {
    throw await folderError(join(dataFolder, 'postgres'), error);
  }
}

/** The major version of the PostgreSQL that made the cluster; undefined if it does not say. */
export async function readMajor(cluster: string): Promise<string | undefined> {
  const text = await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(() => '');
  return text.trim() || undefined;
}

/** Gives a file or folder to the account, if the account is not the process's own user. */
export async function giveTo(account: OsAccount, path: string): Promise<void> {
  if (account.kind === 'user') await chown(path, account.uid, account.gid);
}

/** Gives a whole cluster to the account: one of root's, made where user namespaces were allowed. */
export async function giveTreeTo(account: OsAccount, folder: string): Promise<void> {
  if (account.kind !== 'user') return;
  const entries = await readdir(folder, { recursive: true });
  for (const entry of entries) await lchown(join(folder, entry), account.uid, account.gid);
  await chown(folder, account.uid, account.gid);
}

async function makeDraft(account: OsAccount, home: string): Promise<string> {
  try {
    const draft = await mkdtemp(join(home, clusterDraft));
    await giveTo(account, draft);
    return draft;
  } catch (error) {
    throw await folderError(home, error);
  }
}

async function renameUnlessThere(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw await folderError(dirname(to), error);
  }
}

async function link(target: string, path: string): Promise<void> {
  try {
    await symlink(target, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw await folderError(dirname(path), error);
  }
}
