import { availableParallelism } from 'node:os';
import { pino } from 'pino';
import { loadSampleOnce } from '../src/load-sample.js';
import { openBenchDatabase } from './harness/database.js';
import { post } from './harness/post.js';
import { serverTime } from './harness/processor.js';
import { startProcess, stopProcess } from './harness/processes.js';
import { judge } from './harness/measures.js';
import { median, ratios, spread } from './harness/statistics.js';
import { short, type Usage } from './harness/usage.js';

/** So many that each of two processes has as much to do at once as one has. */
const CONNECTIONS = 64;
/** Throughput of two processes ÷ one. */
const WANTED_RATE = 1.75;
/** The largest accepted ratio of two processes' processor time a request to one's. */
const WANTED_TIME = 1.1;
const FULL = { rounds: 10, duration: 1000, warmUp: 3000 };
const SHORT = { rounds: 2, duration: 500, warmUp: 1000 };

const limits =
  'maxPageSize defaultPageSize maxCost maxDepth maxAliases maxTokens maxBodyBytes fieldLimits { field }';
const ALONE = 'asks PostgreSQL nothing';
/**
 * The first is expensive enough that the load generator, which shares the machine, does not fill it; 17 root
 * fields are 17 requests to the limiter, in one step.
 */
const questions = {
  [ALONE]: `{ ${Array.from({ length: 17 }, (_, index) => `a${index}: serviceConfig { ${limits} }`).join(' ')} }`,
  '25 UTXOs':
    '{ utxos(network: fuji, blockchainId: "p-chain", first: 25) { nodes { utxoId amount addresses blockTimestamp utxoType } } }',
  '25 transactions with their outputs':
    '{ transactions(network: fuji, blockchainId: "p-chain", first: 25) { nodes { txHash txType emittedUtxos { nodes { utxoId amount } } } } }',
};

const peers = [
  { name: 'one, no limits', processes: 1, limited: false },
  { name: 'two, no limits', processes: 2, limited: false },
  { name: 'one, limits', processes: 1, limited: true },
  { name: 'two, limits', processes: 2, limited: true },
];
type Peer = (typeof peers)[number] & { port: number; pid: number };

/**
 * Of each round: requests a second, and processor time a request of all processes of the gateway,
 * microseconds.
 */
interface Measured {
  rates: number[];
  times: number[];
  generator: number[];
}

export const usage: Usage = {
  about:
    'A gateway of two processes compared with one of one, on the sample in one database, in interleaved rounds; with limits and without, because several processes count limits in the primary one.',
  options: short,
};

export async function run(args: string[]): Promise<void> {
  const { rounds, duration, warmUp } = args.includes('--short') ? SHORT : FULL;
  const { storage, env } = await openBenchDatabase('processes');
  const children = [];
  try {
    await loadSampleOnce(storage, pino({ level: 'warn' }));
    const started: Peer[] = [];
    for (const [index, peer] of peers.entries()) {
      const port = 4740 + index;
      const child = await startProcess(
        [`${process.cwd()}/bin/moraine.mjs`, 'serve'],
        { ...env, ...settingsOf(peer), PORT: String(port) },
        `http://127.0.0.1:${port}/health`,
      );
      children.push(child);
      started.push({ ...peer, port, pid: child.pid ?? 0 });
    }
    print(`${availableParallelism()} cores, ${CONNECTIONS} connections, the generator on the same machine`);
    for (const [name, query] of Object.entries(questions)) {
      const body = [JSON.stringify({ query })];
      const measured = started.map((): Measured => ({ rates: [], times: [], generator: [] }));
      for (const { port } of started) await post(port, body, { connections: CONNECTIONS, duration: warmUp });
      for (let round = 0; round < rounds; round += 1)
        for (const [index, peer] of started.entries())
          await measure(peer, body, duration, measured[index] as Measured);
      report(name, measured);
    }
  } finally {
    await Promise.all(children.map(stopProcess));
    await storage.close();
  }
}

function settingsOf({ processes, limited }: (typeof peers)[number]): Record<string, string> {
  const wide = { anonymous: { requests: 1_000_000_000, seconds: 60, perDay: null } };
  return {
    LOG_LEVEL: 'error',
    SAMPLE: 'off',
    WORKER: 'off',
    DATABASE_POOL: '8',
    TRUSTED_PROXIES: '127.0.0.1',
    PROCESSES: String(processes),
    RATE_LIMITS: limited ? 'on' : 'off',
    PLANS: JSON.stringify(wide),
  };
}

async function measure({ port, pid }: Peer, body: string[], duration: number, into: Measured): Promise<void> {
  const used = () => [serverTime(pid), process.cpuUsage().user + process.cpuUsage().system] as const;
  const before = used();
  const { requests, seconds } = await post(port, body, { connections: CONNECTIONS, duration });
  const after = used();
  into.rates.push(requests / seconds);
  into.times.push((after[0] - before[0]) / requests);
  into.generator.push((after[1] - before[1]) / requests);
}

function report(name: string, measured: readonly Measured[]): void {
  for (const [index, { rates, times, generator }] of measured.entries())
    print(
      `${name}, ${peers[index]?.name}: ${spread(rates, 0)} requests a second, ${spread(times, 0)} µs of the gateway, ${spread(generator, 0)} µs of the generator each`,
    );
  for (const index of [0, 2]) {
    const [one, two] = measured.slice(index);
    if (!one || !two) continue;
    const [rates, times] = [ratios(two.rates, one.rates), ratios(two.times, one.times)];
    const of = `${name}, ${index === 0 ? 'no limits' : 'limits'}`;
    print(
      `${of}: two ÷ one ${spread(rates)}, processor time a request ${spread(times)} (medians ${(median(two.rates) / median(one.rates)).toFixed(2)} and ${(median(two.times) / median(one.times)).toFixed(2)}); ${verdictOn(name, of, rates, times)}`,
    );
  }
}

function verdictOn(name: string, of: string, rates: number[], times: number[]): string {
  const rate = judge({
    name: `${of}: throughput of two processes ÷ one`,
    wanted: `at least ${WANTED_RATE}`,
    measured: spread(rates),
    isMet: median(rates) >= WANTED_RATE,
  });
  if (name === ALONE) return `wanted at least ${WANTED_RATE} times the throughput: ${rate}`;
  const time = judge({
    name: `${of}: processor time a request, two processes ÷ one`,
    wanted: `at most ${WANTED_TIME}`,
    measured: spread(times),
    isMet: median(times) <= WANTED_TIME,
  });
  return `wanted at least ${WANTED_RATE} times the throughput: ${rate}, at most ${WANTED_TIME} times the processor time: ${time}`;
}

function print(line: string): void {
  process.stdout.write(`processes: ${line}\n`);
}
