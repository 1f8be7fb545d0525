import { Avalanche } from '@avalanche-sdk/chainkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adoptIdentities } from '../src/avalanche/identity.js';
import { createApp, type TestApp } from './harness/app.js';
import { excerptFilling } from './harness/followed.js';
import { Compared, membersOf } from './harness/compared.js';
import { PublishedEvmReads } from './harness/published-evm-reads.js';
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

const bytes = "the outputs' own bytes, or their rows where the sample has none";
const utxo = 'the list of outputs, which others compare with nodes';
const transaction = 'the transaction itself';
const state = "the follower's state of stakers, which others compare with nodes";
const chain = 'the list of chains';
const imported = 'the rows of the sample';
const asset = 'the asset of the outputs';
const always = 'what the contract says it always is';
const read = 'what was stored as read from the contract';
const outputs = 'a sum over all outputs, one after the other';

const token = {
  address: imported,
  ercType: read,
  tokenId: imported,
  tokenUri: read,
  metadata: read,
  name: always,
  symbol: always,
  ownerAddress: imported,
};
const message = {
  messageId: imported,
  sourceBlockchainId: imported,
  destinationBlockchainId: imported,
  sourceEvmChainId: imported,
  destinationEvmChainId: imported,
  icmContractAddress: imported,
  messageNonce: imported,
  from: imported,
  to: imported,
  data: imported,
  messageExecuted: imported,
  receipts: imported,
  receiptDelivered: imported,
  rewardDetails: imported,
  status: imported,
};
const source = { sourceTransaction: imported };
const destination = { destinationTransaction: imported };
const formerly = { ...message, teleporterContractAddress: 'icmContractAddress' };

/** With what the tests above compare each member of these replies. */
const table: Record<string, Record<string, string>> = {
  Balances: {
    unlockedUnstaked: outputs,
    unlockedStaked: outputs,
    lockedPlatform: outputs,
    lockedStakeable: outputs,
    lockedStaked: outputs,
    pendingStaked: outputs,
    atomicMemoryUnlocked: outputs,
    atomicMemoryLocked: outputs,
    locked: outputs,
    unlocked: outputs,
  },
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
  NftToken: token,
  Erc721TokenBalance: { ...token, chainId: 'the request' },
  NftTokenMetadata: {
    indexStatus: read,
    metadataLastUpdatedTimestamp: read,
    name: read,
    description: read,
    imageUri: read,
    attributes: read,
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
  PendingIcmMessage: { ...message, ...source },
  DeliveredIcmMessage: { ...message, ...source, ...destination },
  UnindexedIcmMessage: { ...message, ...destination },
  PendingTeleporterMessage: { ...formerly, ...source },
  DeliveredTeleporterMessage: { ...formerly, ...source, ...destination },
  UnindexedTeleporterMessage: { ...formerly, ...destination },
};

test.each(Object.entries(table))(
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
