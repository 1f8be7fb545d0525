import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { installQueue, openQueue } from '../src/jobs/queue.js';
import { createDatabase } from './harness/database.js';
import { createPool } from './harness/connections.js';

const log = pino({ level: 'fatal' });

describe('the tables of the queue', () => {
  it('may be installed by several processes at once, and again', async () => {
    const other = await createDatabase({ migrated: false });
    const pools = [1, 2, 3, 4, 5].map(() => createPool(other.url, 1));
    await Promise.all(pools.map((each) => installQueue(each, log)));
    await installQueue(pools[0]!, log);
    const opened = await openQueue(pools[0]!, log);
    await opened.stop();
    await Promise.all(pools.map((each) => each.end()));
    await other.drop();
  });

  it('are asked for by name when they are missing', async () => {
    const other = await createDatabase({ migrated: false });
    const bare = createPool(other.url, 1);
    await expect(openQueue(bare, log)).rejects.toThrow(/moraine migrate/);
    await bare.end();
    await other.drop();
  });
});
