import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { pino } from 'pino';
import { loadSampleOnce } from '../src/load-sample.js';
import type { Storage } from '../src/storage/open.js';
import { poolOf } from '../test/harness/connections.js';
import { startOther, startPeer, startPostGraphile, type Peer } from './graphql/peers.js';
import { bodyOf, onceOf, plain, questions, TEXTS, VARIABLES, type Question } from './graphql/queries.js';
import { compareTexts, print, write, type Measured, type Result } from './graphql/report.js';
import { otherOf } from './harness/against.js';
import { openBenchDatabase } from './harness/database.js';
import { post } from './harness/post.js';
import { parentOf, processorTime, serverTime } from './harness/processor.js';
import { stopProcess } from './harness/processes.js';
import { against, short, type Usage } from './harness/usage.js';

const CONNECTIONS = 16;
/** Many short rounds: a disturbance of one peer for a second is then one round among many. */
const FULL = { rounds: 15, duration: 1000, warmUp: 5000 };
const SHORT = { rounds: 3, duration: 500, warmUp: 1500 };
/**
 * Requests over which statements are counted, and how long a backend that is idle keeps its counts,
 * milliseconds.
 */
const COUNTED = 100;
const STATISTICS_MS = 11_000;

export const usage: Usage = {
  about:
    'The GraphQL of the gateway against PostGraphile 5: both on the sample in one database, asked the same, equal answers checked first, in interleaved rounds.',
  options: { ...short, ...against },
};

export async function run(args: string[]): Promise<void> {
  const rounds = args.includes('--short') ? SHORT : FULL;
  const other = otherOf(args);
  const { storage, env } = await openBenchDatabase('graphql');
  const peers: Peer[] = [];
  try {
    await loadSampleOnce(storage, pino({ level: 'warn' }));
    const server = await serverOf(storage);
    peers.push(await startPeer('ours', process.cwd(), env, 0, server));
    peers.push(
      other ? await startOther(other, 1) : await startPostGraphile(poolOf(storage).options, 1, server),
    );
    const isWritten = rounds === FULL && !other;
    const asked = questions(...(await samples(storage)));
    for (const question of asked) await checkEqual(question, peers);
    const results: Result[] = [];
    for (const question of asked) {
      // Before the load, because its own counts would arrive late.
      const statements = isWritten ? await statementsOf(question, peers, storage) : [];
      const measured = await measure(question, peers, rounds);
      const counted = measured.map((each, index) => ({ ...each, statements: statements[index] ?? NaN }));
      results.push({ name: question.name, measured: counted });
      print(results.at(-1) as Result);
    }
    compareTexts(results, TEXTS, VARIABLES);
    if (isWritten) await write(results, await versionOf(storage));
  } finally {
    await Promise.all(peers.map(({ child }) => stopProcess(child)));
    await storage.close();
  }
}

/** Transactions and addresses that have many rows. */
async function samples(storage: Storage): Promise<[transactions: string[], addresses: string[]]> {
  const texts = async (sql: string) =>
    (await poolOf(storage).query<{ text: string }>(sql)).rows.map(({ text }) => text);
  return [
    await texts(
      `SELECT t.tx_hash AS text FROM transaction t
       WHERE t.network = 'fuji' AND t.chain = 'p'
         AND (SELECT count(*) FROM transaction_input i WHERE i.transaction_id = t.id) BETWEEN 2 AND 10
         AND (SELECT count(*) FROM transaction_output o WHERE o.transaction_id = t.id) BETWEEN 1 AND 10
       ORDER BY t.id LIMIT 50`,
    ),
    await texts(
      `SELECT a.address AS text FROM address a JOIN utxo_owner o ON o.address_id = a.id
       WHERE a.network = 'fuji' AND a.address <> '' AND o.chain = 'p' AND NOT o.spent
       GROUP BY a.id ORDER BY count(*) DESC, a.id LIMIT 20`,
    ),
  ];
}

const textFor = ({ ours, theirs }: Question, { speaks }: Peer) => (speaks === 'ours' ? ours : theirs);

/** Bodies that are the same for each peer. */
const bodiesFor = (question: Question, peer: Peer) =>
  question.values.map((value) => bodyOf(textFor(question, peer), value, onceOf(question, 0)));

