import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, statSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { run, type RunContext } from './command.js';
import type { Tool } from './tools.js';

/** What a tool needs and this machine lacks. */
export const missingOf = ({ needs }: Pick<Tool, 'needs'>): string[] => needs.filter((need) => !isThere(need));

function isThere(need: string): boolean {
  try {
    execFileSync('sh', ['-c', need.includes(' ') ? need : `command -v ${need}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/**
 * Downloads and builds outlive a run, because each takes minutes. The folder belongs to this user, whose
 * programs are run from it.
 */
export function cacheOf(name: string): string {
  const { uid } = userInfo();
  const root = join(tmpdir(), `moraine-clients-cache-${uid}`);
  mkdirSync(root, { recursive: true, mode: 0o700 });
  if (uid !== -1 && statSync(root).uid !== uid) throw new Error(`${root} is another user's`);
  const folder = join(root, name);
  mkdirSync(folder, { recursive: true });
  return folder;
}

/**
 * Makes the client of a tool in a folder of its own.
 *
 * @param folder where it is made
 * @param document path of the OpenAPI document
 * @throws with what a command said when it failed, and with who was to answer it where it downloads
 */
export async function make(tool: Tool, folder: string, document: string): Promise<RunContext> {
  const cwd = join(folder, tool.name);
  const folders = [tool.name, ...(tool.needs.includes('npm') ? ['typescript'] : [])];
  for (const each of folders) cpSync(join(import.meta.dirname, '..', each), cwd, { recursive: true });
  // Other versions have another cache.
  const version = createHash('sha256').update(JSON.stringify(tool.make)).digest('hex').slice(0, 8);
  const caches = { CACHE: cacheOf(`${tool.name}-${version}`), SHARED: cacheOf('shared') };
  const context = { cwd, env: { ...process.env, ...caches, DOCUMENT: document } };
  for (const step of tool.make) {
    if (typeof step === 'string') await run(step, context);
    else
      await run(step.command, context).catch((error: Error) => {
        throw new Error(`${step.from} did not give what ${tool.name} needs: ${error.message}`);
      });
  }
  return context;
}
