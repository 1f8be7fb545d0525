import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { account } from '../../sample/evm-parties.js';
import { examples } from '../../sample/examples.js';
import { adoptIdentities } from '../../src/avalanche/identity.js';
import { compositeBodyExample } from '../../src/resources/composite-query/request-body.js';
import { createApp, type TestApp } from '../harness/app.js';
import { networkFilling } from '../harness/followed.js';
import { listen } from '../harness/listen.js';
import { methodsOf } from '../harness/recorded-client.js';
import { hasRecordedNode } from '../harness/recorded-node.js';
import { cacheOf } from './harness/client.js';
import { run } from './harness/command.js';

/*
 * The older published client. Its licence allows its use with one platform alone, so that it is no dependency
 * of this package: it is downloaded here as generators of clients are. Its schemas are closed, so that a call
 * that returns has found nothing wrong.
 */

const PACKAGES = ['@avalabs/avacloud-sdk@0.13.0', 'zod@3.25.76'];

type Method = (request: object, options?: object) => Promise<unknown>;
interface Sdk {
  readonly [name: string]: Sdk & Method;
}

let makeSdk: (options: object) => Sdk;
beforeAll(async () => {
  const cache = cacheOf('avacloud-sdk-0.13.0');
  const npm = `npm install --silent --prefer-offline --no-audit --no-fund --prefix "${cache}" ${PACKAGES.join(' ')}`;
  await run(npm, { cwd: tmpdir(), env: process.env });
  const { AvaCloudSDK } = createRequire(join(cache, 'package.json'))('@avalabs/avacloud-sdk') as {
    AvaCloudSDK: new (options: object) => Sdk;
  };
  makeSdk = (options) => new AvaCloudSDK(options);
});

type Row = Record<string, string>;
type Call = readonly [method: string, request: object];

const network = 'fuji';
const [P, X, C] = ['p-chain', 'x-chain', 'c-chain'].map((blockchainId) => ({ blockchainId, network })) as [
  object,
  object,
  object,
];
const pageSize = 40;

