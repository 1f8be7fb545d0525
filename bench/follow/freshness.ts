import { setTimeout as sleep } from 'node:timers/promises';
import { decodePBlock } from '../../src/avalanche/codec/block.js';
import { startGateway } from '../harness/gateway.js';
import { freePort } from '../../test/harness/free-port.js';
import { stopProcess } from '../harness/processes.js';
import { countsOf, startFollower, type BenchChain } from './bench-chain.js';
import { readRecording } from './recording.js';
import { RepeatedChain } from './repeated-chain.js';

const TRANSACTIONS = '/v1/networks/fuji/blockchains/p-chain/transactions';
/** Milliseconds between two looks at a transaction, and between two blocks. */
const LOOK_MS = 10;
const LEAST_PAUSE_MS = 200;
const MOST_PAUSE_MS = 900;
/** A block that is not there after so many milliseconds counts as so late. */
const PATIENCE_MS = 10_000;

/**
 * Lets the chain grow block by block, and waits until the REST API has a transaction of each.
 *
 * @returns milliseconds from the node's having a block to the API's having it, sorted
 */
export async function measureFreshness(bench: BenchChain, blocks: number): Promise<number[]> {
  const chain = new RepeatedChain(readRecording());
  const gateway = await startGateway(process.cwd(), { DATABASE_URL: bench.storage.url }, await freePort());
  const follower = startFollower(bench);
  try {
    const times: number[] = [];
    let { height } = await countsOf(bench);
    // Until it follows.
    await growTo(nextShown());
    for (let count = 0; count < blocks; count += 1) {
      await sleep(LEAST_PAUSE_MS + Math.random() * (MOST_PAUSE_MS - LEAST_PAUSE_MS));
      times.push(await growTo(nextShown()));
    }
    return times.sort((a, b) => a - b);

    function nextShown(): number {
      while (!chain.isShown(height)) height += 1;
      return height++;
    }
  } finally {
    await stopProcess(follower.process);
    await stopProcess(gateway.child);
  }

  async function growTo(height: number): Promise<number> {
    const [transaction] = decodePBlock(chain.blockAt(height)).transactions;
    const url = `${gateway.origin}${TRANSACTIONS}/${transaction?.id}`;
    const begun = performance.now();
    bench.node.moveHead(height);
    while (!(await isThere(url)) && performance.now() - begun < PATIENCE_MS) await sleep(LOOK_MS);
    return performance.now() - begun;
  }
}

async function isThere(url: string): Promise<boolean> {
  const reply = await fetch(url);
  await reply.arrayBuffer();
  return reply.ok;
}
