import { setTimeout as sleep } from 'node:timers/promises';
import { startGateway, type Gateway } from '../harness/gateway.js';
import { stopProcess } from '../harness/processes.js';
import { freePort } from '../../test/harness/free-port.js';
import { countsOf, startFollower, type BenchChain } from './bench-chain.js';

const UTXOS = '/v1/networks/fuji/blockchains/p-chain/utxos?pageSize=25';
/** Owners whose outputs are read. */
const OWNERS = 8;
const PER_SECOND = 50;

/** Latencies of lists, milliseconds, sorted: alone, and while a follower catches up. */
export interface ListTimes {
  readonly alone: number[];
  readonly catchingUp: number[];
  /** Blocks that were followed meanwhile. */
  readonly blocks: number;
}

/**
 * Reads lists at a constant rate in turns of some seconds, with and without a follower that catches up.
 *
 * @param ahead blocks that the node then has more; enough that it is never done
 */
export async function measureLists(
  chain: BenchChain,
  milliseconds: number,
  ahead: number,
): Promise<ListTimes> {
  const gateway = await startGateway(process.cwd(), { DATABASE_URL: chain.storage.url }, await freePort());
  try {
    const usable = await listsOf(chain);
    await read(gateway, usable, milliseconds / 4);
    const alone = await read(gateway, usable, milliseconds);
    const { height } = await countsOf(chain);
    chain.node.moveHead(height + ahead);
    const follower = startFollower(chain);
    while ((await countsOf(chain)).height === height) await sleep(100);
    const before = (await countsOf(chain)).height;
    const catchingUp = await read(gateway, usable, milliseconds);
    const blocks = (await countsOf(chain)).height - before;
    await stopProcess(follower.process);
    alone.push(...(await read(gateway, usable, milliseconds)));
    return { alone: sorted(alone), catchingUp: sorted(catchingUp), blocks };
  } finally {
    await stopProcess(gateway.child);
  }
}

const sorted = (times: number[]) => times.sort((a, b) => a - b);

/** Lists that wallets and explorers read. */
async function listsOf({ storage }: BenchChain): Promise<string[]> {
  const owners = await storage.prisma.address.findMany({
    where: { network: 'fuji', address: { not: '' } },
    take: OWNERS,
  });
  const ofOwners = owners.map(({ address }) => `${UTXOS}&includeSpent=true&addresses=${address}`);
  return [UTXOS, `${UTXOS}&includeSpent=true&sortBy=amount`, ...ofOwners];
}

/**
 * One request after another begins, whether those before are answered or not: else a slow server is asked
 * less often.
 */
async function read({ origin }: Gateway, lists: readonly string[], milliseconds: number): Promise<number[]> {
  const begun = performance.now();
  const times: Promise<number>[] = [];
  for (let count = 0; performance.now() - begun < milliseconds; count += 1) {
    const due = begun + (count * 1000) / PER_SECOND;
    await sleep(Math.max(0, due - performance.now()));
    const answer = get(origin + lists[count % lists.length]);
    times.push(answer.then(() => performance.now() - due));
  }
  return Promise.all(times);
}

async function get(url: string): Promise<void> {
  const reply = await fetch(url);
  const text = await reply.text();
  if (!reply.ok) throw new Error(`${url} answered ${reply.status}: ${text}`);
}