/** Every method of the client that Moraine answers for the primary network, with what it is asked. */
async function primaryCalls(gateway: TestApp): Promise<Call[]> {
  const first = async (path: string, field: string): Promise<Row | undefined> =>
    ((await gateway.get(path)).body as Record<string, Row[]>)[field]?.[0];
  const of = `/v1/networks/${network}`;
  const block = await first(`${of}/blockchains/p-chain/blocks`, 'blocks');
  const transaction = await first(`${of}/blockchains/x-chain/transactions?txTypes=BaseTx`, 'transactions');
  const subnet = await first(`${of}/subnets`, 'subnets');
  const chain = await first(`${of}/blockchains`, 'blockchains');
  const validator = await first(`${of}/validators`, 'validators');
  const l1 = await first(`${of}/l1Validators`, 'validators');
  const vertex = await first(`${of}/blockchains/x-chain/vertices`, 'vertices');
  const staker = await first(`${of}/delegators`, 'delegators');
  const [addresses = ''] = (staker?.['rewardAddresses'] ?? []) as unknown as string[];
  const assetId = ((transaction?.['emittedUtxos'] ?? []) as unknown as { asset: Row }[])[0]?.asset['assetId'];
  const all: [string, object | null][] = [
    ['getNetworkDetails', { network }],
    ['listBlockchains', { network, pageSize }],
    ['getBlockchainById', chain ? { network, blockchainId: chain['blockchainId'] } : null],
    ['listSubnets', { network, pageSize }],
    ['getSubnetById', subnet ? { network, subnetId: subnet['subnetId'] } : null],
    ['listValidators', { network, pageSize }],
    ['listValidators', { network, pageSize: 3, sortBy: 'delegationCapacity', validationStatus: 'active' }],
    ['getValidatorDetails', { network, nodeId: validator?.['nodeId'], pageSize }],
    ['listDelegators', { network, pageSize }],
    ['listL1Validators', { network, pageSize, includeInactiveL1Validators: true }],
    ['getAssetDetails', { ...X, assetId }],
    ['balances.listByAddresses', { ...P, addresses }],
    ['balances.listByAddresses', { ...X, addresses }],
    ['balances.listByAddresses', { ...C, addresses }],
    ['utxos.listByAddresses', { ...P, addresses, pageSize, includeSpent: true }],
    ['utxos.listByAddresses', { ...X, addresses, pageSize, includeSpent: true }],
    ['utxos.listByAddresses', { ...C, addresses, pageSize, includeSpent: true }],
    ['blocks.listLatest', { ...P, pageSize }],
    ['blocks.listLatest', { ...X, pageSize }],
    ['blocks.listLatest', { ...C, pageSize }],
    ['blocks.get', { ...P, blockId: block?.['blockHash'] }],
    ['rewards.listHistoricalRewards', { network, addresses, pageSize }],
    ['rewards.listPendingRewards', { network, addresses, pageSize }],
    ['transactions.listLatest', { ...P, pageSize }],
    ['transactions.listLatest', { ...X, pageSize }],
    ['transactions.listLatest', { ...C, pageSize }],
    ['transactions.listActiveStakingTransactions', { ...P, pageSize }],
    ['transactions.listAssetTransactions', { ...X, assetId, pageSize }],
    ['transactions.get', { ...X, txHash: transaction?.['txHash'] }],
    ['vertices.listLatest', { ...X, pageSize }],
    ['vertices.getByHash', vertex ? { ...X, vertexHash: vertex['vertexHash'] } : null],
    ['vertices.listByHeight', vertex ? { ...X, vertexHeight: vertex['vertexHeight'] } : null],
  ];
  const metrics: [string, object | null][] = [
    ...['validatorCount', 'validatorWeight', 'delegatorCount', 'delegatorWeight'].map(
      (metric): [string, object] => ['networks.getStakingMetrics', { network, metric, pageSize }],
    ),
    ['l1Validators.listMetrics', { metric: 'totalValidatorFeesDaily' }],
    ['l1Validators.getMetricsByNodeId', l1 ? { metric: 'perNodeDailyFeesPaid', nodeId: l1['nodeId'] } : null],
    [
      'l1Validators.getMetricsByValidationId',
      l1 ? { metric: 'validationFeesDaily', l1ValidationId: l1['validationId'] } : null,
    ],
    [
      'l1Validators.getMetricsBySubnetId',
      l1 ? { metric: 'perSubnetDailyFeesPaid', subnetId: l1['subnetId'] } : null,
    ],
  ];
  const named = (prefix: string, calls: [string, object | null][]): Call[] =>
    calls.flatMap(([method, request]) => (request ? [[`${prefix}.${method}`, request] as const] : []));
  return [...named('data.primaryNetwork', all), ...named('metrics', metrics)];
}

/** The same of EVM chains, messages and the rest, on the sample. */
const sampleCalls: readonly Call[] = (() => {
  const { evmChainId: chainId, evmAddress: address, icmMessageId: messageId } = examples;
  const chain = { chainId, address, pageSize };
  const collection = { chainId, address: examples.nftCollection };
  return [
    ['data.healthCheck', {}],
    ['metrics.healthCheck', {}],
    [
      'data.primaryNetwork.blocks.listByNodeId',
      { ...P, nodeId: 'NodeID-PKe26QmAWDcqSvvPYFotHKtK9pUAqiAu7', pageSize },
    ],
    ['data.primaryNetwork.getChainIdsForAddresses', { network, addresses: examples.busyAddress }],
    ['data.evm.chains.list', {}],
    ['data.evm.chains.get', { chainId }],
    ['data.evm.chains.getAddressChains', { address }],
    ['data.evm.address.chains.list', { address }],
    ['data.evm.address.balances.getNative', { chainId, address }],
    ['data.evm.address.balances.listErc20', { ...chain, address: account(3).address }],
    ['data.evm.address.balances.listErc721', { ...chain, address: account(3).address }],
    ['data.evm.address.transactions.listInternal', chain],
    ['data.nfts.list', { ...collection, pageSize }],
    ['data.nfts.get', { ...collection, tokenId: examples.nftTokenId }],
    ['data.icm.get', { messageId }],
    ['data.icm.list', { network, pageSize }],
    ['data.icm.listByAddress', { address, network, pageSize }],
    ['data.teleporter.getTeleporterMessage', { messageId }],
    ['data.teleporter.listTeleporterMessages', { network, pageSize }],
    ['data.teleporter.listTeleporterMessagesByAddress', { address, network, pageSize }],
    ['lookingGlass.compositeQuery', compositeBodyExample],
  ];
})();

