import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp, type TestApp } from '../harness/app.js';
import { importRows } from '../harness/import-rows.js';
import { addressOf, idOf, transactionRow, utxoRow } from '../harness/ledger-rows.js';

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp();
});
afterAll(() => gateway.close());

const COMMITS = 30;
const READERS = 4;
const chain = '/v1/networks/mainnet/blockchains/p-chain';
/** An output of its own in each URL's transaction and of its owner; each commit adds one. */
const output = (name: string, nth: number) =>
  utxoRow(`${name} ${nth}`, { addresses: [addressOf(name)], txHash: idOf(name) });

/** The URLs, each of what has a name, and how the number of outputs is read from a reply. */
const urls: {
  name: string;
  path: string;
  count: (body: Record<string, { length: number }>) => number;
}[] = [
  {
    name: 'mara',
    path: `${chain}/utxos?addresses=${addressOf('mara')}&pageSize=100`,
    count: ({ utxos }) => utxos?.length ?? 0,
  },
  {
    name: 'moving',
    path: `${chain}/transactions/${idOf('moving')}`,
    count: ({ emittedUtxos }) => emittedUtxos?.length ?? 0,
  },
];

test.each(urls)('of $name, 200 and 304 say what is stored while rows are imported', async (url) => {
  const { name, path, count } = url;
  const outputs: ReturnType<typeof output>[] = [];
  let committed = 0;
  let isDone = false;
  /** How many outputs the reply with a tag had. */
  const counts = new Map<string, number>();
  const statuses = new Map<number, number>();
  const write = async () => {
    for (let nth = 1; nth <= COMMITS; nth += 1) {
      outputs.push(output(name, nth));
      await importRows(gateway.storage, 'mainnet.p-chain.transactions', [
        transactionRow(name, { emittedUtxos: outputs }),
      ]);
      committed = nth;
    }
    isDone = true;
  };
  const read = async () => {
    let tag = '';
    let isLast = false;
    while (!isLast) {
      isLast = isDone;
      const atLeast = committed;
      const { status, headers, body } = await gateway.get(path, tag === '' ? {} : { 'if-none-match': tag });
      const atMost = isDone ? COMMITS : committed + 1;
      if (status === 404) continue;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status === 200) {
        tag = headers['etag'] ?? '';
        const found = count(body);
        expect(counts.get(tag) ?? found, 'one tag has one answer').toBe(found);
        counts.set(tag, found);
      }
      const said = counts.get(tag) ?? -1;
      expect(said, `${status} after commit ${atLeast}`).toBeGreaterThanOrEqual(atLeast);
      expect(said).toBeLessThanOrEqual(atMost);
    }
    return counts.get(tag);
  };
  const [, ...last] = await Promise.all([write(), ...Array.from({ length: READERS }, read)]);
  expect(last).toEqual(Array(READERS).fill(COMMITS));
  expect(statuses.get(200)).toBeGreaterThan(COMMITS / 2);
  expect(statuses.get(304)).toBeGreaterThan(0);
});
