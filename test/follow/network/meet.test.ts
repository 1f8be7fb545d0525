import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { meet } from '../../../src/follow/network/meet.js';
import { NodeError } from '../../../src/follow/node/error.js';
import { GrowingPauses } from '../../../src/follow/pauses.js';
import { WaitingNotes } from '../../../src/follow/status/waiting.js';
import { createDatabase } from '../../harness/database.js';
import { createPool, storageOn } from '../../harness/connections.js';

test('a database that cannot be reached meanwhile does not end the wait for a node', async () => {
  const database = await createDatabase();
  const pool = createPool(database.url, 2);
  onTestFinished(() => pool.end());
  const storage = storageOn(pool);
  await database.drop();
  const log = pino({ level: 'silent' });
  let asked = 0;
  const work = () => {
    asked += 1;
    return asked < 3
      ? Promise.reject(new NodeError('wait', 'unreachable', 'nothing listens there', null))
      : Promise.resolve('met');
  };
  const meeting = {
    nodes: { endpoints: () => [] },
    storage,
    waiting: new WaitingNotes(storage.prisma, log),
    as: undefined,
    log,
    signal: new AbortController().signal,
    pauses: new GrowingPauses(1, 2),
  };
  expect(await meet(work, meeting)).toBe('met');
});