/** The same on a followed network: of its chain, of a token and its owner, and of who sent a message. */
async function followedCalls(gateway: TestApp): Promise<Call[]> {
  const [chain] = (await gateway.get('/v1/chains')).body.chains as Row[];
  const [sent] = (await gateway.get(`/v1/icm/messages?network=${network}`)).body.messages as Row[];
  const [token] = await gateway.storage.prisma.nftToken.findMany({
    where: { owner: { not: null } },
    take: 1,
  });
  const hexOf = (bytes: Uint8Array) => `0x${Buffer.from(bytes).toString('hex')}`;
  const [chainId, messageId, sender] = [chain!['chainId'], sent!['messageId'], sent!['from']];
  const owner = { chainId, address: hexOf(token!.owner!), pageSize };
  const collection = { chainId, address: hexOf(token!.address) };
  return [
    ['data.evm.chains.list', {}],
    ['data.evm.chains.get', { chainId }],
    ['data.evm.chains.getAddressChains', { address: owner.address }],
    ['data.evm.address.chains.list', { address: owner.address }],
    ['data.evm.address.balances.getNative', { chainId, address: owner.address }],
    ['data.evm.address.balances.listErc20', owner],
    ['data.evm.address.balances.listErc721', owner],
    ['data.evm.address.transactions.listInternal', owner],
    ['data.nfts.list', { ...collection, pageSize }],
    ['data.nfts.get', { ...collection, tokenId: token!.tokenId.toFixed() }],
    ['data.icm.get', { messageId }],
    ['data.icm.list', { network, pageSize }],
    ['data.icm.listByAddress', { address: sender, network, pageSize }],
    ['data.teleporter.getTeleporterMessage', { messageId }],
    ['data.teleporter.listTeleporterMessages', { network, pageSize }],
    ['data.teleporter.listTeleporterMessagesByAddress', { address: sender, network, pageSize }],
  ];
}

/** Methods of which this test calls none, and why. */
const uncalled = {
  // Those that test/published-client.test.ts names too (docs/contract.md, "What is not there").
  withoutData: [
    'data.evm.address.balances.listCollectibles',
    'data.evm.address.balances.listErc1155',
    'data.evm.address.contracts.listDeployments',
    'data.evm.address.transactions.list',
    'data.evm.address.transactions.listErc1155',
    'data.evm.address.transactions.listErc20',
    'data.evm.address.transactions.listErc721',
    'data.evm.address.transactions.listNative',
    'data.evm.blocks.get',
    'data.evm.blocks.listLatest',
    'data.evm.blocks.listLatestAllChains',
    'data.evm.blocks.listTransactions',
    'data.evm.chains.listAllLatestBlocks',
    'data.evm.chains.listAllLatestTransactions',
    'data.evm.contracts.getDeploymentTransaction',
    'data.evm.contracts.getMetadata',
    'data.evm.contracts.listTransfers',
    'data.evm.transactions.get',
    'data.evm.transactions.listLatest',
    'data.evm.transactions.listLatestAllChains',
    'data.operations.exportTransactions',
    'data.operations.getResult',
    'data.signatureAggregator.aggregate',
    'data.signatureAggregator.get',
    'data.usageMetrics.getLogs',
    'data.usageMetrics.getRpcUsageMetrics',
    'data.usageMetrics.getSubnetRpcUsage',
    'data.usageMetrics.getUsage',
    'metrics.chains.get',
    'metrics.chains.getMetrics',
    'metrics.chains.getRollingWindowMetrics',
    'metrics.chains.getTeleporterMetrics',
    'metrics.chains.list',
    'metrics.chains.listBTCbBridgersAboveThreshold',
    'metrics.chains.listNftHolders',
    'metrics.chains.listTokenHoldersAboveThreshold',
    'metrics.subnets.getValidators',
  ],
  // It asks a node.
  ofNodes: ['data.nfts.reindex'],
};

/** A gateway that the client reads. */
interface Reads {
  readonly sdk: Sdk;
  readonly options: { readonly serverURL: string };
}

