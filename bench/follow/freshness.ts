import { setTimeout as sleep } from 'node:timers/promises';
import { startGateway } from '../harness/gateway.js';
import { freePort } from '../../test/harness/free-port.js';
import { stopProcess } from '../harness/processes.js';
import { countsOf, startFollower, type Place } from './place.js';
import { readRecording } from './recording.js';
import { RepeatedChain } from './repeated-chain.js';

const LIST = '/v1/networks/fuji/blockchains/p-chain/transactions?pageSize=1';
/** Milliseconds between two looks at the list, and between two blocks. */
const LOOK_MS = 10;
const LEAST_PAUSE_MS = 200;
const MOST_PAUSE_MS = 900;
/** A block that is not there after so many milliseconds counts as so late. */
const PATIENCE_MS = 10_000;

/**
 * Lets the chain grow block by block, and waits until each is in a list of the REST API.
 *
 * @returns milliseconds from the node's having a block to the list's showing it, sorted
 */
export async function measureFreshness(place: Place, blocks: number): Promise<number[]> {
  const chain = new RepeatedChain(readRecording());
  const gateway = await startGateway(process.cwd(), { DATABASE_URL: place.storage.url }, await freePort());
  const follower = startFollower(place);
  try {
    const times: number[] = [];
    let { height } = await countsOf(place);
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

  async function growTo(block: number): Promise<number> {
    const begun = performance.now();
    place.node.moveHead(block);
    while ((await newest()) < block && performance.now() - begun < PATIENCE_MS) await sleep(LOOK_MS);
    return performance.now() - begun;
  }

  async function newest(): Promise<number> {
    const reply = await fetch(gateway.origin + LIST);
    const { transactions } = (await reply.json()) as { transactions: { blockNumber: string }[] };
    return Number(transactions[0]?.blockNumber ?? -1);
  }
}
