import { execFile, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { streamsNamed } from '../../src/config/follow-settings.js';
import type { Storage } from '../../src/storage/open.js';
import { connectTo } from '../../test/harness/connections.js';
import type { Other } from '../harness/against.js';
import { openBenchDatabase } from '../harness/database.js';
import { judge } from '../harness/measures.js';
import { stopProcess } from '../harness/processes.js';
import { processorTime } from '../harness/processor.js';
import { median, ratios, spread } from '../harness/statistics.js';
import { startFollower, type RepeatedNode } from './bench-chain.js';

/** The accepted loss, where the other commit's two runs do not differ by more. */
const NO_WORSE = 0.03;
const LOOK_MS = 20;
/** A round that takes longer has a follower that does not go on. */
const PATIENCE_MS = 600_000;

/** A stream that is followed in steps of blocks. */
export interface Steps {
  readonly stream: string;
  /** Blocks of the first step, which counts nowhere: nothing that the program does often is compiled yet. */
  readonly warmUp: number;
  /** Blocks of each step after it, and how many of these there are. */
  readonly blocks: number;
  readonly rounds: number;
  /** Path of the network's genesis file. */
  readonly genesis: string;
  /** A node whose head is at 0. */
  readonly startNode: () => Promise<RepeatedNode>;
}

/** A follower that runs, on a database and a node of its own. */
interface Peer {
  readonly follower: ChildProcess;
  readonly node: RepeatedNode;
  /** How many blocks are stored. */
  readonly height: () => Promise<number>;
  readonly close: () => Promise<void>;
}

type Times = readonly [ours: number[], theirs: number[], again: number[]];

/**
 * Processor time of a block where this checkout follows and where another one does, which runs twice: how far
 * it is from itself is the machine's noise. All three stay between steps, so that no start counts, and follow
 * in turn.
 */
export async function compareFollowing(other: Other, steps: readonly Steps[]): Promise<void> {
  const { storage } = await openBenchDatabase('follow-against');
  try {
    for (const each of steps) {
      const times: Times = [[], [], []];
      await measure(storage, other, each, times);
      print(other.name, each, times);
    }
  } finally {
    await storage.close();
  }
}

async function measure(storage: Storage, other: Other, steps: Steps, times: Times): Promise<void> {
  const peers: Peer[] = [];
  try {
    for (const [index, checkout] of [process.cwd(), other.checkout, other.checkout].entries())
      peers.push(await startPeer(storage, checkout, `follow_against_${index}`, steps));
    for (let round = 0; round <= steps.rounds; round += 1)
      for (const [index, peer] of peers.entries()) {
        const time = await timeUntil(peer, steps.warmUp + round * steps.blocks);
        if (round > 0) times[index]?.push(time);
      }
  } finally {
    for (const peer of peers) await peer.close();
  }
}

async function startPeer(storage: Storage, checkout: string, database: string, steps: Steps): Promise<Peer> {
  const url = await emptyDatabase(storage, checkout, database);
  const client = await connectTo(url);
  const node = await steps.startNode();
  const { process: follower } = startFollower(
    { storage: { url }, node },
    { only: steps.stream, genesis: steps.genesis, checkout },
  );
  return {
    follower,
    node,
    height: async () => {
      // Another commit may follow by one stream what this one follows by two.
      const names = [steps.stream, ...streamsNamed(steps.stream)];
      const { rows } = await client.query<{ height: string | null }>(
        "SELECT min(next_height) AS height FROM follow_pipeline WHERE split_part(name, ':', 1) = ANY($1)",
        [names],
      );
      return Number(rows[0]?.height ?? 0);
    },
    close: async () => {
      await stopProcess(follower);
      await client.end();
      node.process.kill();
      await storage.session((session) => session.query(`DROP DATABASE ${database} WITH (FORCE)`));
    },
  };
}

/** A database with the tables of a checkout. */
export async function emptyDatabase(storage: Storage, checkout: string, name: string): Promise<string> {
  await storage.session(async (session) => {
    await session.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await session.query(`CREATE DATABASE ${name}`);
  });
  const url = new URL(storage.url);
  url.pathname = `/${name}`;
  const env = { ...process.env, DATABASE_URL: url.href };
  await promisify(execFile)(process.execPath, [join(checkout, 'bin', 'moraine.mjs'), 'migrate'], { env });
  return url.href;
}

/** Processor time of the follower, microseconds a block, until this block is stored. */
async function timeUntil({ follower, node, height }: Peer, head: number): Promise<number> {
  const { pid = 0 } = follower;
  const [from, before, begun] = [await height(), processorTime(pid), performance.now()];
  node.moveHead(head);
  for (let stored = from; stored <= head; stored = await height()) {
    if (follower.exitCode !== null || performance.now() - begun > PATIENCE_MS)
      throw new Error(`a follower did not get from block ${from} to ${head}: it is at ${stored}`);
    await sleep(LOOK_MS);
  }
  return (processorTime(pid) - before) / ((await height()) - from);
}

function print(commit: string, { stream, blocks }: Steps, [ours, theirs, again]: Times): void {
  const [found, noise] = [ratios(ours, theirs), ratios(again, theirs)];
  const most = 1 + Math.max(NO_WORSE, Math.abs(median(noise) - 1));
  const judged = judge({
    name: `following, ${stream}: processor time a block ÷ that of ${commit}`,
    wanted: `at most ${most.toFixed(2)}`,
    measured: spread(found),
    isMet: median(found) <= most,
  });
  console.log(
    `${stream}, ${ours.length} steps of ${blocks} blocks: processor time a block ÷ that of ${commit} ${spread(found)}, wanted at most ${most.toFixed(2)}: ${judged}\n` +
      `  ${commit} ÷ itself ${spread(noise)}\n` +
      `  µs a block: ours ${median(ours).toFixed(0)}, theirs ${median(theirs).toFixed(0)}`,
  );
}
