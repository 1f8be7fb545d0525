import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The largest loss against another commit that we accept: 5 %. */
export const NO_WORSE = 0.95;

/** Another checkout, built, that is measured beside this one. */
export interface Other {
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
