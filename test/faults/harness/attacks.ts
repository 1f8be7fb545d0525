import { onTestFinished } from 'vitest';
import { setTimeout as sleep } from 'node:timers/promises';
import { addressOf } from '../../harness/ledger-rows.js';
import { readSample } from '../../harness/sample.js';
import { halfOpenBodies, pipelinedResets, slowReaders, type Hostile } from './hostile.js';
import { largeTransaction } from './sample-setup.js';
import { send, type Answer } from './send.js';

/** Clients that go on attacking a gateway until they are stopped, or the test ends. */
export interface Attack {
  /** Connections that they have open; of attacks without open connections, how often they connected. */
  readonly under: number;
  stop: () => Promise<void>;
}

/** The address that they come from; the honest caller comes from another. */
const localAddress = '127.0.0.2';
const list = '/v1/networks/fuji/blockchains/p-chain/utxos?pageSize=100';
const large = `/v1/networks/fuji/blockchains/p-chain/transactions/${largeTransaction}`;

/** POSTs whose bodies never end. */
export const holdBodies = (url: string): Attack => held(halfOpenBodies({ url, count: 300, localAddress }));

/** Readers of a reply of 4 MB that read none of it. */
export const readNothing = (url: string): Attack =>
  held(slowReaders({ url, count: 300, path: large, localAddress }));

function held(hostile: Hostile): Attack {
  onTestFinished(hostile.close);
  return {
    get under() {
      return hostile.open;
    },
    stop: () => Promise.resolve(hostile.close()),
  };
}

/** Pipelined requests whose connections are reset, again and again. */
export function resetPipelines(url: string): Attack {
  let stopped = false;
  let came = 0;
  onTestFinished(() => void (stopped = true));
  const running = (async () => {
    while (!stopped) {
      await pipelinedResets({ url, localAddress }, list);
      came += 1;
      await sleep(50);
    }
  })();
  return {
    get under() {
      return came;
    },
    async stop() {
      stopped = true;
      await running;
    },
  };
}

/** One operation that counts 64 addresses' outputs, in as many fields as a document may have aliases. */
function manyCounts(): string {
  const owners = new Set(
    readSample()
      .utxosOf('p')
      .flatMap(({ addresses }) => addresses),
  );
  const addresses = JSON.stringify([...[...owners].slice(0, 63), addressOf('anna', 'fuji')]);
  const field = `utxos(network: fuji, blockchainId: "p-chain", addresses: ${addresses}, includeSpent: true, first: 1)`;
  const fields = Array.from({ length: 10 }, (_, index) => `c${index}: ${field} { totalCount }`);
  return JSON.stringify({ query: `{ ${fields.join(' ')} }` });
}

/** 199 documents of many counts at once; what each was answered. */
export function countInBurst(url: string, headers: Record<string, string> = {}): Promise<Answer[]> {
  const post = manyCounts();
  const ask = () => send(url, { path: '/graphql', post }, { headers, timeoutMs: 60_000 });
  return Promise.all(Array.from({ length: 199 }, ask));
}
