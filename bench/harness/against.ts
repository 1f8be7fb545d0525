import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

/** The accepted loss compared with another commit. */
export const NO_WORSE = 0.05;

/** Another checkout, built, that is measured in turn with this one. */
export interface Other {
  /** Its commit. */
  name: string;
  checkout: string;
}

/**
 * The checkout that `--against FOLDER` names.
 *
 * @throws Error if that is no checkout
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

/**
 * Runs the benchmark of another checkout with its own sources, on data in a separate folder.
 *
 * @returns what it printed
 */
export function runThere(other: Other, benchmark: string): Promise<string> {
  const folder = temporaryOf(other);
  mkdirSync(folder, { recursive: true });
  return runBench(other.checkout, benchmark, { TMPDIR: folder });
}

/** The other checkout's folder for temporary files. */
export const temporaryOf = ({ name }: Other) => join(tmpdir(), 'moraine-bench', `against-${name}`);

async function runBench(cwd: string, benchmark: string, env: Record<string, string>): Promise<string> {
  const args = ['--import', 'tsx', 'bench/main.ts', benchmark];
  const options = { cwd, env: { ...process.env, ...env }, maxBuffer: 1e8 };
  try {
    return (await promisify(execFile)(process.execPath, args, options)).stdout;
  } catch (error) {
    // A benchmark that misses a goal has still measured.
    const { stdout, code } = error as { stdout?: string; code?: unknown };
    if (code === 1 && stdout?.includes('wanted')) return stdout;
    throw error;
  }
}
