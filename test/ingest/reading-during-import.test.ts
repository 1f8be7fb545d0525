import { setImmediate as turn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createApp } from '../harness/app.js';
import { readSample } from '../harness/sample.js';
import { importRows } from '../harness/seed.js';

test('no reader sees a transaction without all its UTXOs while it is imported', async () => {
  const gateway = await createApp();
  onTestFinished(gateway.close);
  const rows = readSample().transactionsOf('p');
  // Small parts, so that there are many moments at which a half of one could be seen.
  const parts = Array.from({ length: Math.ceil(rows.length / 20) }, (_, index) =>
    rows.slice(index * 20, index * 20 + 20),
  );
  let done = false;
  const importing = (async () => {
    for (const part of parts) await importRows(gateway.storage, 'fuji.p-chain.transactions', part);
    done = true;
  })();
  const seen = { held: 0, missing: 0 };
  for (let index = 0; !done; index = (index + 37) % rows.length) {
    const row = rows[index] as (typeof rows)[number];
    const { status, body } = await gateway.get(
      `/v1/networks/fuji/blockchains/p-chain/transactions/${row.txHash}`,
    );
    const lists = status === 200 && [body.emittedUtxos.length, body.consumedUtxos.length];
    if (lists) expect(lists).toEqual([row.emittedUtxos.length, row.consumedUtxos.length]);
    seen[lists ? 'held' : 'missing'] += 1;
    await turn();
  }
  await importing;
  expect(seen.held).toBeGreaterThan(0);
  expect(seen.missing).toBeGreaterThan(0);
});
