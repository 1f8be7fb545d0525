import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** How /health was while something else happened; times in milliseconds. */
export interface ProbeReport {
  asked: number;
  /** What was not 200, at most ten. */
  wrong: string[];
  median: number;
  p99: number;
  worst: number;
}

/** Asks for /health of `url` each 100 ms from a process of its own until `stop`. */
export async function startProbe(url: string): Promise<{ stop: () => Promise<ProbeReport> }> {
  const file = fileURLToPath(new URL('probe-process.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', file, url], {
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await once(child.stdout, 'data');
  return {
    async stop() {
      child.kill('SIGTERM');
      await closed;
      return JSON.parse(output.slice('ready\n'.length)) as ProbeReport;
    },
  };
}
