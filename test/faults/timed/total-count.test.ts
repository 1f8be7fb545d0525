import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { addressOf } from '../../harness/ledger-rows.js';
import { readSample } from '../../harness/sample.js';
import { watchHealth } from '../harness/metrics.js';
import { setTimedScene } from '../harness/scene.js';
import { send } from '../harness/send.js';
import { expectSound, report } from '../harness/table.js';

/** One operation that counts 64 addresses' outputs, in as many fields as a document may have aliases. */
function manyCounts(): string {
  const held = [
    ...new Set(
      readSample()
        .utxosOf('p')
        .flatMap(({ addresses }) => addresses),
    ),
  ].slice(0, 63);
  const addresses = JSON.stringify([...held, addressOf('anna', 'fuji')]);
  const field = `utxos(network: fuji, blockchainId: "p-chain", addresses: ${addresses}, includeSpent: true, first: 1)`;
  const fields = Array.from({ length: 10 }, (_, index) => `c${index}: ${field} { totalCount }`);
  return JSON.stringify({ query: `{ ${fields.join(' ')} }` });
}

test('199 documents of counts in one burst: another caller gets right answers, and health is not late', async () => {
  const { scene, watchersUrl } = await setTimedScene({ TRUSTED_PROXIES: '127.0.0.1' });
  const { gateway } = scene;
  const post = manyCounts();
  const load = scene.load({ headers: { 'x-forwarded-for': '10.0.0.9' } });
  await load.seen('right', 20);
  const health = watchHealth(gateway.url, watchersUrl);
  const burst = await Promise.all(
    Array.from({ length: 199 }, () =>
      send(
        gateway.url,
        { path: '/graphql', post },
        { headers: { 'x-forwarded-for': '10.6.6.6' }, timeoutMs: 60_000 },
      ),
    ),
  );
  load.faultEnds();
  await sleep(100);
  await load.rightAgain(15_000);
  const { note, failed } = await health.stop();
  const tally = await load.stop();
  const told = burst.filter(({ status, text }) => status !== 200 || text.includes('"errors"'));
  report({
    ...{ fault: '199 documents of 10 counts each at once, from one caller', ...tally },
    note: `${tally.note}, ${note}, ${told.length} of the burst refused`,
  });
  expectSound(tally);
  expect(tally.refused).toBe(0);
  expect(failed).toBe(0);
  expect(burst.filter(({ status }) => ![200, 400, 429, 503].includes(status))).toEqual([]);
  expect(told.filter(({ text }) => text.includes('cannot be reached'))).toEqual([]);
});
