import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { examples } from '../../sample/examples.js';
import { createApp, type TestApp } from '../harness/app.js';
import { countStatements } from '../harness/statements.js';

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp({}, { sample: true });
});
afterAll(() => gateway?.close());

describe('a level of nesting is one statement, whatever the size of the page', () => {
  const list = (type: string, size: number) =>
    `transactions(network: fuji, blockchainId: "p-chain", txType: ${type}, first: ${size})`;
  const composite = (size: number) =>
    `compositeQuery(operator: OR, first: ${size}, queries: [{ latestBalance: { id: "a", evmChainId: "43113", tokenType: NATIVE, minBalance: "0" } }])`;

  test.each<[title: string, levels: number, query: (size: number) => string]>([
    [
      'stakes and what ended them',
      3,
      (size) =>
        `{ ${list('RewardValidatorTx', size)} { nodes { stakingTransaction { rewardTransaction { txHash } } } } }`,
    ],
    [
      'both ends of imports',
      2,
      (size) =>
        `{ transactions(network: fuji, blockchainId: "c-chain", first: ${size}) { nodes { sourceEvmChain { chainId } destinationEvmChain { chainId } } } }`,
    ],
    [
      'chains that were made',
      2,
      (size) => `{ ${list('CreateChainTx', size)} { nodes { blockchainInfo { chain { chainId } } } } }`,
    ],
    [
      'the transactions that made the assets of owners',
      3,
      (size) =>
        `{ utxos(network: fuji, blockchainId: "x-chain", first: ${size}) { nodes { owners { balances(first: 5) { nodes { asset { creatingTransaction { txHash } } } } } } } }`,
    ],
    [
      'the assets of amounts',
      3,
      (size) =>
        `{ transactions(network: fuji, blockchainId: "x-chain", first: ${size}) { nodes { amountBurned { asset { symbol } } value { asset { name } } emittedUtxos { nodes { asset { asset { assetId } } } } } } }`,
    ],
    [
      'the families of vertices',
      4,
      (size) =>
        `{ vertices(network: fuji, first: ${size}) { nodes { parents { nodes { children { nodes { vertexHash } } } } children { nodes { vertexHash } } } } }`,
    ],
    [
      'receipts, their messages and the chains at their ends',
      3,
      (size) =>
        `{ icmMessages(first: ${size}) { nodes { fromEvmAddress { address } toEvmAddress { address } receipts { message { sourceChain { chainId } fromEvmAddress { address } } } } } }`,
    ],
    [
      'the managers of L1s, and who may own what',
      2,
      (size) =>
        `{ ${list('ConvertSubnetToL1Tx', size)} { nodes { rewardOwners { address } subnetOwnershipInfo { owners { address } } l1ValidatorManagerDetails { chain { chainId } contractEvmAddress { chain { chainId } } } } } }`,
    ],
    [
      'owners of NFTs',
      2,
      (size) =>
        `{ nftTokens(chainId: "43113", address: "${examples.nftCollection}", first: ${size}) { nodes { ownerEvmAddress { chain { chainId } } } } }`,
    ],
  ])('%s', async (_title, levels, query) => {
    for (const size of [12, 60]) {
      const { result, statements } = await countStatements(() => gateway.graphql(query(size)));
      expect(result.errors).toBeUndefined();
      expect(statements).toHaveLength(levels);
    }
  });

  test('addresses that a composite query matches', async () => {
    const counts: number[] = [];
    for (const size of [1, 20]) {
      const query = `{ ${composite(size)} { evmAddresses { internalTransactions(first: 1) { nodes { txHash } } } } }`;
      // The results of its sub-queries are cached.
      await gateway.graphql(query);
      const { result, statements } = await countStatements(() => gateway.graphql(query));
      expect(result.errors).toBeUndefined();
      counts.push(statements.length);
    }
    expect(counts[0]).toBe(counts[1]);
  });
});

test('what page tokens belong to is digested only for pages of which one is selected', async () => {
  const query = (selected: string) =>
    `{ transactions(network: fuji, blockchainId: "p-chain", first: 25) { nodes { emittedUtxos(first: 2) { ${selected} } } } }`;
  const digests = async (selected: string) => {
    const { createHash } = crypto;
    let made = 0;
    crypto.createHash = (...kind) => {
      made += 1;
      return createHash(...kind);
    };
    syncBuiltinESMExports();
    try {
      // By the plain executor, because the document is new.
      expect((await gateway.graphql(query(selected))).errors).toBeUndefined();
    } finally {
      crypto.createHash = createHash;
      syncBuiltinESMExports();
    }
    return made;
  };
  const without = await digests('nodes { utxoId }');
  // Pages without rows have none.
  const withTokens = await digests('nodes { utxoId } pageInfo { endCursor }');
  expect(without).toBeLessThan(10);
  expect(withTokens).toBeGreaterThan(without + 10);
});
