import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { meet } from '../../../src/follow/network/meet.js';
import { NodeError } from '../../../src/follow/node/error.js';
import { GrowingPauses } from '../../../src/follow/pauses.js';
import { WaitingNotes } from '../../../src/follow/status/waiting.js';
import { createDatabase } from '../../harness/database.js';
import { createPool, storageOn } from '../../harness/connections.js';

test('a database that cannot be reached meanwhile does not end the wait for a node', async () => {
  const { met } = await meetAfter(['nothing listens there', 'nothing listens there']);
  expect(met).toBe('met');
});

test('why a follower waits for a node is logged once, and again when that changes', async () => {
  const busy = Array.from({ length: 8 }, (_, index) => `it is bootstrapping: block ${index} of 9`);
  const { lines } = await meetAfter(['nothing listens there', ...busy, 'nothing listens there']);
  expect(lines).toEqual([
    'waiting for a node: nothing listens there',
    'waiting for a node: it is bootstrapping: block 0 of 9',
    'waiting for a node: nothing listens there',
  ]);
});

/** Meets a node that answers after these failures, whose database cannot be reached. */
async function meetAfter(failures: readonly string[]): Promise<{ met: string; lines: string[] }> {
  const database = await createDatabase();
  const pool = createPool(database.url, 2);
  onTestFinished(() => pool.end());
  const storage = storageOn(pool);
  await database.drop();
  const lines: string[] = [];
  const log = pino(
    { level: 'warn' },
    { write: (line: string) => void lines.push((JSON.parse(line) as { msg: string }).msg) },
  );
  const left = [...failures];
  const work = () => {
    const failure = left.shift();
    return failure === undefined
      ? Promise.resolve('met')
      : Promise.reject(new NodeError('wait', 'unreachable', failure, null));
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
  return { met: await meet(work, meeting), lines };
}
