import { hash } from 'node:crypto';
import { pino } from 'pino';
import { Pool } from 'undici';
import { loadSampleOnce } from '../src/load-sample.js';
import type { Storage } from '../src/storage/open.js';
import { recipes } from '../test/harness/recipes.js';
import { poolOf } from '../test/harness/connections.js';
import { openBenchDatabase } from './harness/database.js';
import { startGateway, type Gateway } from './harness/gateway.js';
import { judge } from './harness/measures.js';
import { parentOf, processorTime, serverTime } from './harness/processor.js';
import { stopProcess } from './harness/processes.js';
import { inRounds } from './harness/rounds.js';
import { ratios, spread, median } from './harness/statistics.js';
import { short, type Usage } from './harness/usage.js';

const PORT = 4795;
// Short rounds, many of them: a collection of garbage, or a backend that ends, disturbs few of them.
const FULL = { rounds: 80, requests: 50 };
const SHORT = { rounds: 12, requests: 25 };

export const usage: Usage = {
  about:
    'Requests that are sent again: a document by its hash compared with its text, and 304 with the 200 of the same address, by the processor time of the gateway and of PostgreSQL.',
  options: short,
};

/** A request, and the status of its answer. */
interface Way {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string;
  status: number;
}

/** Two ways to the same answer. */
interface Compared {
  name: string;
  wanted: number;
  ways: readonly [way: Way, usual: Way];
}

export async function run(args: string[]): Promise<void> {
  const length = args.includes('--short') ? SHORT : FULL;
  const { storage, env } = await openBenchDatabase('graphql');
  const gateway = await startGateway(process.cwd(), env, PORT);
  const pool = new Pool(gateway.origin, { connections: 1 });
  try {
    await loadSampleOnce(storage, pino({ level: 'warn' }));
    const { rows } = await poolOf(storage).query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const times = timesOf(gateway, parentOf(rows[0]?.pid ?? 0));
    for (const each of await comparisons(pool, storage)) {
      const measured = await inRounds(each.ways, length.rounds, (way) =>
        measure(pool, way, length.requests, times),
      );
      report(each, measured as [Times[], Times[]]);
    }
  } finally {
    await pool.close();
    await stopProcess(gateway.child);
    await storage.close();
  }
}

/** Microseconds of the gateway and of PostgreSQL. */
type Times = readonly [node: number, server: number];

const timesOf = (gateway: Gateway, server: number) => (): Times => [
  processorTime(gateway.child.pid ?? 0),
  serverTime(server),
];

/** Processor times of one request. @throws Error for another status */
async function measure(pool: Pool, way: Way, requests: number, times: () => Times): Promise<Times> {
  const before = times();
  for (let sent = 0; sent < requests; sent += 1) await send(pool, way);
  const after = times();
  return [(after[0] - before[0]) / requests, (after[1] - before[1]) / requests];
}

async function send(pool: Pool, { method, path, headers, body, status }: Way) {
  const reply = await pool.request({ method, path, headers, body: body ?? null });
  const text = await reply.body.text();
  if (reply.statusCode !== status || text.includes('"errors":'))
    throw new Error(`${method} ${path} answered ${reply.statusCode}: ${text.slice(0, 300)}`);
  return reply;
}

async function comparisons(pool: Pool, storage: Storage): Promise<Compared[]> {
  return [...(await documents(pool)), ...(await replies(pool, storage))];
}

/** A long recipe by its hash and by its text. */
async function documents(pool: Pool): Promise<Compared[]> {
  const { document: query, variables } = recipes.find(({ name }) => name === 'Portfolio')!;
  const extensions = { persistedQuery: { version: 1, sha256Hash: hash('sha256', query, 'hex') } };
  const headers = { 'content-type': 'application/json' };
  const way = (parameters: object): Way => ({
    method: 'POST',
    path: '/graphql',
    headers,
    body: JSON.stringify({ ...parameters, variables }),
    status: 200,
  });
  await send(pool, way({ query, extensions }));
  return [
    {
      name: `a document of ${query.length} characters by its hash ÷ by its text`,
      wanted: 1.02,
      ways: [way({ extensions }), way({ query })],
    },
  ];
}

/** Lists and an object of REST, and a list of GraphQL. */
async function replies(pool: Pool, storage: Storage): Promise<Compared[]> {
  const sql = `SELECT a.address AS text FROM address a JOIN utxo_owner o ON o.address_id = a.id
    WHERE a.network = 'fuji' AND a.address <> '' AND o.chain = 'p' GROUP BY a.id ORDER BY count(*) DESC, a.id LIMIT 1`;
  const { rows } = await poolOf(storage).query<{ text: string }>(sql);
  const chain = '/v1/networks/fuji/blockchains/p-chain';
  const query =
    '{ utxos(network: fuji, blockchainId: "p-chain", first: 25) { nodes { utxoId amount addresses } } }';
  const asked: [name: string, path: string, wanted: number][] = [
    ['10 outputs of an address', `${chain}/utxos?includeSpent=true&addresses=${rows[0]?.text}`, 0.8],
    [
      '100 outputs of an address',
      `${chain}/utxos?includeSpent=true&pageSize=100&addresses=${rows[0]?.text}`,
      0.5,
    ],
    ['25 transactions of an address', `${chain}/transactions?pageSize=25&addresses=${rows[0]?.text}`, 0.5],
    ['25 outputs in GraphQL by GET', `/graphql?${new URLSearchParams({ query })}`, 1.05],
  ];
  return Promise.all(
    asked.map(async ([name, path, wanted]): Promise<Compared> => {
      const usual: Way = { method: 'GET', path, headers: {}, status: 200 };
      const { etag } = (await send(pool, usual)).headers;
      const headers = { 'if-none-match': String(etag) };
      return { name: `${name}: 304 ÷ 200`, wanted, ways: [{ ...usual, headers, status: 304 }, usual] };
    }),
  );
}

function report({ name, wanted }: Compared, [way, usual]: readonly [Times[], Times[]]): void {
  const whole = (times: readonly Times[]) => times.map(([node, server]) => node + server);
  const found = ratios(whole(way), whole(usual));
  const isMet = median(found) <= wanted;
  const judged = judge({
    name: `Asked again, ${name}, processor time`,
    wanted: `at most ${wanted}`,
    measured: spread(found),
    isMet,
  });
  const µs = (times: readonly Times[]) =>
    `${median(times.map(([node]) => node)).toFixed(0)} + ${median(times.map(([, server]) => server)).toFixed(0)} µs`;
  console.log(
    `${name}: ${spread(found)}, ${µs(way)} instead of ${µs(usual)}, wanted at most ${wanted}: ${judged}`,
  );
}
