import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { JobTimes } from '../../src/jobs/queue.js';

/** The task of test/harness/reindex-process.ts. */
export type ReindexProcess = { databaseUrl: string; times: JobTimes } &
  /** Asks `requests` times at once for each token of its input, as if it were `now`. */
  ({ role: 'request'; requests: number; now: string } | { role: 'worker'; rpcUrl: string });

/** Starts such a process and waits until it is ready. */
export async function startReindexProcess(given: ReindexProcess): Promise<ChildProcess> {
  const file = fileURLToPath(new URL('reindex-process.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', file, JSON.stringify(given)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
}
