import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp, type TestApp } from '../../harness/app.js';
import { touchedBy, touchedByReading, type Touched } from '../../harness/buffers.js';
import { generateLedger } from '../../harness/generated-ledger.js';
import { balanceList } from '../../../src/resources/address/list.js';
import { FEW, LOOKED_AT, utxoList } from '../../../src/resources/utxo/list.js';
import { readArguments } from '../../../src/arguments/argument.js';
import { utxoListArguments, type UtxoQuery } from '../../../src/resources/utxo/arguments.js';
import type { ListPage } from '../../../src/lists/read.js';
import type { PageRequest } from '../../../src/paging/page-request.js';
import type { Storage } from '../../../src/storage/open.js';
import { poolOf } from '../../harness/connections.js';

const OUTPUTS = 500_000;
const PAGE = 10;
/** Blocks of 8 kB that a page may read; the table and its indexes have over 50,000. */
const BUFFERS = 400;

let p: TestApp;
let x: TestApp;
let hot: string;
beforeAll(async () => {
  [p, x] = await Promise.all([createApp(), createApp()]);
  [hot] = (await generateLedger(poolOf(p.storage), { outputs: OUTPUTS, hot: [300_000] })) as [string];
  await generateLedger(poolOf(x.storage), { outputs: 200_000, hot: [120_000], rareEvery: 20_000 });
}, 900_000);
afterAll(() => Promise.all([p?.close(), x?.close()]));

interface Case extends Partial<UtxoQuery> {
  /** Whether more outputs than FEW pass the minimum. */
  manyPass?: boolean;
  /** Row number in the base table to start after. */
  after?: string;
}

const all = readArguments(utxoListArguments, { network: 'mainnet', blockchainId: 'p-chain' });

const pageAfter = (after: string | null): PageRequest => ({
  direction: 'forward',
  limit: PAGE,
  after,
  before: null,
});

/** The blocks of one page, under the generic plan of a named statement. */
function touchedByPage(gateway: TestApp, { after, ...each }: Case): Promise<Touched> {
  const read = (storage: Storage) => utxoList.read(storage, { ...all, ...each }, pageAfter(after ?? null));
  return touchedByReading(gateway.storage, read, 'generic');
}

const rareAsset = 'U8iRqJoiJm8xZHAacmvYyZVwqQx6uDNtQeP3CQ6fcgQk3JqnK';

