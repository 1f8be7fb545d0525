import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adoptIdentities } from '../src/avalanche/identity.js';
import { createApp, type TestApp } from './harness/app.js';
import { excerptFilling } from './harness/followed.js';
import { PublishedEvmReads } from './harness/published-evm-reads.js';
import { PublishedReads } from './harness/published-reads.js';

// The client checks each reply against closed schemas, so that a call that returns has found nothing wrong.
describe.each([
  ['the sample', { sample: true }],
  ['a followed network', { filling: excerptFilling }],
] as const)('%s, read by the published client', (_name, contents) => {
  let gateway: TestApp;
  let reads: PublishedReads;

  beforeAll(async () => {
    gateway = await createApp({}, contents);
    reads = await PublishedReads.open(gateway);
  });
  afterAll(async () => {
    await gateway.close();
    adoptIdentities({});
  });

  test('balances by kind are the sums of the outputs, several owners counted as one', () =>
    reads.expectBalances(8));

  test('chain ids are those of the chains that list outputs of an address', () => reads.expectChainIds());

  test('outputs by POST are those by GET, of more addresses and in larger pages', () =>
    reads.expectUtxosByPost());

  test('the last activity is what the newest transaction did', () => reads.expectLastActivity(4));

  test('historical rewards are the outputs that ends of stakes paid', async () => {
    expect(await reads.expectHistoricalRewards()).toBeGreaterThan(0);
  });

  test('pending rewards are those of the stakes of now', async () => {
    expect(await reads.expectPendingRewards()).toBeGreaterThan(0);
  });
});

describe('the sample, read by the published client on EVM chains', () => {
  let gateway: TestApp;
  let reads: PublishedEvmReads;

  beforeAll(async () => {
    gateway = await createApp({}, { sample: true });
    const { client, at } = await PublishedReads.open(gateway);
    reads = new PublishedEvmReads(gateway, client, at);
  });
  afterAll(() => gateway.close());

  test('messages of an address, and all of them under their former names', () => reads.expectMessages());

  test('tokens of a collection, and those that an address owns', () => reads.expectTokens());

  test('balances are the newest ones', () => reads.expectBalances());

  test('chains of an address are those on which it is indexed', () => reads.expectChainsOfAddress());
});
