import type { Storage } from '../../src/storage/open.js';
import { createPool, storageOn } from './connections.js';
import { createDatabase, type Filling } from './database.js';
import { dumpLedger } from './ingest.js';

/** Every row that a follower wrote, without row ids and times of its run: equal for databases with the same blocks. */
export async function dumpFollowed(storage: Storage): Promise<Record<string, unknown[]>> {
  const l1Validators = await storage.prisma.followL1Validator.findMany({ orderBy: { validationId: 'asc' } });
  const pipelines = await storage.prisma.followPipeline.findMany({ orderBy: { name: 'asc' } });
  return {
    ...(await dumpLedger(storage)),
    follow_l1_validator: l1Validators.map((row) => JSON.stringify(row)),
    follow_pipeline: pipelines.map(({ name, firstHeight, nextHeight, lastId, lastTime, memo }) =>
      [name, firstHeight, nextHeight, lastId, lastTime, JSON.stringify(memo)].join(' '),
    ),
  };
}

/** The same of a network that was followed without interruption. */
export async function dumpOf(filling: Filling): Promise<Record<string, unknown[]>> {
  const database = await createDatabase({ filling });
  const pool = createPool(database.url, 2);
  try {
    return await dumpFollowed(storageOn(pool));
  } finally {
    await pool.end();
    await database.drop();
  }
}
