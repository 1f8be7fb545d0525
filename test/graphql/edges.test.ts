import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { examples } from '../../sample/examples.js';
import { blockchainIds, chainName, nativeAssetIds } from '../../src/avalanche/networks.js';
import type { IcmMessageLine } from '../../src/resources/icm-message/import-row.js';
import { createApp, type TestApp } from '../harness/app.js';
import { idOf, transactionRow, utxoRow } from '../harness/ledger-rows.js';
import { chains, readSample } from '../harness/sample.js';
import { importRows } from '../harness/seed.js';
import { countStatements } from '../harness/statements.js';
import { walkGraphQL } from '../harness/walk.js';

const sample = readSample();
const messages = sample.rowsOf<IcmMessageLine>('fuji.icm.messages');

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp({}, { sample: true });
});
afterAll(() => gateway?.close());

const transaction = (hash: string, chain = 'p-chain') =>
  `transaction(network: fuji, blockchainId: "${chain}", txHash: "${hash}")`;

async function ask<Data>(query: string): Promise<Data> {
  const { data, errors } = await gateway.graphql<Data>(query);
  expect(errors).toBeUndefined();
  return data;
}

const byHash = (a: Record<string, unknown>, b: Record<string, unknown>) =>
  String(a['txHash']) < String(b['txHash']) ? -1 : 1;

/** The same twice: a document that was seen before may be answered in another way. */
async function askTwice(query: string): Promise<unknown> {
  const first = await ask(query);
  expect(await ask(query)).toEqual(first);
  return first;
}

describe('where a node belongs', () => {
  const place = 'network blockchainId blockchainAlias';

  test.each(chains)(
    'is told by the transactions of the %s-chain and by the outputs that they made',
    async (chain) => {
      const alias = chainName(chain);
      const own = { network: 'fuji', blockchainId: blockchainIds.fuji[chain], blockchainAlias: alias };
      const query = `{ transactions(network: testnet, blockchainId: "${alias}", txType: ExportTx, first: 5) {
      nodes { ${place} emittedUtxos { nodes { ${place} } } } } }`;
      const { transactions } = (await askTwice(query)) as {
        transactions: { nodes: { emittedUtxos: { nodes: object[] } }[] };
      };
      expect(transactions.nodes).toHaveLength(5);
      for (const { emittedUtxos, ...node } of transactions.nodes) {
        expect(node).toEqual(own);
        // Exported ones are for another chain, and were made on this one.
        expect(emittedUtxos.nodes.length).toBeGreaterThan(0);
        for (const utxo of emittedUtxos.nodes) expect(utxo).toEqual(own);
      }
    },
  );

  test('is told by vertices and messages', async () => {
    const { vertexHash } = examples.xChain;
    expect(await askTwice(`{ vertex(network: fuji, vertexHash: "${vertexHash}") { ${place} } }`)).toEqual({
      vertex: { network: 'fuji', blockchainId: blockchainIds.fuji.x, blockchainAlias: 'x-chain' },
    });
    expect(await ask(`{ icmMessage(messageId: "${examples.icmMessageId}") { network } }`)).toEqual({
      icmMessage: { network: 'fuji' },
    });
  });
});

describe('an output', () => {
  test('is found by its id, spent or not; null where it is not held', async () => {
    for (const utxoId of [examples.stakedUtxoId, examples.rewardUtxoId])
      expect(await askTwice(`{ utxo(network: fuji, utxoId: "${utxoId}") { utxoId } }`)).toEqual({
        utxo: { utxoId },
      });
    expect(
      await askTwice(`{ utxo(network: mainnet, utxoId: "${examples.stakedUtxoId}") { utxoId } }`),
    ).toEqual({ utxo: null });
  });

  test('is refused by what is no id', async () => {
    const { errors } = await gateway.graphql('{ utxo(network: fuji, utxoId: "x") { utxoId } }');
    expect(errors?.[0]).toMatchObject({ extensions: { code: 'BAD_USER_INPUT' } });
    expect(errors?.[0]?.message).toMatch(/^utxoId: /);
  });
});

