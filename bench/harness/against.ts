import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

/** The part that we accept to be worse than another commit. */
export const NO_WORSE = 0.05;

/** Another checkout, built, that is measured beside this one. */
export interface Other {
  /** Its commit. */
  name: string;
  checkout: string;
}

/**
 * What `--against FOLDER` names.
 *
 * @throws Error where that is no checkout
 */
export function otherOf(args: readonly string[]): Other | null {
  if (!args.includes('--against')) return null;
  const checkout = resolve(args[args.indexOf('--against') + 1] ?? '');
  if (!existsSync(join(checkout, 'bin', 'moraine.mjs')))
    throw new Error(`--against takes the folder of another checkout; ${checkout} has no bin/moraine.mjs`);
  const options = { cwd: checkout, encoding: 'utf8' } as const;
  return { name: execFileSync('git', ['rev-parse', '--short', 'HEAD'], options).trim(), checkout };
}

/** Runs a benchmark of this checkout. @returns what it printed */
export const runHere = (benchmark: string) => runBench(process.cwd(), benchmark, {});

/** Runs that of another one with its own sources, on data that it keeps in a folder of its own. @returns what it printed */
export function runThere(other: Other, benchmark: string): Promise<string> {
  const folder = temporaryOf(other);
  mkdirSync(folder, { recursive: true });
  return runBench(other.checkout, benchmark, { TMPDIR: folder });
}

/** What is the folder for temporary files to another checkout. */
export const temporaryOf = ({ name }: Other) => join(tmpdir(), 'moraine-bench', `against-${name}`);

async function runBench(cwd: string, benchmark: string, env: Record<string, string>): Promise<string> {
  const args = ['--import', 'tsx', 'bench/main.ts', benchmark];
  const options = { cwd, env: { ...process.env, ...env }, maxBuffer: 1e8 };
  try {
    return (await promisify(execFile)(process.execPath, args, options)).stdout;
  } catch (error) {
    // One that tells that a goal is missed has measured all the same.
    const { stdout, code } = error as { stdout?: string; code?: unknown };
    if (code === 1 && stdout?.includes('wanted')) return stdout;
    throw error;
  }
}
