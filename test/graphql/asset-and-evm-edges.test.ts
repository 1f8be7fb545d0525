import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { examples } from '../../sample/examples.js';
import { blockchainIds, chainName, nativeAssetIds } from '../../src/avalanche/networks.js';
import type { IcmMessageLine } from '../../src/resources/icm-message/import-row.js';
import { createApp, type TestApp } from '../harness/app.js';
import { ask, askTwice } from '../harness/ask.js';
import { utxoRow } from '../harness/ledger-rows.js';
import { chains, readSample } from '../harness/sample.js';
import { importRows } from '../harness/seed.js';
import { walkGraphQL } from '../harness/walk.js';

const sample = readSample();
const messages = sample.rowsOf<IcmMessageLine>('fuji.icm.messages');

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp({}, { sample: true });
});
afterAll(() => gateway?.close());

describe('an asset', () => {
  test('leads to the transaction that made it; null where that is not stored', async () => {
    const asset = (network: string, assetId: string) =>
      `asset(network: ${network}, assetId: "${assetId}") { creatingTransaction { txHash txType blockchainAlias } }`;
    const { assetId, nftAssetId } = examples;
    const ids = [assetId, nftAssetId, nativeAssetIds.fuji];
    const data = await ask(gateway, `{ ${ids.map((id, at) => `a${at}: ${asset('fuji', id)}`).join(' ')} }`);
    const made = (txHash: string) => ({
      creatingTransaction: { txHash, txType: 'CreateAssetTx', blockchainAlias: 'x-chain' },
    });
    expect(data).toEqual({ a0: made(ids[0] ?? ''), a1: made(ids[1] ?? ''), a2: made(ids[2] ?? '') });
    await importRows(gateway.storage, 'mainnet.p-chain.utxos', [utxoRow('output')]);
    expect(await ask(gateway, `{ ${asset('mainnet', nativeAssetIds.mainnet)} }`)).toEqual({
      asset: { creatingTransaction: null },
    });
  });
});

describe('an amount leads to its asset', () => {
  const nodes = `{ nodes { txHash value { assetId name asset { assetId name network } } amountBurned { assetId name asset { assetId name network } }
    emittedUtxos { nodes { asset { assetId name asset { assetId name network } } } } } }`;

  test.each(chains)('of every transaction and output of the %s-chain', async (chain) => {
    interface Amount {
      assetId: string;
      name: string;
      asset: object | null;
    }
    interface Node {
      value: Amount[];
      amountBurned: Amount[];
      emittedUtxos: { nodes: { asset: Amount }[] };
    }
    const list = `transactions(network: fuji, blockchainId: "${chainName(chain)}", first: 30)`;
    const { transactions } = await askTwice<{
      transactions: { nodes: Node[] };
    }>(gateway, `{ ${list} ${nodes} }`);
    const amounts = transactions.nodes.flatMap(({ value, amountBurned, emittedUtxos }) => [
      ...value,
      ...amountBurned,
      ...emittedUtxos.nodes.map(({ asset }) => asset),
    ]);
    expect(amounts.length).toBeGreaterThan(30);
    for (const { assetId, name, asset } of amounts) expect(asset).toEqual({ assetId, name, network: 'fuji' });
  });

  test('as far as it goes: to its holders and back to outputs', async () => {
    const query = `{ utxos(network: fuji, blockchainId: "x-chain", first: 3) { nodes { asset { amount asset {
      holders(first: 1) { nodes { unspent } } utxos(first: 1) { nodes { asset { asset { symbol } } } } } } } } }`;
    const { utxos } = await askTwice<{
      utxos: { nodes: { asset: { asset: object | null } }[] };
    }>(gateway, query);
    expect(utxos.nodes).toHaveLength(3);
    for (const { asset } of utxos.nodes) expect(asset.asset).not.toBeNull();
  });
});

