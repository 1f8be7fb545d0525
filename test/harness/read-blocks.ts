import { setTimeout as sleep } from 'node:timers/promises';
import { openClient } from '../../src/storage/connection.js';

/**
 * The blocks of 8 kB, cached or not, of all tables of a database, temporary ones too, that others read while
 * `work` runs.
 *
 * @param url of the database; its sessions report when they are idle or end
 */
export async function blocksReadBy(url: string, work: () => Promise<unknown>): Promise<number> {
  const before = await blocksOf(url);
  await work();
  return (await blocksOf(url)) - before;
}

/** As soon as two readings a moment apart agree: a session reports what it read at most once a second. */
async function blocksOf(url: string): Promise<number> {
  for (let last = NaN; ; await sleep(100)) {
    const found = await readBlocks(url);
    if (found === last) return found;
    last = found;
  }
}

// From another database, whose reading is not counted.
async function readBlocks(url: string): Promise<number> {
  const client = openClient({
    connectionString: Object.assign(new URL(url), { pathname: '/postgres' }).href,
  });
  await client.connect();
  try {
    const { rows } = await client.query<{ blocks: string }>(
      'SELECT blks_hit + blks_read AS blocks FROM pg_stat_database WHERE datname = $1',
      [new URL(url).pathname.slice(1)],
    );
    return Number(rows[0]?.blocks);
  } finally {
    await client.end();
  }
}
