import type { ChildProcess } from 'node:child_process';
import { startProcess } from './processes.js';

/** A gateway that is reached over HTTP. */
export interface Gateway {
  child: ChildProcess;
  port: number;
  origin: string;
}

/** Settings without limits in the way; each connection of a load is a separate client. */
const quiet = {
  LOG_LEVEL: 'error',
  SAMPLE: 'off',
  RATE_LIMITS: 'off',
  WORKER: 'off',
  TRUSTED_PROXIES: '127.0.0.1',
};

export const originOf = (port: number) => `http://127.0.0.1:${port}`;

/**
 * Starts the gateway of a checkout that is built. @param env the settings that name its database, and others
 */
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