describe('a message', () => {
  test('leads to the messages that its receipts are for', async () => {
    const rows = await walkGraphQL(
      gateway,
      'icmMessages(network: fuji',
      'messageId receipts { receivedMessageNonce relayerRewardAddress message { messageId } }',
      50,
      'forward',
    );
    const found = new Map(rows.map((row) => [row['messageId'], row['receipts']]));
    const sentBack = (of: IcmMessageLine, nonce: string) =>
      messages.find(
        (each) =>
          each.messageNonce === nonce &&
          each.sourceBlockchainId === of.destinationBlockchainId &&
          each.destinationBlockchainId === of.sourceBlockchainId,
      );
    const expected = messages.map((message) =>
      message.receipts.map((receipt) => {
        const of = sentBack(message, receipt.receivedMessageNonce);
        return { ...receipt, message: of ? { messageId: of.messageId } : null };
      }),
    );
    expect(messages.map(({ messageId }) => found.get(messageId))).toEqual(expected);
    const ends = expected.flat().map(({ message }) => message !== null);
    expect([...new Set(ends)].sort()).toEqual([false, true]);
  });

  test('leads from receipt to receipt only as far as the most that messages carry is paid for', async () => {
    const deep = (levels: number): string =>
      levels === 0 ? 'messageId' : `receipts { message { ${deep(levels - 1)} } }`;
    const query = (levels: number) =>
      `{ icmMessage(messageId: "${examples.icmMessageId}") { ${deep(levels)} } }`;
    await ask(gateway, query(4));
    const { errors } = await gateway.graphql(query(6));
    expect(errors?.[0]?.message).toMatch(/cost/);
  });

  test('leads to its sender and its recipient on their chains', async () => {
    const party = '{ address chain { chainId } internalTransactions(first: 1) { nodes { txHash } } }';
    const rows = await walkGraphQL(
      gateway,
      'icmMessages(network: fuji',
      `messageId fromEvmAddress ${party} toEvmAddress ${party}`,
      50,
      'forward',
    );
    const known = sample.rowsOf<{ chainId: string }>('evm.chains').map(({ chainId }) => chainId);
    for (const row of rows) {
      const line = messages.find(({ messageId }) => messageId === row['messageId']);
      for (const [name, address, chainId] of [
        ['fromEvmAddress', line?.from, line?.sourceEvmChainId],
        ['toEvmAddress', line?.to, line?.destinationEvmChainId],
      ] as const) {
        if (known.includes(chainId ?? '')) expect(row[name]).toMatchObject({ address, chain: { chainId } });
        else expect(row[name]).toBeNull();
      }
    }
    expect(rows.some(({ fromEvmAddress }) => fromEvmAddress === null)).toBe(true);
  });
});

describe('an EVM address', () => {
  test('is where an NFT leads to by its owner', async () => {
    const { nftCollection, evmChainId } = examples;
    const rows = await walkGraphQL(
      gateway,
      `nftTokens(chainId: "${evmChainId}", address: "${nftCollection}"`,
      'tokenId owner ownerEvmAddress { address chain { chainId } }',
      100,
      'forward',
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const { owner, ownerEvmAddress } of rows)
      expect(ownerEvmAddress).toEqual(owner && { address: owner, chain: { chainId: evmChainId } });
    const row = { evmChainId: '999999', address: nftCollection, tokenId: '1', owner: examples.evmAddress };
    await importRows(gateway.storage, 'evm.nft-tokens', [row]);
    expect(
      await ask(
        gateway,
        `{ nftToken(chainId: "999999", address: "${nftCollection}", tokenId: "1") { owner ownerEvmAddress { id } } }`,
      ),
    ).toEqual({ nftToken: { owner: examples.evmAddress, ownerEvmAddress: null } });
  });

  test('is where a composite query leads to, on the chain of its first sub-query or on another one', async () => {
    const { evmChainId, firstDate, lastDate, minBalance, l1BlockchainId } = examples;
    const chosen = '{ address chain { blockchainId } }';
    const query = (
      more: string,
    ) => `{ compositeQuery(operator: AND, first: 5, queries: [{ allTimeNativeBalance: {
      id: "a", evmChainId: "${evmChainId}", firstDate: "${firstDate}", lastDate: "${lastDate}", minBalance: "${minBalance}" } }]) {
      nodes ${more} } }`;
    type Matching = Record<'first' | 'other', { address: string; chain: { blockchainId: string } }[]>;
    const { compositeQuery } = await ask<{ compositeQuery: Matching & { nodes: string[]; none: null } }>(
      gateway,
      query(`first: evmAddresses ${chosen} other: evmAddresses(chainId: "${l1BlockchainId}") ${chosen}
        none: evmAddresses(chainId: "999999") ${chosen}`),
    );
    const on = (blockchainId: string) =>
      compositeQuery.nodes.map((address) => ({ address, chain: { blockchainId } }));
    expect(compositeQuery.nodes.length).toBeGreaterThan(1);
    expect(compositeQuery.first).toEqual(on(blockchainIds.fuji.c));
    expect(compositeQuery.other).toEqual(on(l1BlockchainId));
    expect(compositeQuery.none).toBeNull();
    const { errors } = await gateway.graphql(query('evmAddresses(chainId: "x") { address }'));
    expect(errors?.[0]).toMatchObject({ extensions: { code: 'BAD_USER_INPUT' } });
  });
});
