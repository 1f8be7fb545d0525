import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { follow, type Beginnings, type Stopped } from '../../src/follow/follow.js';
import type { Pipeline } from '../../src/follow/pipeline.js';
import type { PipelineView } from '../../src/follow/status/view.js';
import type { Storage } from '../../src/storage/open.js';

const noNodes = { endpoints: () => [], figures: () => ({ requests: [], latency: [] }) };

/** A follower in this process. */
export interface TestFollower {
  views: readonly PipelineView[];
  ended: Promise<Stopped[]>;
  /** Asks it to end, and waits. */
  stop: () => Promise<Stopped[]>;
}

/** Follows generated chains. */
export function startFollower(
  storage: Storage,
  pipelines: readonly Pipeline[],
  { once = false, from = {} }: { once?: boolean; from?: Beginnings } = {},
): TestFollower {
  const control = new AbortController();
  const log = pino({ level: 'silent' });
  const options = { storage, network: 'fuji', pipelines, nodes: noNodes, from, once, log } as const;
  const { views, ended } = follow({ ...options, signal: control.signal });
  return {
    views,
    ended,
    stop: () => {
      control.abort();
      return ended;
    },
  };
}

/** The task of test/harness/follower-process.ts: follows a generated chain to this head, and ends. */
export interface FollowerProcess {
  databaseUrl: string;
  head: number;
}

/** Starts such a process, and waits until it begins. */
export async function startFollowerProcess(given: FollowerProcess): Promise<ChildProcess> {
  const file = fileURLToPath(new URL('follower-process.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', file, JSON.stringify(given)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
}