describe('a transaction', () => {
  test('leads to the one whose stake it ended, and back, as every row of the sample says', async () => {
    const rows = await walkGraphQL(
      gateway,
      'transactions(network: fuji, blockchainId: "p-chain"',
      'txHash stakingTransaction { txHash } rewardTransaction { txHash }',
      100,
      'forward',
    );
    const named = (txHash: string | null | undefined) => (txHash ? { txHash } : null);
    const expected = sample.transactionsOf('p').map(({ txHash, stakingTxHash, rewardTxHash }) => ({
      ...{ txHash, stakingTransaction: named(stakingTxHash), rewardTransaction: named(rewardTxHash) },
    }));
    expect(rows.sort(byHash)).toEqual(expected.sort(byHash));
    expect(rows.some(({ stakingTransaction }) => stakingTransaction !== null)).toBe(true);
    expect(rows.some(({ rewardTransaction }) => rewardTransaction !== null)).toBe(true);
  });

  test('leads there and back in the one statement of a document that was seen before', async () => {
    const { rewardTxHash } = examples.pChain;
    const query = `{ ${transaction(rewardTxHash)} { stakingTransaction { rewardTransaction { txHash rewardTransaction { txHash } } } } }`;
    expect(await askTwice(query)).toEqual({
      transaction: {
        stakingTransaction: { rewardTransaction: { txHash: rewardTxHash, rewardTransaction: null } },
      },
    });
    const { statements } = await countStatements(() => gateway.graphql(query));
    expect(statements).toHaveLength(1);
  });

  test('leads nowhere where the other one is not held', async () => {
    const row = transactionRow('lonely reward', { txType: 'RewardValidatorTx', stakingTxHash: idOf('lost') });
    await importRows(gateway.storage, 'mainnet.p-chain.transactions', [row]);
    const query = `{ transaction(network: mainnet, blockchainId: "p-chain", txHash: "${row.txHash}") {
      stakingTxHash stakingTransaction { txHash } } }`;
    expect(await askTwice(query)).toEqual({
      transaction: { stakingTxHash: idOf('lost'), stakingTransaction: null },
    });
  });

  test.each(chains)(
    'of the %s-chain leads to the EVM chains that it takes from and goes to',
    async (chain) => {
      const list = `transactions(network: fuji, blockchainId: "${chainName(chain)}"`;
      const selection = 'txHash sourceEvmChain { chainId } destinationEvmChain { chainId }';
      const rows = await walkGraphQL(gateway, list, selection, 100, 'forward');
      const evm = (id: string | null | undefined) =>
        id === blockchainIds.fuji.c ? { chainId: '43113' } : null;
      const expected = sample.transactionsOf(chain).map(({ txHash, sourceChain, destinationChain }) => ({
        ...{ txHash, sourceEvmChain: evm(sourceChain), destinationEvmChain: evm(destinationChain) },
      }));
      expect(rows.sort(byHash)).toEqual(expected.sort(byHash));
      expect(rows.some(({ sourceEvmChain }) => sourceEvmChain !== null)).toBe(true);
      expect(rows.some(({ destinationEvmChain }) => destinationEvmChain !== null)).toBe(true);
    },
  );

  test('leads to the chain that it made', async () => {
    const hash = examples.pChain.createChainTxHash;
    const made = 'blockchainInfo { chain { chainName blockchainId } }';
    const query = `{ ${transaction(hash)} { ${made} }
      none: ${transaction(examples.pChain.exportTxHash)} { ${made} }
      transactions(network: fuji, blockchainId: "p-chain", txType: CreateChainTx) { nodes { txHash ${made} } } }`;
    type Made = { blockchainInfo: { chain: { chainName: string; blockchainId: string } | null } };
    const data = (await askTwice(query)) as {
      transaction: Made;
      none: object;
      transactions: { nodes: (Made & { txHash: string })[] };
    };
    expect(data.transaction.blockchainInfo.chain?.blockchainId).toBe(hash);
    expect(data.none).toEqual({ blockchainInfo: null });
    const [evm, others] = [true, false].map((isEvm) =>
      data.transactions.nodes.filter(({ blockchainInfo }) => (blockchainInfo.chain !== null) === isEvm),
    );
    expect(others).toHaveLength(1);
    for (const { txHash, blockchainInfo } of evm ?? [])
      expect(blockchainInfo.chain?.blockchainId).toBe(txHash);
  });
});

