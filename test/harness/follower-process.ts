// A process of its own for tests, which follows a generated chain until it is killed or at its end.
import { createPool, storageOn } from './connections.js';
import { startFollower, type FollowerProcess } from './follower.js';
import { GeneratedNode, GeneratedPipeline } from './generated-chain.js';

const { databaseUrl, head } = JSON.parse(process.argv[2]!) as FollowerProcess;
const pool = createPool(databaseUrl, 4);
const node = new GeneratedNode('node', BigInt(head));
node.faults.delayMs = 3;
process.stdout.write('ready\n');
const { ended } = startFollower(storageOn(pool), [new GeneratedPipeline([node])], { once: true });
const stopped = await ended;
process.exit(stopped.length === 0 ? 0 : 1);
