import { existsSync } from 'node:fs';
import { Avalanche } from '@avalanche-sdk/chainkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adoptIdentities } from '../src/avalanche/identity.js';
import { createApp, type TestApp } from './harness/app.js';
import { document, operations, successOf } from './harness/openapi.js';
import { excerptFilling } from './harness/followed.js';
import { Compared, membersOf } from './harness/compared.js';
import { PublishedEvmReads } from './harness/published-evm-reads.js';
import { comparedBy, membersOfSample } from './harness/published-members.js';
import { membersOfNetworks } from './harness/published-members-of-networks.js';
import { calledBy } from './harness/published-methods.js';
import { PublishedReads } from './harness/published-reads.js';
import { PublishedStakes, refusedFilters } from './harness/published-stakes.js';
import { recordClient } from './harness/recorded-client.js';

const compared = new Compared();
const recorded = recordClient(new Avalanche({ network: 'fuji', chainId: '43113', enableTelemetry: false }));

// The client checks each reply against closed schemas, so that a call that returns has found nothing wrong.
describe.each([
  ['the sample', { sample: true }],
  ['a followed network', { filling: excerptFilling }],
] as const)('%s, read by the published client', (_name, contents) => {
  let gateway: TestApp;
  let reads: PublishedReads;

  beforeAll(async () => {
    gateway = await createApp({}, contents);
    reads = await PublishedReads.open(gateway, recorded.client, compared);
  });
  afterAll(async () => {
    await gateway.close();
    adoptIdentities({});
  });

  test('balances by kind are the sums of the outputs, several owners counted as one', () =>
    reads.expectBalances(8));

  test('chain ids are those of the chains that list outputs of an address', () => reads.expectChainIds());

  test('outputs by POST are those by GET, of more addresses and in larger pages', () => reads.expectUtxos());

  test('the last activity is what the newest transaction did', () => reads.expectLastActivity(4));

  test('historical rewards are the outputs that ends of stakes paid', async () => {
    expect(await reads.expectHistoricalRewards()).toBeGreaterThan(0);
  });

  test('pending rewards are those of the stakes of now, of which delegators share theirs with validators', async () => {
    expect(await reads.expectPendingRewards()).toBeGreaterThan(0);
    if ('sample' in contents) expect(await reads.expectEstimates()).toBeGreaterThan(0);
  });

  test('each filter of validators leaves what a look at every stake leaves, alone and with each other one', async () => {
    const stakes = await PublishedStakes.open(gateway);
    // Of the quantities both ends, of the others each.
    expect(await stakes.expectEachFilter()).toBeGreaterThan(6);
    await stakes.expectPairs();
    await stakes.expectOrders();
  });

  test.each(Object.entries(refusedFilters))(
    'a wrong %s of validators is refused by name',
    async (name, values) => {
      for (const value of [...values, '']) {
        const query = new URLSearchParams({ [name]: value }).toString();
        const { status, body } = await gateway.get(`/v1/networks/fuji/validators?${query}`);
        expect([value, status]).toEqual([value, 400]);
        expect(String(body.message)).toMatch(new RegExp(`^${name}: `));
      }
    },
  );
});

describe('the sample, read by the published client on EVM chains', () => {
  let gateway: TestApp;
  let reads: PublishedEvmReads;

  beforeAll(async () => {
    gateway = await createApp({}, { sample: true });
    const { at } = await PublishedReads.open(gateway, recorded.client, compared);
    reads = new PublishedEvmReads(gateway, recorded.client, at, compared);
  });
  afterAll(() => gateway.close());

  test('messages of an address, and all of them under their former names', () => reads.expectMessages());

  test('tokens of a collection, and those that an address owns', () => reads.expectTokens());

  test('balances are the newest ones', () => reads.expectBalances());

  test('chains of an address are those on which it is indexed', () => reads.expectChainsOfAddress());
});

test.each(Object.entries(membersOfSample))(
  'every member of %s was compared with what the table names',
  (name, members) => {
    expect(Object.keys(members).sort()).toEqual(membersOf(name));
    expect(compared.of(name)).toEqual(membersOf(name));
  },
);

test('the methods that published-client.test.ts leaves out were called, and every list read to its end', () => {
  expect(calledBy['published-reads.test.ts'].filter((name) => !recorded.called.has(name))).toEqual([]);
  expect(recorded.unended()).toEqual([]);
});

/**
 * Of webhooks and composite queries, which `data` and `metrics` of the client do not read; and pages, whose
 * rows have schemas of their own.
 */
const isNotRead = (name: string) => /Webhook|^SharedSecret$|^CompositeQuery|Page$/.test(name);

test('every schema that a reply can have is in one of the tables, or compared by another test, which exists', () => {
  const tables = { ...membersOfSample, ...membersOfNetworks, ...comparedBy };
  const missing = schemasOfReplies().filter((name) => !(name in tables) && !isNotRead(name));
  expect(missing).toEqual([]);
  for (const where of Object.values(comparedBy)) {
    const [file = ''] = where.split(':');
    expect(existsSync(`test/${file}`), where).toBe(true);
  }
});

/** The names of the schemas that replies of the document lead to. */
function schemasOfReplies(): string[] {
  const found = new Set<string>();
  const follow = (value: unknown): void => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (found.has(name)) continue;
      found.add(name);
      follow((document.components.schemas as Record<string, unknown>)[name]);
    }
  };
  for (const { operation } of operations) follow(successOf(operation)[1]);
  return [...found].sort();
}
