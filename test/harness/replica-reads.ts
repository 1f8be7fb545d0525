import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerFigures } from '../../src/storage/server.js';
import type { TestApp } from './app.js';

/** A list that costs nothing on any database, and is read from a replica if there is one. */
const LIST = '/v1/networks/fuji/blockchains/p-chain/utxos?pageSize=1';

/** A series of the gateway's metrics; undefined when a scrape does not have it. */
export async function metricOf(app: TestApp, series: string): Promise<number | undefined> {
  const { text } = await app.get('/metrics');
  const line = text.split('\n').find((each) => each.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}

/** The only replica of a gateway, as its metrics name it. */
export function replicaOf({ storage }: TestApp): ServerFigures & Required<Pick<ServerFigures, 'replica'>> {
  const found = storage.servers().find(({ replica }) => replica);
  if (!found?.replica) throw new Error('the gateway has no replica');
  return { ...found, replica: found.replica };
}

/** Waits until a gateway reads from its replica, or no longer does. */
export async function readsFromReplica(app: TestApp, wanted: boolean): Promise<void> {
  const series = `moraine_database_replica_used{server="${replicaOf(app).server}"}`;
  for (const until = performance.now() + 60_000; performance.now() < until; await sleep(50)) {
    // Checks begin with the first request.
    await app.get(LIST);
    if ((await metricOf(app, series)) === Number(wanted)) return;
  }
  throw new Error(`the replica is ${wanted ? 'not' : 'still'} read from`);
}
