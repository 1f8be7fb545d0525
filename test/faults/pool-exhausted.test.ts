import { expect, onTestFinished, test } from 'vitest';
import { setScene } from './harness/scene.js';
import { send } from './harness/send.js';
import { expectSound, report } from './harness/table.js';
import { connectTo } from '../harness/connections.js';

test('every connection of the pool is taken: refusals say so, and health is not late', async () => {
  const { database, gateway, load: start, lost } = await setScene({ STATEMENT_TIMEOUT_MS: '20000' });
  const locker = await connectTo(database.url);
  onTestFinished(() => locker.end());
  const load = start();
  await load.seen('right', 20);
  await locker.query('BEGIN; LOCK TABLE utxo_owner, vertex, transaction IN ACCESS EXCLUSIVE MODE');
  await load.seen('refused', 30);
  const health = await send(gateway.url, { path: '/health' }, { timeoutMs: 5000 });
  expect(health.status).toBe(200);
  await locker.query('ROLLBACK');
  load.faultEnds();
  await load.rightAgain(15_000);
  const tally = await load.stop();
  report({ fault: 'pool exhausted (tables locked)', ...tally, lost: await lost() });
  expectSound(tally);
  // The database is up: the refusal and the log must not suggest that it is down.
  expect(tally.refusals.filter((text) => text.includes('cannot be reached'))).toEqual([]);
});
