import { Avalanche } from '@avalanche-sdk/chainkit';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { examples } from '../sample/examples.js';
import { createApp, type TestApp } from './harness/app.js';
import { serveJsonRpc } from './harness/json-rpc.js';
import { listen } from './harness/listen.js';
import { calledBy, uncalled } from './harness/published-methods.js';
import { realFilling } from './harness/real-data.js';
import { methodsOf, recordClient } from './harness/recorded-client.js';
import type { LoopbackServer } from './harness/loopback.js';
import { ofEachShape, readSample } from './harness/sample.js';
import { hasRealData, readRealData } from './harness/seed.js';

// The client checks every reply against closed schemas and throws on the first deviation, so that a call that
// returns has found nothing wrong.
let gateway: TestApp;
let options: { serverURL: string };
const sample = readSample();
const clients = {
  fuji: new Avalanche({ network: 'fuji', chainId: '43113', enableTelemetry: false }),
  mainnet: new Avalanche({ network: 'mainnet', chainId: '43114', enableTelemetry: false }),
};
const recorded = recordClient(clients.fuji);
const { data, metrics } = recorded.client;

let rpc: LoopbackServer;
beforeAll(async () => {
  // What a token's contract is asked by.
  rpc = await serveJsonRpc({}, 43113);
  gateway = await createApp({ RPC_URLS: JSON.stringify({ 43113: rpc.url }) }, { sample: true });
  options = { serverURL: await listen(gateway.app) };
});
afterAll(async () => {
  await gateway.close();
  await rpc.close();
});

async function collect<Page, Row>(
  pages: Promise<AsyncIterable<{ result: Page }>>,
  rowsOf: (page: Page) => Row[],
): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const { result } of await pages) rows.push(...rowsOf(result));
  return rows;
}