/** Calls a method, and walks all of its pages. @returns the number of rows, 1 for one object */
async function read({ sdk, options }: Reads, [method, request]: Call): Promise<number> {
  const names = method.split('.');
  const last = names.pop()!;
  const owner = names.reduce((of, name) => of[name]!, sdk);
  // A health check has no parameters.
  const given = last === 'healthCheck' ? options : request;
  const result = (await owner[last]!(given, options)) as object;
  if (!(Symbol.asyncIterator in result)) return 1;
  let rows = 0;
  for await (const { result: page } of result as AsyncIterable<{ result: object }>)
    rows += Object.values(page).find((each): each is unknown[] => Array.isArray(each))?.length ?? 0;
  return rows;
}

async function readsOf({ app }: TestApp): Promise<Reads> {
  const serverURL = await listen(app);
  const sdk = makeSdk({ serverURL, network, chainId: '43113', retryConfig: { strategy: 'none' } });
  return { sdk, options: { serverURL } };
}

/** What a schema says of a reply; of alternatives what each says. */
interface Issue {
  readonly path: readonly (string | number)[];
  readonly message: string;
  readonly unionErrors?: readonly { readonly issues: Issue[] }[];
}
const issuesOf = (issues: readonly Issue[]): string[] =>
  issues.flatMap(({ path, message, unionErrors }) =>
    unionErrors
      ? unionErrors.flatMap((each) => issuesOf(each.issues))
      : [`${path.filter((name) => typeof name === 'string').join('.')}: ${message}`],
  );

/** What every call says that its schemas refuse, by method; nothing where there is nothing. */
async function refusals(reads: Reads, calls: readonly Call[]): Promise<Record<string, string>> {
  const refused: Record<string, string> = {};
  for (const call of calls)
    await read(reads, call).catch((error: Error) => {
      const { issues = [] } = (error.cause ?? {}) as { issues?: Issue[] };
      refused[call[0]] = issuesOf(issues).slice(0, 3).join('; ') || error.message;
    });
  return refused;
}

/** What the older client refuses although the publication or the chain has it: README says so. */
const known = [
  /blockchains\.evmChainId: Required/,
  /blockchainInfo\.genesisData: Expected object, received string/,
  /rewardDetails\.price\.value: Expected number, received string/,
];
const unexpected = (refused: Record<string, string>) =>
  Object.entries(refused).filter(([, why]) => !known.some((each) => each.test(why)));

test('the older client reads every page of the sample', async () => {
  const gateway = await createApp({}, { sample: true });
  try {
    const reads = await readsOf(gateway);
    const calls = [...(await primaryCalls(gateway)), ...sampleCalls];
    const refused = await refusals(reads, calls);
    expect(unexpected(refused)).toEqual([]);
    expect(Object.keys(refused).sort()).toEqual([
      'data.icm.list',
      'data.primaryNetwork.listBlockchains',
      'data.primaryNetwork.listSubnets',
      'data.primaryNetwork.transactions.listLatest',
      'data.teleporter.listTeleporterMessages',
    ]);
    // One address need not have something on each chain, but each method finds something.
    const found = new Map<string, number>();
    for (const call of calls.filter(([method]) => !(method in refused)))
      found.set(call[0], (found.get(call[0]) ?? 0) + (await read(reads, call)));
    expect([...found].filter(([, rows]) => rows === 0)).toEqual([]);
    const parts = ['data', 'metrics', 'lookingGlass'] as const;
    const methods = parts.flatMap((part) => methodsOf(reads.sdk[part]!, part));
    const called = new Set(calls.map(([method]) => method));
    expect(methods.filter((name) => !called.has(name)).sort()).toEqual(Object.values(uncalled).flat().sort());
  } finally {
    await gateway.close();
  }
});

describe.runIf(hasRecordedNode).each(['network-a', 'network-c'] as const)('followed %s', (followed) => {
  let gateway: TestApp;
  beforeAll(async () => {
    gateway = await createApp({ MAX_COST: '1000000' }, { filling: networkFilling(followed) });
  });
  afterAll(async () => {
    await gateway.close();
    adoptIdentities({});
  });

  test('the older client reads every page', async () => {
    const calls = [...(await primaryCalls(gateway)), ...(await followedCalls(gateway))];
    expect(unexpected(await refusals(await readsOf(gateway), calls))).toEqual([]);
  });
});
