import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { examples } from '../../sample/examples.js';
import { blockchainIds, chainName } from '../../src/avalanche/networks.js';
import { createApp, type TestApp } from '../harness/app.js';
import { ask, askTwice } from '../harness/ask.js';
import { idOf, transactionRow } from '../harness/ledger-rows.js';
import { chains, readSample } from '../harness/sample.js';
import { importRows } from '../harness/seed.js';
import { countStatements } from '../harness/statements.js';
import { walkGraphQL } from '../harness/walk.js';

const sample = readSample();

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp({}, { sample: true });
});
afterAll(() => gateway?.close());

const transaction = (hash: string, chain = 'p-chain') =>
  `transaction(network: fuji, blockchainId: "${chain}", txHash: "${hash}")`;

const byHash = (a: Record<string, unknown>, b: Record<string, unknown>) =>
  String(a['txHash']) < String(b['txHash']) ? -1 : 1;

describe('where a node belongs', () => {
  const where = 'network blockchainId blockchainAlias';

  test.each(chains)(
    'is shown by the transactions of the %s-chain and by the outputs that they made',
    async (chain) => {
      const alias = chainName(chain);
      const own = { network: 'fuji', blockchainId: blockchainIds.fuji[chain], blockchainAlias: alias };
      const query = `{ transactions(network: testnet, blockchainId: "${alias}", txType: ExportTx, first: 5) {
      nodes { ${where} emittedUtxos { nodes { ${where} } } } } }`;
      const { transactions } = await askTwice<{
        transactions: { nodes: { emittedUtxos: { nodes: object[] } }[] };
      }>(gateway, query);
      expect(transactions.nodes).toHaveLength(5);
      for (const { emittedUtxos, ...node } of transactions.nodes) {
        expect(node).toEqual(own);
        // Exported ones are for another chain, and were made on this one.
        expect(emittedUtxos.nodes.length).toBeGreaterThan(0);
        for (const utxo of emittedUtxos.nodes) expect(utxo).toEqual(own);
      }
    },
  );

  test('is shown by vertices and messages', async () => {
    const { vertexHash } = examples.xChain;
    expect(
      await askTwice(gateway, `{ vertex(network: fuji, vertexHash: "${vertexHash}") { ${where} } }`),
    ).toEqual({
      vertex: { network: 'fuji', blockchainId: blockchainIds.fuji.x, blockchainAlias: 'x-chain' },
    });
    expect(await ask(gateway, `{ icmMessage(messageId: "${examples.icmMessageId}") { network } }`)).toEqual({
      icmMessage: { network: 'fuji' },
    });
  });
});

describe('an output', () => {
  test('is found by its id, spent or not; null where it is not stored', async () => {
    for (const utxoId of [examples.stakedUtxoId, examples.rewardUtxoId])
      expect(await askTwice(gateway, `{ utxo(network: fuji, utxoId: "${utxoId}") { utxoId } }`)).toEqual({
        utxo: { utxoId },
      });
    expect(
      await askTwice(gateway, `{ utxo(network: mainnet, utxoId: "${examples.stakedUtxoId}") { utxoId } }`),
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
      txHash,
      stakingTransaction: named(stakingTxHash),
      rewardTransaction: named(rewardTxHash),
    }));
    expect(rows.sort(byHash)).toEqual(expected.sort(byHash));
    expect(rows.some(({ stakingTransaction }) => stakingTransaction !== null)).toBe(true);
    expect(rows.some(({ rewardTransaction }) => rewardTransaction !== null)).toBe(true);
  });

  test('leads there and back in the one statement of a document that was seen before', async () => {
    const { rewardTxHash } = examples.pChain;
    const query = `{ ${transaction(rewardTxHash)} { stakingTransaction { rewardTransaction { txHash rewardTransaction { txHash } } } } }`;
    expect(await askTwice(gateway, query)).toEqual({
      transaction: {
        stakingTransaction: { rewardTransaction: { txHash: rewardTxHash, rewardTransaction: null } },
      },
    });
    const { statements } = await countStatements(() => gateway.graphql(query));
    expect(statements).toHaveLength(1);
  });

  test('leads nowhere where the other one is not stored', async () => {
    const row = transactionRow('lonely reward', { txType: 'RewardValidatorTx', stakingTxHash: idOf('lost') });
    await importRows(gateway.storage, 'mainnet.p-chain.transactions', [row]);
    const query = `{ transaction(network: mainnet, blockchainId: "p-chain", txHash: "${row.txHash}") {
      stakingTxHash stakingTransaction { txHash } } }`;
    expect(await askTwice(gateway, query)).toEqual({
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
        txHash,
        sourceEvmChain: evm(sourceChain),
        destinationEvmChain: evm(destinationChain),
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
    const data = await askTwice<{
      transaction: Made;
      none: object;
      transactions: { nodes: (Made & { txHash: string })[] };
    }>(gateway, query);
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
