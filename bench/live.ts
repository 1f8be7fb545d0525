import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { addressOf, utxoRow } from '../test/harness/ledger-rows.js';
import { utxoRows } from '../src/resources/utxo/import.js';
import type { Storage } from '../src/storage/open.js';
import { writeSets, type RowSet } from '../src/write/transaction.js';
import { openBenchDatabase } from './harness/database.js';
import { startGateway, type Gateway } from './harness/gateway.js';
import { load } from './harness/load.js';
import { judge } from './harness/measures.js';
import { processorTime } from './harness/processor.js';
import { stopProcess } from './harness/processes.js';
import { median } from './harness/statistics.js';
import { short, type Usage } from './harness/usage.js';
import { heldMemory } from './live/held-memory.js';
import { openStreams } from './live/streams.js';

const PORT = 4760;
const FULL = { streams: 1000, keys: 20, commits: 60, load: 10_000 };
const SHORT = { streams: 40, keys: 20, commits: 5, load: 2_000 };
const SCOPE = { network: 'mainnet', chain: 'p' } as const;
const QUERY = `subscription ($address: String!) {
  utxos(network: mainnet, addresses: [$address]) { cursor change node { utxoId amount asset { symbol } } }
}`;

export const usage: Usage = {
  about:
    'Streams of 20 callers while a commit is made each second: the time from a commit to its clients, the memory and the processor time of the gateway, and the lists of others next to them.',
  options: { ...short },
};

export async function run(args: string[]): Promise<void> {
  const sizes = args.includes('--short') ? SHORT : FULL;
  const { storage, env } = await openBenchDatabase('live');
  const memory = heldMemory();
  const gateway = await startGateway(process.cwd(), { ...env, ...memory.env }, PORT);
  try {
    await measure(storage, gateway, () => memory.read(gateway), sizes);
  } finally {
    await stopProcess(gateway.child);
    memory.drop();
    await storage.close();
  }
}

const addressOfKey = (key: number) => addressOf(`owner ${key}`);

/** When each output was committed, by its id. */
type Times = Map<string, number>;

/** One commit that has an output for each address. */
async function commit(storage: Storage, name: string, keys: number, times: Times): Promise<void> {
  const rows = Array.from({ length: keys }, (_, key) =>
    utxoRow(`${name} ${key}`, { addresses: [addressOfKey(key)] }),
  );
  const set = { kind: utxoRows, scope: SCOPE, rows: rows.map((row) => utxoRows.read(row, SCOPE)) };
  await storage.session((session) =>
    writeSets(session, [set as unknown as RowSet], () => {
      for (const { utxoId } of rows) times.set(utxoId, performance.now());
      return Promise.resolve();
    }),
  );
}

async function commits(storage: Storage, count: number, keys: number, times: Times): Promise<void> {
  const run = createHash('sha256')
    .update(String(performance.timeOrigin + performance.now()))
    .digest('hex');
  for (let index = 0; index < count; index += 1) {
    const next = sleep(1000);
    await commit(storage, `${run} ${index}`, keys, times);
    await next;
  }
}

const memoryOf = ({ child }: Gateway) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024;

async function measure(
  storage: Storage,
  gateway: Gateway,
  held: () => Promise<number>,
  sizes: typeof FULL,
): Promise<void> {
  const { origin, child } = gateway;
  const { streams: count, keys } = sizes;
  const times: Times = new Map();
  const taken: number[] = [];
  await commit(storage, 'first', keys, times);
  const path = `/v1/networks/mainnet/blockchains/p-chain/utxos?addresses=${addressOfKey(0)}`;
  // With commits both times: they also take from the lists, streams or not.
  const lists = async () => {
    const running = commits(storage, Math.ceil(sizes.load / 1000), keys, times);
    const found = await load(origin, [path], { connections: 4, duration: sizes.load });
    await running;
    return found;
  };
  await lists();
  const alone = await lists();
  const processorOf = async (work: () => Promise<unknown>) => {
    const before = processorTime(child.pid ?? 0);
    await work();
    return (processorTime(child.pid ?? 0) - before) / 1000;
  };
  const idle = (await processorOf(() => commits(storage, 10, keys, times))) / 10;
  const heldBefore = await held();
  const before = memoryOf(gateway);
  const clients = Array.from({ length: count }, (_, index) => ({
    address: `10.1.0.${index % keys}`,
    variables: { address: addressOfKey(index % keys) },
  }));
  const open = await openStreams(origin, QUERY, clients, (data) => {
    const [, id = ''] = /"utxoId":"(\w+)"/.exec(data) ?? [];
    taken.push(performance.now() - (times.get(id) ?? NaN));
  });
  await sleep(2000);
  const withIdle = memoryOf(gateway);
  const spent = (await processorOf(() => commits(storage, sizes.commits, keys, times))) / sizes.commits;
  await sleep(1000);
  const missing = open.received.filter(({ events }) => events !== sizes.commits).length;
  const sorted = taken.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? NaN;
  const nextTo = await lists();
  open.close();
  // Results that streams share are forgotten after some seconds.
  await sleep(10_000);
  const heldAfter = await held();
  const judged = [
    judge({
      name: `${count} streams of ${keys} callers, a commit a second: 95 % of events arrive within, ms`,
      wanted: 'at most 250',
      measured: at(0.95).toFixed(0),
      isMet: at(0.95) <= 250,
    }),
    judge({
      name: `${count} streams: those that missed or repeated an event`,
      wanted: '0',
      measured: String(missing),
      isMet: missing === 0,
    }),
    judge({
      name: `${count} idle streams: memory, MiB`,
      wanted: 'at most 50',
      measured: (withIdle - before).toFixed(0),
      isMet: withIdle - before <= 50,
    }),
    judge({
      name: `${count} streams that were closed: memory in use after ÷ before`,
      wanted: 'at most 1.05',
      measured: (heldAfter / heldBefore).toFixed(2),
      isMet: heldAfter / heldBefore <= 1.05,
    }),
    judge({
      name: 'lists of others: throughput alone ÷ next to streams',
      wanted: 'at most 1.5',
      measured: (alone / nextTo).toFixed(2),
      isMet: alone / nextTo <= 1.5,
    }),
  ];
  console.log(
    [
      `${sorted.length} events: median ${median(sorted).toFixed(0)} ms after the commit, 95 % within ${at(0.95).toFixed(0)} ms, the last after ${at(0.9999).toFixed(0)} ms: ${judged[0]}`,
      `streams that missed or repeated an event: ${missing} of ${count}: ${judged[1]}`,
      `memory of the gateway: ${before.toFixed(0)} MiB before, ${withIdle.toFixed(0)} with ${count} idle streams: ${judged[2]}`,
      `memory in use right after a full collection: ${heldBefore.toFixed(1)} MiB before, ${heldAfter.toFixed(1)} after all are closed: ${judged[3]}`,
      `processor time of the gateway for each commit: ${idle.toFixed(1)} ms without streams, ${spent.toFixed(1)} ms with ${count}`,
      `lists of others: ${alone.toFixed(0)} a second alone, ${nextTo.toFixed(0)} next to streams: ${judged[4]}`,
    ].join('\n'),
  );
}
