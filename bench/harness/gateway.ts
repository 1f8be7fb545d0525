import type { ChildProcess } from 'node:child_process';
import { startProcess } from './processes.js';

/** A gateway that is asked over HTTP. */
export interface Gateway {
  child: ChildProcess;
  port: number;
  origin: string;
}

/** Without what stands between a request and its answer; each connection of a load is a client of its own. */
const quiet = {
  ...{ LOG_LEVEL: 'error', SAMPLE: 'off', RATE_LIMITS: 'off', WORKER: 'off' },
  TRUSTED_PROXIES: '127.0.0.1',
};

export const originOf = (port: number) => `http://127.0.0.1:${port}`;

/** Starts the gateway of a checkout that is built. @param env what names its database, and settings of its own */
export async function startGateway(
  checkout: string,
  env: Record<string, string>,
  port: number,
): Promise<Gateway> {
  const origin = originOf(port);
  const settings = { ...quiet, ...env, PORT: String(port) };
  const child = await startProcess([`${checkout}/bin/moraine.mjs`, 'serve'], settings, `${origin}/health`);
  return { child, port, origin };
}
