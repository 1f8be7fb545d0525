import { onTestFinished } from 'vitest';
import { freePort } from '../../harness/free-port.js';
import { createDatabase, type Database } from './database.js';
import { startGateway, type Env, type Gateway } from './gateway.js';
import { startLoad, type Load } from './load.js';
import { knownGood, type Probe } from './probes.js';
import { watchRows } from './rows.js';
import { startProxy, type Proxy } from './proxy.js';
import type { SendOptions } from './send.js';

/** A gateway with its own database and the sample, reached through a proxy. All of it ends with the test. */
export interface Scene {
  database: Database;
  /** Between gateway and database. */
  proxy: Proxy;
  gateway: Gateway;
  probes: Probe[];
  load: (options?: SendOptions & { rate?: number }) => Load;
  /** How many of the rows that the database had at first are missing. */
  lost: () => Promise<number>;
}

/** A scene with limits on, and a port for monitoring (PROMETHEUS_PORT). */
export async function setTimedScene(env: Env = {}): Promise<{ scene: Scene; watchersUrl: string }> {
  const port = await freePort();
  const scene = await setScene({ RATE_LIMITS: 'on', PROMETHEUS_PORT: String(port), ...env });
  return { scene, watchersUrl: `http://127.0.0.1:${port}` };
}

/** @param env settings over those of the scene */
export async function setScene(env: Env = {}, nodeArgs: readonly string[] = []): Promise<Scene> {
  const database = await createDatabase();
  onTestFinished(database.drop);
  const proxy = await startProxy(database.port);
  onTestFinished(proxy.close);
  const gateway = await startGateway({ DATABASE_URL: database.through(proxy.port), ...env }, nodeArgs);
  onTestFinished(gateway.kill);
  const probes = await knownGood(gateway.url);
  const lost = await watchRows(database);
  return {
    database,
    proxy,
    gateway,
    probes,
    load: (options) => startLoad(() => gateway.url, probes, options),
    lost,
  };
}
