import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** Runs a program of npm's by the Node that runs this test. @throws with what it wrote to standard error */
export async function run(cwd: string, program: string, ...args: string[]): Promise<string> {
  const PATH = [dirname(process.execPath), process.env['PATH']].join(delimiter);
  return (await promisify(execFile)(program, args, { cwd, env: { ...process.env, PATH } })).stdout;
}

/** An npm of one major version. */
export type Npm = (cwd: string, ...args: string[]) => Promise<string>;

/** Options of every install: packages in npm's cache are used from there. */
export const quick = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];

/** Installs an npm of a major version in a folder of its own. */
export async function installNpm(major: number, folder: string): Promise<Npm> {
  makeProject(folder);
  await run(folder, 'npm', 'install', ...quick, `npm@${major}`);
  const script = join(folder, 'node_modules/npm/bin/npm-cli.js');
  return (cwd, ...args) => run(cwd, process.execPath, script, ...args);
}

/** A folder with a package.json; without it npm would take a folder above for the project. */
export function makeProject(folder: string, manifest: object = {}): string {
  mkdirSync(folder, { recursive: true });
  const named = { private: true, type: 'module', version: '1.0.0', ...manifest };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(named));
  return folder;
}

/** The copies of a package in a project's lock file, as `path@version`. */
export function copiesIn(folder: string, name: string): string[] {
  const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version?: string }>;
  };
  return Object.entries(lock.packages)
    .filter(([path]) => path.endsWith(`node_modules/${name}`))
    .map(([path, { version }]) => `${path}@${version}`);
}
