import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adoptIdentities } from '../src/avalanche/identity.js';
import { createApp, type TestApp } from './harness/app.js';
import { excerptFilling } from './harness/followed.js';
import { document } from './harness/openapi.js';
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

const bytes = "the outputs' own bytes, or their rows where the sample has none";
const utxo = 'the list of outputs, which others compare with nodes';
const transaction = 'the transaction itself';
const state = "the follower's state of stakers, which others compare with nodes";
const chain = 'the list of chains';
const imported = 'the rows of the sample';
const asset = 'the asset of the outputs';
const always = 'what the contract says it always is';

/** With what the tests above compare each member of these replies. */
const compared: Record<string, Record<string, string>> = {
  HeldAmount: {
    assetId: bytes,
    name: asset,
    symbol: asset,
    denomination: asset,
    type: asset,
    amount: bytes,
    utxoCount: bytes,
    sharedWithChainId: utxo,
    status: utxo,
  },
  AddressChains: { address: 'the request', blockchainIds: utxo },
  LastActivity: {
    timestamp: transaction,
    blockNumber: transaction,
    txHash: 'the newest of the list of transactions',
    utxoId: transaction,
    isConsumed: transaction,
    chainName: 'the request',
    network: 'the request',
  },
  HistoricalReward: {
    addresses: utxo,
    txHash: transaction,
    amountStaked: transaction,
    nodeId: transaction,
    startTimestamp: transaction,
    endTimestamp: transaction,
    rewardType: transaction,
    utxoId: transaction,
    outputIndex: utxo,
    reward: utxo,
    rewardTxHash: transaction,
  },
  PendingReward: {
    addresses: transaction,
    txHash: state,
    amountStaked: state,
    nodeId: state,
    startTimestamp: state,
    endTimestamp: state,
    rewardType: state,
    progress: state,
    estimatedReward: state,
  },
  NftToken: {
    address: imported,
    ercType: 'the client, which accepts only the right one',
    tokenId: imported,
    tokenUri: 'the client',
    metadata: 'the client',
    name: always,
    symbol: always,
    ownerAddress: imported,
  },
  Erc20TokenBalance: {
    address: imported,
    name: always,
    symbol: always,
    decimals: always,
    ercType: always,
    chainId: 'the request',
    balance: imported,
    tokenReputation: always,
  },
  NativeTokenBalance: {
    name: chain,
    symbol: chain,
    decimals: chain,
    logoUri: chain,
    chainId: 'the request',
    balance: imported,
  },
  EvmAddressChains: { indexedChains: chain, unindexedChains: always },
};

test.each(Object.entries(compared))('every member of %s is compared with something', (name, members) => {
  const schema = document.components.schemas[name] as { properties: object };
  expect(Object.keys(schema.properties).sort()).toEqual(Object.keys(members).sort());
});
