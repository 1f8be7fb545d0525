import { execFileSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import type { TestContext } from 'vitest';
import { isRoot } from './embedded.js';

/**
 * Runs `work` in a separate small file system, mounted at `path`; if mounting is forbidden, the test is
 * skipped.
 */
export async function withMount(
  context: TestContext,
  { options, path }: { options: string; path: string },
  work: (path: string) => Promise<void> | void,
): Promise<void> {
  context.skip(!isRoot || process.platform !== 'linux', 'needs root, to mount a small file system');
  await mkdir(path);
  const mounted = tryRun('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', path]);
  context.skip(!mounted, 'this system forbids mounting');
  try {
    await work(path);
  } finally {
    tryRun('umount', [path]);
  }
}

function tryRun(file: string, args: string[]): boolean {
  try {
    execFileSync(file, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
