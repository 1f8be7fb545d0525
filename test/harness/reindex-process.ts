// A process of its own for tests: requests reindexing of the given tokens (`request`) or does metadata jobs
// until it is killed (`worker`).
import { createInterface } from 'node:readline';
import { pino } from 'pino';
import type { Hex } from 'viem';
import { createOutbound } from '../../src/outbound/fetch.js';
import { openQueue } from '../../src/jobs/queue.js';
import { startConsumer } from '../../src/jobs/consumer.js';
import { metadataQueue } from '../../src/resources/nft/queue.js';
import { metadataJobHandlers } from '../../src/resources/nft/job.js';
import { requestReindex } from '../../src/resources/nft/store.js';
import type { ReindexProcess } from './reindex.js';
import { createPool, storageOn } from './connections.js';

const given = JSON.parse(process.argv[2]!) as ReindexProcess;
const log = pino({ level: 'fatal' });
const pool = createPool(given.databaseUrl, 4);
pool.on('error', () => {});
const storage = storageOn(pool);

if (given.role === 'request') {
  const queue = await openQueue(storage, log, metadataQueue, given.times);
  process.stdout.write('ready\n');
  // Each line of its input is a token; the end of the input is its end.
  for await (const line of createInterface(process.stdin)) {
    const { address, tokenId } = JSON.parse(line) as { address: Hex; tokenId: string };
    const token = { evmChainId: 43113n, address, tokenId: BigInt(tokenId) };
    const decisions = await Promise.all(
      Array.from({ length: given.requests }, () =>
        requestReindex(storage.prisma, queue.enqueue, token, new Date(given.now)),
      ),
    );
    process.stdout.write(`${JSON.stringify(decisions)}\n`);
  }
  process.exit(0);
}

const sources = {
  outbound: createOutbound({ allowLoopback: true }),
  rpcOf: () => Promise.resolve({ url: given.rpcUrl, trusted: true }),
  gateways: { ipfs: undefined, arweave: undefined },
};
const handlers = metadataJobHandlers({ storage, sources, log, times: given.times });
await startConsumer(storage, log, metadataQueue, handlers, { times: given.times, concurrency: 8 });
process.stdout.write('ready\n');
