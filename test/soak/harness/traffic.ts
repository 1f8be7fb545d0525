import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** The task of a process of honest callers. */
export interface TrafficOrder {
  url: string;
  seconds: number;
  /** Requests a second; null for as many as are answered. */
  rate: number | null;
  /** Most requests at the same time. */
  callers: number;
  /** Taken in turn; with a body they are POSTed. */
  requests: readonly { path: string; body?: string }[];
  /** Taken in turn. */
  keys: readonly string[];
}

export interface TrafficReport {
  sent: number;
  answered: number;
  /** The first twenty wrong answers. */
  errors: string[];
  errorCount: number;
  /** Most requests that were due and not yet sent. */
  late: number;
  /** Right answers a second. */
  rate: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
}

/** Runs honest callers in a separate process. */
export async function runTraffic(order: TrafficOrder): Promise<TrafficReport> {
  const file = fileURLToPath(new URL('traffic-process.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', file, JSON.stringify(order)], {
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await once(child, 'close');
  return JSON.parse(output) as TrafficReport;
}