describe(`a page of ${OUTPUTS} outputs touches a bounded number of blocks`, () => {
  test.each<[string, Case]>([
    ['without addresses', {}],
    ['without addresses, far from the first page', { after: '20000' }],
    ['without addresses, oldest first', { sortOrder: 'asc' }],
    ['without addresses, by amount', { sortBy: 'amount' }],
    ['spent ones included', { includeSpent: true }],
    ['of an address with 300,000 outputs', { addresses: ['HOT'] }],
    ['of such an address, far from the first page', { addresses: ['HOT'], after: '30000' }],
    ['of such an address and 63 others', { addresses: ['HOT', ...coldAddresses(63)] }],
    [
      'of 64 addresses, spent ones included, by amount',
      { addresses: ['HOT', ...coldAddresses(63)], includeSpent: true, sortBy: 'amount' },
    ],
    ['with a minimum that almost nothing passes', { addresses: ['HOT'], minUtxoAmount: 999990000n }],
    ['with a minimum that nothing passes', { addresses: ['HOT'], minUtxoAmount: 99999999999999999999n }],
    [
      'with a minimum that almost everything passes',
      { addresses: ['HOT'], minUtxoAmount: 1n, manyPass: true },
    ],
    ['with a minimum that half of all pass', { minUtxoAmount: 500000000n, after: '250000', manyPass: true }],
    [
      'with a minimum, by amount',
      { addresses: ['HOT'], minUtxoAmount: 999000000n, sortBy: 'amount', sortOrder: 'asc' },
    ],
  ])('%s', async (_title, each) => {
    const addresses = each.addresses?.map((address) => (address === 'HOT' ? hot : address)) ?? [];
    const { buffers } = await touchedByPage(p, { ...each, addresses });
    // Several addresses cost a descent of the index each. Where more than FEW outputs pass a minimum, so many
    // are looked up by amount first, each with a block of its own while the visibility map is not up to date.
    const lookedUp = each.manyPass ? FEW : 0;
    expect(buffers).toBeLessThan(BUFFERS + addresses.length * 20 + lookedUp);
  });

  test.each<[string, Case]>([
    ['of a rare asset of a hot address', { addresses: ['HOT'], assetId: rareAsset }],
    ['of a rare asset without addresses, by amount', { assetId: rareAsset, sortBy: 'amount' }],
    ['of a rare asset with a minimum', { assetId: rareAsset, minUtxoAmount: 1000n, includeSpent: true }],
    ['of an asset that is not stored', { assetId: 'FvwEAhmxKfeiG8SnEvq42hc6whRyY3EFYAvebMqDNDGCgxN5X' }],
  ])('on the X-chain, %s', async (_title, each) => {
    const addresses = each.addresses?.map((address) => (address === 'HOT' ? hot : address)) ?? [];
    const { buffers } = await touchedByPage(x, { ...each, addresses, blockchainId: 'x' });
    expect(buffers).toBeLessThan(BUFFERS);
  });

  test.each([null, '30000'])(
    'of each of ten addresses, one with 300,000 outputs, after %s',
    async (after) => {
      const pages = [hot, ...coldAddresses(9)].map((address) => ({
        query: { ...all, addresses: [address], includeSpent: true },
        request: pageAfter(after),
      })) as [ListPage<UtxoQuery>, ...ListPage<UtxoQuery>[]];
      const read = (storage: Storage) => utxoList.readBatch(storage, pages);
      const { buffers, rows } = await touchedByReading(p.storage, read, 'generic');
      expect(rows).toBeGreaterThan(PAGE);
      expect(buffers).toBeLessThan(BUFFERS * 2);
    },
  );

  test.each(['p', null] as const)(
    'the balances of an address with 300,000 outputs, chain %s',
    async (blockchainId) => {
      const request: PageRequest = { direction: 'forward', limit: PAGE, after: null, before: null };
      const read = (storage: Storage) =>
        balanceList.readBatch(storage, [
          { query: { network: 'mainnet', address: hot, blockchainId, at: '0' }, request },
        ]);
      const { buffers, rows } = await touchedByReading(p.storage, read, 'generic');
      expect(rows).toBe(1);
      expect(buffers).toBeLessThan(BUFFERS / 10);
    },
  );

  // Every output was created by then, and half of them were spent a long time before: see generateLedger.
  const lately = { time: '1900000000' };
  // Twenty outputs of all were created by then.
  const early = { time: '1600000001' };
  test.each<[string, Case]>([
    ['at the end', { asOf: lately }],
    [
      'at the end, of an address with 300,000 outputs and 63 others',
      { addresses: ['HOT', ...coldAddresses(63)], asOf: lately },
    ],
    ['at the beginning, newest first', { addresses: ['HOT'], asOf: early }],
    [
      'at the beginning, oldest first, far from the first page',
      { asOf: early, sortOrder: 'asc', after: '30000' },
    ],
    [
      'at the beginning, the largest first, which passes over every row',
      { addresses: ['HOT'], asOf: early, sortBy: 'amount' },
    ],
    ['with a minimum that nothing passes', { asOf: lately, minUtxoAmount: 99999999999999999999n }],
    ['in a block', { addresses: ['HOT'], asOf: { block: '25000' } }],
    ['in the first block, newest first, far from the first page', { asOf: { block: '1' }, after: '20000' }],
  ])('of those that were unspent %s', async (_title, each) => {
    const addresses = each.addresses?.map((address) => (address === 'HOT' ? hot : address)) ?? [];
    const { buffers } = await touchedByPage(p, { ...each, addresses });
    // The index of the outputs has three levels.
    expect(buffers).toBeLessThan(BUFFERS + addresses.length * 20 + LOOKED_AT * 5);
  });

  test('of each of ten addresses that which was unspent at a moment', async () => {
    const pages = [hot, ...coldAddresses(9)].map((address) => ({
      query: { ...all, addresses: [address], asOf: early, sortBy: 'amount' },
      request: pageAfter(null),
    })) as [ListPage<UtxoQuery>, ...ListPage<UtxoQuery>[]];
    const read = (storage: Storage) => utxoList.readBatch(storage, pages);
    const { buffers } = await touchedByReading(p.storage, read, 'generic');
    expect(buffers).toBeLessThan(BUFFERS * 2 + LOOKED_AT * 5);
  });

  test('the measurement can tell: counting everything touches far more', async () => {
    const everything = { name: '', text: 'SELECT sum(amount) FROM utxo_owner', parameters: [] };
    expect((await touchedBy(p.storage, everything, {})).buffers).toBeGreaterThan(BUFFERS * 10);
  });
});

function coldAddresses(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `avax1cold${index + 1}`);
}