describe('the published client reads, without a validation error,', () => {
  test.each([
    ['p-chain', {}],
    ['p-chain', { includeSpent: true, sortBy: 'amount', sortOrder: 'asc', minUtxoAmount: 1000 }],
    ['x-chain', { includeSpent: true, sortBy: 'timestamp' }],
    ['x-chain', { assetId: examples.assetId }],
    ['c-chain', { includeSpent: true }],
  ] as const)('every page of the UTXOs of the %s, %j', async (blockchainId, filters) => {
    const owners = new Set(sample.allUtxos.flatMap((utxo) => utxo.addresses));
    const addresses = [examples.busyAddress, ...owners].slice(0, 20).join(',');
    const rows = await collect(
      data.primaryNetwork.utxos.listByAddresses(
        { blockchainId, network: 'fuji', addresses, pageSize: 50, ...filters },
        options,
      ),
      (page) => (page as { utxos: unknown[] }).utxos,
    );
    expect(rows.length).toBeGreaterThan(0);
  });

  // The client wants another shape of UTXO in these two; theirs is checked against OpenAPI (docs/contract.md,
  // "Transactions").
  const unreadable = new Set(['CreateAssetTx', 'OperationTx']);

  test.each(['p', 'x'] as const)(
    'transactions of every shape of the sample on the %s-chain',
    async (chain) => {
      for (const { txHash, txType } of ofEachShape(sample.transactionsOf(chain))) {
        if (unreadable.has(txType)) continue;
        const transaction = await data.primaryNetwork.transactions.get(
          { blockchainId: `${chain}-chain`, network: 'fuji', txHash },
          options,
        );
        expect((transaction as { txHash: string }).txHash).toBe(txHash);
      }
    },
  );

  test.skipIf(!hasRealData)(
    'every stored transaction of mainnet, and the UTXOs of its busiest addresses',
    async () => {
      const client = clients.mainnet.data.primaryNetwork;
      const real = await createApp({}, { filling: realFilling });
      onTestFinished(real.close);
      const ofMainnet = { serverURL: await listen(real.app) };
      for (const chain of ['p', 'x'] as const) {
        const rows = await readRealData<{ txHash: string; txType: string }>(
          `mainnet.${chain}-chain.transactions.ndjson.gz`,
        );
        for (const { txHash, txType } of rows) {
          if (unreadable.has(txType)) continue;
          const transaction = await client.transactions.get(
            { blockchainId: `${chain}-chain`, network: 'mainnet', txHash },
            ofMainnet,
          );
          expect((transaction as { txHash: string }).txHash).toBe(txHash);
        }
        const utxos = await readRealData<{ addresses: string[] }>(`mainnet.${chain}-chain.utxos.ndjson.gz`);
        const addresses = [...new Set(utxos.slice(0, 200).flatMap((utxo) => utxo.addresses))]
          .slice(0, 64)
          .join(',');
        const listed = await collect(
          client.utxos.listByAddresses(
            {
              blockchainId: `${chain}-chain`,
              network: 'mainnet',
              addresses,
              pageSize: 100,
              includeSpent: true,
            },
            ofMainnet,
          ),
          (page) => (page as { utxos: unknown[] }).utxos,
        );
        expect(listed.length).toBeGreaterThan(50);
      }
    },
  );

  const { primaryNetwork } = data;
  const [chain, pageSize] = ['p-chain' as const, 37];
  const lists: Record<string, [field: string, () => Promise<AsyncIterable<{ result: unknown }>>]> = {
    'transactions of P': [
      'transactions',
      () => primaryNetwork.transactions.listLatest({ blockchainId: chain, pageSize }, options),
    ],
    'transactions of X': [
      'transactions',
      () => primaryNetwork.transactions.listLatest({ blockchainId: 'x-chain', pageSize }, options),
    ],
    'transactions of C': [
      'transactions',
      () => primaryNetwork.transactions.listLatest({ blockchainId: 'c-chain', pageSize }, options),
    ],
    'transactions of an address': [
      'transactions',
      () =>
        primaryNetwork.transactions.listLatest(
          { blockchainId: chain, addresses: examples.busyAddress, sortOrder: 'asc', pageSize },
          options,
        ),
    ],
    'transactions of active stakes': [
      'transactions',
      () =>
        primaryNetwork.transactions.listActiveStakingTransactions({ blockchainId: chain, pageSize }, options),
    ],
    'transactions of an asset': [
      'transactions',
      () =>
        primaryNetwork.transactions.listAssetTransactions(
          { blockchainId: 'x-chain', assetId: examples.assetId, pageSize },
          options,
        ),
    ],
    'blocks of P': [
      'blocks',
      () => primaryNetwork.blocks.listLatest({ blockchainId: chain, pageSize }, options),
    ],
    'blocks of C': [
      'blocks',
      () => primaryNetwork.blocks.listLatest({ blockchainId: 'c-chain', pageSize }, options),
    ],
    subnets: ['subnets', () => primaryNetwork.listSubnets({}, options)],
    blockchains: ['blockchains', () => primaryNetwork.listBlockchains({}, options)],
    validators: ['validators', () => primaryNetwork.listValidators({ pageSize }, options)],
    'validators with the most capacity': [
      'validators',
      () =>
        primaryNetwork.listValidators(
          { sortBy: 'delegationCapacity', validationStatus: 'active', pageSize: 3 },
          options,
        ),
    ],
    'blocks of a node': [
      'blocks',
      () => {
        const [{ proposerNodeId = '' } = {}] = sample
          .rowsOf<{ proposerNodeId?: string }>('fuji.p-chain.blocks')
          .filter((each) => each.proposerNodeId);
        return primaryNetwork.blocks.listByNodeId(
          { blockchainId: chain, nodeId: proposerNodeId, pageSize: 3 },
          options,
        );
      },
    ],
    delegators: ['delegators', () => primaryNetwork.listDelegators({ pageSize }, options)],
    'L1 validators': [
      'validators',
      () => primaryNetwork.listL1Validators({ includeInactiveL1Validators: true, pageSize }, options),
    ],
  };

  test.each(Object.entries(lists))('every page of the list of %s', async (_name, [field, list]) => {
    const rows = await collect(list(), (page) => (page as Record<string, unknown[]>)[field]!);
    expect(rows.length).toBeGreaterThan(3);
    expect(new Set(rows.map((row) => JSON.stringify(row))).size).toBe(rows.length);
  });

  test('one block, subnet, blockchain, validator, asset and vertex, and the sums of the network', async () => {
    const first = async (name: string) => {
      const [field, list] = lists[name]!;
      const [row] = await collect(
        list(),
        (page) => (page as Record<string, Record<string, string>[]>)[field]!,
      );
      return row!;
    };
    const { blockHash = '' } = await first('blocks of P');
    const block = await primaryNetwork.blocks.get({ blockchainId: chain, blockId: blockHash }, options);
    expect(block.blockHash).toBe(blockHash);
    const { subnetId = '' } = await first('subnets');
    expect((await primaryNetwork.getSubnetById({ subnetId }, options)).subnetId).toBe(subnetId);
    const { blockchainId = '' } = await first('blockchains');
    expect((await primaryNetwork.getBlockchainById({ blockchainId }, options)).blockchainId).toBe(
      blockchainId,
    );
    const { nodeId = '' } = await first('validators');
    const validations = await collect(
      primaryNetwork.getValidatorDetails({ nodeId }, options),
      (page) => page.validators,
    );
    expect(new Set(validations.map((each) => each.nodeId))).toEqual(new Set([nodeId]));
    const asset = await primaryNetwork.getAssetDetails(
      { blockchainId: 'x-chain', assetId: examples.assetId },
      options,
    );
    expect(asset.assetId).toBe(examples.assetId);
    const { validatorDetails } = await primaryNetwork.getNetworkDetails({}, options);
    expect(validatorDetails.validatorCount).toBeGreaterThan(0);
    const [vertex] = sample.rowsOf<{ vertexHash: string; vertexHeight: number }>('fuji.x-chain.vertices');
    const { vertexHash, vertexHeight } = vertex!;
    const found = await primaryNetwork.vertices.getByHash({ blockchainId: 'x-chain', vertexHash }, options);
    expect(found).toMatchObject({ vertexHash, vertexHeight });
    const ofHeight = await collect(
      primaryNetwork.vertices.listByHeight({ blockchainId: 'x-chain', vertexHeight }, options),
      (page) => page.vertices,
    );
    expect(ofHeight).toContainEqual(found);
  });

  test('every vertex', async () => {
    const rows = await collect(
      data.primaryNetwork.vertices.listLatest(
        { blockchainId: 'x-chain', network: 'fuji', pageSize: 100 },
        options,
      ),
      (page) => page.vertices,
    );
    expect(rows.length).toBe(sample.rowsOf('fuji.x-chain.vertices').length);
  });

  test.each(['43113', 'yH8D7ThNJkxmtkuv2jgBa4P1Rn3Qpr4pPr7QYNfcdoS6k6HWp'])(
    'the internal transactions of an address, by chain %s',
    async (chainId) => {
      const rows = await collect(
        data.evm.address.transactions.listInternal(
          { chainId, address: examples.evmAddress, pageSize: 100 },
          options,
        ),
        (page) => page.transactions,
      );
      expect(rows.length).toBeGreaterThan(100);
    },
  );

  test('ICM messages by each filter, and each of them by its id', async () => {
    const messages = sample.rowsOf<Message>('fuji.icm.messages');
    // The client takes the price for a number, the published API for a text, which is what is sent
    // (docs/contract.md, "ICM messages").
    const priced = new Set(messages.filter((each) => each.rewardDetails.price).map((each) => each.messageId));
    const [one] = messages.filter((each) => !priced.has(each.messageId)).reverse() as [Message];
    const filters = [
      { sourceBlockchainId: one.sourceBlockchainId },
      { destinationBlockchainId: one.destinationEvmChainId },
      { blockchainId: one.sourceBlockchainId },
      { from: one.from },
      { to: one.to },
    ];
    for (const filter of filters) {
      const page = await data.icm.list({ network: 'fuji', pageSize: 20, ...filter }, options);
      for await (const { result } of page) {
        expect(result.messages.length).toBeGreaterThan(0);
        break;
      }
    }
    const own = messages.filter(({ from }) => from === one.from);
    if (own.every(({ messageId }) => !priced.has(messageId)))
      expect(
        await collect(
          data.icm.list({ network: 'fuji', from: one.from, pageSize: 1 }, options),
          (page) => page.messages,
        ),
      ).toHaveLength(own.length);
    for (const { messageId } of messages.filter((each) => !priced.has(each.messageId))) {
      expect((await data.icm.get({ messageId }, options)).messageId).toBe(messageId);
    }
    expect(priced.size).toBeLessThan(5);
  });

  test('the chains, health and metrics', async () => {
    const { chains } = await data.evm.chains.list({}, options);
    for (const { chainId } of chains)
      expect((await data.evm.chains.get({ chainId }, options)).chainId).toBe(chainId);
    for (const service of [data, metrics])
      for (const name of ['healthCheck', 'liveCheck'] as const)
        expect((await service[name](options)).status).toBe('ok');
    const [token] = sample.rowsOf<{ evmChainId: string; address: string; tokenId: string }>('evm.nft-tokens');
    await data.nfts.reindex(
      { chainId: token!.evmChainId, address: token!.address, tokenId: token!.tokenId },
      options,
    );
    const { networks, l1Validators } = metrics;
    const { subnetId } = examples;
    const [validator] = (
      await collect(primaryNetwork.listL1Validators({ pageSize: 1 }, options), (page) => page.validators)
    ).slice(0, 1);
    const { nodeId, validationId: l1ValidationId } = validator!;
    const replies = await Promise.all([
      ...(
        ['perSubnetDailyFeesPaid', 'perSubnetCumulativeFeesPaid', 'perSubnetPayingValidators'] as const
      ).map((metric) => l1Validators.getMetricsBySubnetId({ metric, subnetId }, options)),
      ...(['totalValidatorFeesDaily', 'totalCumulativeFeesDaily', 'totalPayingValidatorsDaily'] as const).map(
        (metric) => l1Validators.listMetrics({ metric }, options),
      ),
      ...(['perNodeDailyFeesPaid', 'perNodeCumulativeFeesPaid'] as const).map((metric) =>
        l1Validators.getMetricsByNodeId({ metric, nodeId }, options),
      ),
      ...(['validationFeesDaily', 'validationCumulativeFeesDaily'] as const).map((metric) =>
        l1Validators.getMetricsByValidationId({ metric, l1ValidationId }, options),
      ),
    ]);
    for (const { results } of replies) expect(results.length).toBeGreaterThan(0);
    for (const metric of [
      'validatorCount',
      'validatorWeight',
      'delegatorCount',
      'delegatorWeight',
    ] as const) {
      const points = await collect(
        networks.getStakingMetrics({ metric, pageSize: 100 }, options),
        (page) => page.results,
      );
      expect(points.length).toBeGreaterThan(100);
    }
  });
});

test('every method of the client is called by a test, with all pages, or is one that is not answered', () => {
  const all = [...methodsOf(clients.fuji.data, 'data'), ...methodsOf(clients.fuji.metrics, 'metrics')];
  expect([...Object.values(calledBy).flat(), ...uncalled].sort()).toEqual(all.sort());
  expect([...recorded.called].filter((name) => name.includes('.')).sort()).toEqual(
    calledBy['published-client.test.ts'],
  );
  expect(recorded.unended()).toEqual([]);
});

interface Message {
  messageId: string;
  sourceBlockchainId: string;
  destinationEvmChainId: string;
  from: string;
  to: string;
  rewardDetails: { price?: unknown };
}
