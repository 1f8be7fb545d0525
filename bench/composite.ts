import { pino } from 'pino';
import { openAccessControl } from '../src/access/access-control.js';
import { assembleApp } from '../src/app.js';
import { loadConfig } from '../src/config.js';
import type { Services } from '../src/graphql/context.js';
import { startMetadataJobs } from '../src/resources/nft/start-jobs.js';
import { startWebhooks } from '../src/resources/webhook/start-jobs.js';
import { createTokenCodec } from '../src/paging/token.js';
import { compositeEngine } from '../src/resources/composite-query/engines.js';
import { loadInstallation } from '../src/storage/installation.js';
import { compareCommits } from './composite/against.js';
import { bodyOf, PATH, type Operator, type Page } from './composite/request.js';
import { ADDRESSES, loadBalances } from './composite/data.js';
import { sqlFormulations } from './composite/sql.js';
import { otherOf } from './harness/against.js';
import { openBenchDatabase } from './harness/database.js';
import { poolOf, storageOn } from '../test/harness/connections.js';
import { against, type Usage } from './harness/usage.js';

const RUNS = 3;
const operators: Record<Operator, 'INTERSECT' | 'UNION'> = { AND: 'INTERSECT', OR: 'UNION' };

export const usage: Usage = {
  about:
    'Composite queries over 5,000,000 addresses with 30 days of balances, compared with the same question in plain SQL on the same tables.',
  options: against,
};

export async function run(args: string[]): Promise<void> {
  const other = otherOf(args);
  if (other) return compareCommits(other);
  const { storage, env } = await openBenchDatabase('composite');
  const config = loadConfig({ ...env, REQUEST_TIMEOUT_MS: '600000', RATE_LIMITS: 'off', WORKER: 'off' });
  try {
    await loadBalances(poolOf(storage), (line) => console.log(line));
    const { id, secret } = await loadInstallation(storage.prisma);
    const log = pino({ level: 'silent' });
    const metadataJobs = await startMetadataJobs(config, storage, log);
    const webhooks = await startWebhooks(config, storage, log);
    const services: Services = {
      config,
      storage,
      log,
      now: Date.now,
      tokens: createTokenCodec(secret, id, Date.now),
      accessControl: await openAccessControl(config, storage.prisma, { log, now: Date.now }),
      metadataJobs,
      webhooks,
    };
    console.log(`\n${ADDRESSES.toLocaleString('en')} addresses; medians of ${RUNS} runs, milliseconds`);
    for (const operator of ['AND', 'OR'] as const) await compare(services, operator);
    await metadataJobs.stop();
    await webhooks.stop();
    await services.accessControl.close();
  } finally {
    await storage.close();
  }
}

async function compare(services: Services, operator: Operator): Promise<void> {
  // Once before anything is measured, so that all find the tables cached alike.
  const sql = sqlFormulations(operators[operator]);
  const sqlTimes = new Map<string, number>();
  for (const [name, text] of Object.entries(sql)) {
    await poolOf(services.storage).query(text);
    sqlTimes.set(name, await median(() => poolOf(services.storage).query(text)));
  }
  const best = Math.min(...sqlTimes.values());
  const cold = await median(async () => {
    // For the engine another storage object is another process: nothing is cached.
    const fresh = await openPages({ ...services, storage: storageOn(poolOf(services.storage)) }, operator);
    const time = await timed(() => fresh.page(1000));
    await fresh.close();
    return time;
  });
  const pages = await openPages(services, operator);
  const first = await pages.page(1000);
  const rows: [string, number][] = [
    ['first page of 1,000, cold', cold],
    ['first page of 1,000, warm', await median(() => pages.page(1000))],
    ['next page of 1,000', await median(() => pages.page(1000, first.nextPageToken))],
    ['first page of 10,000, warm', await median(() => pages.page(10_000))],
    ['next page of 10,000', await median(() => pages.page(10_000, first.nextPageToken))],
  ];
  console.log(`\n${operator}: ${JSON.stringify(first.subQueryCounts)}, together ${first.totalCount}`);
  for (const [name, time] of sqlTimes)
    console.log(`  SQL ${operators[operator]}, ${name}`.padEnd(44), time.toFixed(1));
  for (const [name, time] of rows)
    console.log(
      `  ${name}`.padEnd(44),
      time.toFixed(1).padEnd(10),
      `${(best / time).toFixed(1)} times as fast as SQL`,
    );
  const used = (compositeEngine(services).cacheBytes / 1024).toFixed(0);
  console.log(`  cached sets ${used} kB of at most ${services.config.COMPOSITE_CACHE_MB * 1024} kB`);
  await pages.close();
}

async function openPages(services: Services, operator: Operator) {
  const app = await assembleApp(services);
  return {
    close: () => app.close(),
    async page(pageSize: number, pageToken?: string): Promise<Page> {
      const reply = await app.inject({
        method: 'POST',
        url: PATH,
        headers: { 'content-type': 'application/json' },
        payload: bodyOf({ operator, pageSize, pageToken }),
      });
      if (reply.statusCode !== 200) throw new Error(reply.body);
      return JSON.parse(reply.body) as Page;
    },
  };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Median time of the work, or of the times that it measured itself. */
async function median(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let index = 0; index < RUNS; index += 1) {
    const start = performance.now();
    const own = await work();
    times.push(typeof own === 'number' ? own : performance.now() - start);
  }
  return times.sort((a, b) => a - b)[Math.floor(RUNS / 2)] ?? 0;
}
