import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { installQueues, openQueue } from '../../../src/jobs/queue.js';
import { metadataQueue } from '../../../src/resources/nft/queue.js';
import { createDatabase } from '../../harness/database.js';
import { createPool, storageOn } from '../../harness/connections.js';

const log = pino({ level: 'fatal' });

describe('the tables of the queue', () => {
  test('may be installed by several processes at once, and again', async () => {
    const other = await createDatabase({ migrated: false });
    const pools = [1, 2, 3, 4, 5].map(() => createPool(other.url, 1));
    await Promise.all(pools.map((each) => installQueues(storageOn(each), log, [metadataQueue])));
    await installQueues(storageOn(pools[0]!), log, [metadataQueue]);
    const opened = await openQueue(storageOn(pools[0]!), log, metadataQueue);
    await opened.stop();
    await Promise.all(pools.map((each) => each.end()));
    await other.drop();
  });

  test('are named in the error when they are missing', async () => {
    const other = await createDatabase({ migrated: false });
    const bare = createPool(other.url, 1);
    await expect(openQueue(storageOn(bare), log, metadataQueue)).rejects.toThrow(/moraine migrate/);
    await bare.end();
    await other.drop();
  });
});