/** What is sent under load: new texts where the question wants them. */
function sentTo(question: Question, peer: Peer): readonly string[] | (() => string) {
  if (!question.once) return bodiesFor(question, peer);
  const { values } = question;
  return () => {
    made += 1;
    return bodyOf(textFor(question, peer), values[made % values.length] ?? null, onceOf(question, made));
  };
}
/** How many texts were made that no other request has. */
let made = 0;

async function checkEqual(question: Question, peers: readonly Peer[]): Promise<void> {
  for (const index of question.values.keys()) {
    const [first, ...others] = await Promise.all(
      peers.map(async (peer) => {
        const ask = async () => {
          const reply = await fetch(`http://127.0.0.1:${peer.port}/graphql`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: bodiesFor(question, peer)[index] ?? '',
          });
          return (await reply.json()) as { data?: unknown; errors?: unknown };
        };
        // Twice: a document that was seen before may be answered in another way.
        await ask();
        const answer = await ask();
        if (answer.errors) throw new Error(`${peer.name}: ${JSON.stringify(answer.errors)}`);
        return { peer, answer: plain(answer.data) };
      }),
    );
    for (const { peer, answer } of others) {
      if (!question.isOtherOrder && !isDeepStrictEqual(first?.answer, answer))
        throw new Error(
          `${question.name}: ${peer.name} answers otherwise\n${JSON.stringify(first?.answer)}\n${JSON.stringify(answer)}`,
        );
    }
  }
}

async function measure(
  question: Question,
  peers: readonly Peer[],
  { rounds, duration, warmUp }: typeof FULL,
): Promise<Measured[]> {
  const measured = peers.map(({ name, goals, speaks }): Measured => ({
    name,
    rounds: [],
    statements: NaN,
    goals: speaks === 'theirs' ? { ...goals, ...question.goals } : goals,
  }));
  for (const peer of peers)
    await post(peer.port, sentTo(question, peer), { connections: CONNECTIONS, duration: warmUp });
  for (let round = 0; round < rounds; round += 1) {
    for (const [position, peer] of peers.entries()) {
      const times = () => [
        processorTime(peer.child.pid ?? 0),
        serverTime(peer.server),
        processorTime(process.pid),
      ];
      const before = times();
      const { requests, seconds, latencies } = await post(peer.port, sentTo(question, peer), {
        connections: CONNECTIONS,
        duration,
      });
      const [node = NaN, server = NaN, generator = NaN] = times().map(
        (time, index) => (time - (before[index] ?? 0)) / requests,
      );
      const sorted = latencies.toSorted((a, b) => a - b);
      const quantile = (part: number) => sorted[Math.floor(part * (sorted.length - 1))] ?? NaN;
      measured[position]?.rounds.push({
        rate: requests / seconds,
        p50: quantile(0.5),
        p99: quantile(0.99),
        node,
        server,
        generator,
      });
    }
  }
  return measured;
}

async function serverOf(storage: Storage): Promise<number> {
  const { rows } = await poolOf(storage).query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return parentOf(rows[0]?.pid ?? 0);
}

/**
 * Statements a request of each peer, as the server counted them: each is a database transaction of its own.
 */
async function statementsOf(question: Question, peers: readonly Peer[], storage: Storage): Promise<number[]> {
  const count = async () => {
    await sleep(STATISTICS_MS);
    const { rows } = await poolOf(storage).query<{ count: string }>(
      'SELECT xact_commit + xact_rollback AS count FROM pg_stat_database WHERE datname = current_database()',
    );
    return Number(rows[0]?.count);
  };
  const counted: number[] = [];
  let before = await count();
  for (const peer of peers) {
    let requests = 0;
    while (requests < COUNTED)
      requests += (await post(peer.port, sentTo(question, peer), { connections: 1, duration: 100 })).requests;
    const after = await count();
    counted.push(Math.round((after - before) / requests));
    before = after;
  }
  return counted;
}

async function versionOf(storage: Storage): Promise<string> {
  const { rows } = await poolOf(storage).query<{ version: string }>(
    `SELECT current_setting('server_version') AS version`,
  );
  return rows[0]?.version ?? '';
}