describe('an asset', () => {
  test('leads to the transaction that made it; null where that is not held', async () => {
    const asset = (network: string, assetId: string) =>
      `asset(network: ${network}, assetId: "${assetId}") { creatingTransaction { txHash txType blockchainAlias } }`;
    const { assetId, nftAssetId } = examples;
    const ids = [assetId, nftAssetId, nativeAssetIds.fuji];
    const data = await ask(`{ ${ids.map((id, at) => `a${at}: ${asset('fuji', id)}`).join(' ')} }`);
    const made = (txHash: string) => ({
      creatingTransaction: { txHash, txType: 'CreateAssetTx', blockchainAlias: 'x-chain' },
    });
    expect(data).toEqual({ a0: made(ids[0] ?? ''), a1: made(ids[1] ?? ''), a2: made(ids[2] ?? '') });
    await importRows(gateway.storage, 'mainnet.p-chain.utxos', [utxoRow('output')]);
    expect(await ask(`{ ${asset('mainnet', nativeAssetIds.mainnet)} }`)).toEqual({
      asset: { creatingTransaction: null },
    });
  });
});

describe('a vertex', () => {
  test('leads to its parents and its children, as every row of the sample says', async () => {
    type Vertex = { vertexHash: string; parentHashes: string[] };
    const held = sample.rowsOf<Vertex>('fuji.x-chain.vertices');
    const family =
      'vertexHash parents { nodes { vertexHash } } children(first: 20) { nodes { vertexHash } pageInfo { hasNextPage } }';
    const rows = await walkGraphQL(gateway, 'vertices(network: fuji', family, 25, 'forward');
    expect(rows).toHaveLength(held.length);
    type Found = { vertexHash: string; parents: { nodes: Vertex[] }; children: { nodes: Vertex[] } };
    const childrenOf = (hash: string) =>
      held.filter(({ parentHashes }) => parentHashes.includes(hash)).map(({ vertexHash }) => vertexHash);
    for (const { vertexHash, parents, children } of rows as Found[]) {
      const own = held.find((each) => each.vertexHash === vertexHash);
      expect(parents.nodes.map((each) => each.vertexHash)).toEqual(own?.parentHashes);
      expect(children.nodes.map((each) => each.vertexHash).sort()).toEqual(childrenOf(vertexHash).sort());
    }
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
    await ask(query(4));
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
    const { transactions } = (await askTwice(`{ ${list} ${nodes} }`)) as { transactions: { nodes: Node[] } };
    const amounts = transactions.nodes.flatMap(({ value, amountBurned, emittedUtxos }) => [
      ...[...value, ...amountBurned],
      ...emittedUtxos.nodes.map(({ asset }) => asset),
    ]);
    expect(amounts.length).toBeGreaterThan(30);
    for (const { assetId, name, asset } of amounts) expect(asset).toEqual({ assetId, name, network: 'fuji' });
  });

  test('as far as it goes: to its holders and back to outputs', async () => {
    const query = `{ utxos(network: fuji, blockchainId: "x-chain", first: 3) { nodes { asset { amount asset {
      holders(first: 1) { nodes { unspent } } utxos(first: 1) { nodes { asset { asset { symbol } } } } } } } } }`;
    const { utxos } = (await askTwice(query)) as { utxos: { nodes: { asset: { asset: object | null } }[] } };
    expect(utxos.nodes).toHaveLength(3);
    for (const { asset } of utxos.nodes) expect(asset.asset).not.toBeNull();
  });
});
