import { Avalanche } from '@avalanche-sdk/chainkit';
import { getAddress } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adoptIdentities } from '../../src/avalanche/identity.js';
import { callsOf } from '../avalanche/codec/recorded.js';
import { createApp, type TestApp } from '../harness/app.js';
import { Compared, membersOf, anything } from '../harness/compared.js';
import { countedTransactions, networkDays } from '../harness/day-model.js';
import { paidDays } from '../harness/fee-model.js';
import { networkFilling } from '../harness/followed.js';
import { listen } from '../harness/listen.js';
import { recordedLogs } from '../harness/log-truth.js';
import { comparedElsewhere, membersOfNetworks } from '../harness/published-members-of-networks.js';
import { calledBy } from '../harness/published-methods.js';
import { PublishedReads } from '../harness/published-reads.js';
import { PublishedStakes } from '../harness/published-stakes.js';
import { TransactionTruth, type ListedRow } from '../harness/published-transactions.js';
import { PublishedTruth, type Row } from '../harness/published-truth.js';
import { recordClient } from '../harness/recorded-client.js';
import { hasRecordedNode, type RecordedNetwork } from '../harness/recorded-node.js';
import { verticesOf } from '../harness/recorded-vertices.js';
import { allPages } from '../harness/rest-pages.js';
import { stakingRecord } from '../harness/staking-replay.js';

/*
 * Every read of the published client that Moraine has for the primary network, on networks that were
 * followed from their genesis: the client's schemas refuse nothing, every page is walked, and each member of
 * each reply is what the recorded node said, what its bytes say, or what other tests compare with these.
 */

type Pages = Promise<AsyncIterable<{ result: unknown }>>;

const networks = ['network-a', 'network-c'] as const;
const chains = ['p', 'x', 'c'] as const;
/** What was compared, and what was called, of both networks. */
const compared = new Compared();
const recorded = recordClient(new Avalanche({ network: 'fuji', enableTelemetry: false }));
const { primaryNetwork } = recorded.client.data;

describe.runIf(hasRecordedNode).each(networks)('%s', (network) => {
  let gateway: TestApp;
  let options: { serverURL: string; retries: { strategy: 'none' } };
  let truth: PublishedTruth;
  let transactions: TransactionTruth;

  beforeAll(async () => {
    gateway = await createApp({ MAX_COST: '1000000' }, { filling: networkFilling(network) });
    options = { serverURL: await listen(gateway.app), retries: { strategy: 'none' } };
    truth = new PublishedTruth(network);
    const lists = chains.map((chain) =>
      allPages<ListedRow>(gateway, `${listOf(chain)}/utxos?includeSpent=true`, 'utxos'),
    );
    const outputs = (await Promise.all(lists)).flat().map((each) => [each.utxoId, each] as const);
    transactions = new TransactionTruth(truth, new Map(outputs));
  });
  afterAll(async () => {
    await gateway.close();
    adoptIdentities({});
  });

  const listOf = (chain: (typeof chains)[number]) => `/v1/networks/fuji/blockchains/${chain}-chain`;

  /** All rows, of which the client reads what its schemas know. */
  async function walk(pages: Pages, path: string, field: string): Promise<Row[]> {
    const rows: Row[] = [];
    for await (const { result } of await pages) rows.push(...(result as Record<string, Row[]>)[field]!);
    const sent = await allPages<Row>(gateway, path, field);
    expect(sent).toMatchObject(rows);
    return sent;
  }

  /** What is sent, of which the client reads what its schemas know. */
  async function read(reply: Promise<unknown>, path: string): Promise<Row> {
    const { body } = await gateway.get(path);
    expect(body).toMatchObject((await reply) as object);
    return body as Row;
  }

  test.each(chains)('every block of %s is as its bytes say it', async (chain) => {
    const blockchainId = `${chain}-chain` as const;
    const path = `${listOf(chain)}/blocks`;
    const list = (more: object) =>
      primaryNetwork.blocks.listLatest({ blockchainId, pageSize: 100, ...more }, options);
    const found = await walk(list({}), path, 'blocks');
    compared.expect('Block', found, truth.blockRows(chain));
    for (const block of found.filter((_, index) => index % 97 === 0))
      for (const blockId of [String(block['blockNumber']), String(block['blockHash'])])
        expect(
          await read(primaryNetwork.blocks.get({ blockchainId, blockId }, options), `${path}/${blockId}`),
        ).toEqual(block);
    const times = found.map(({ blockTimestamp }) => Number(blockTimestamp));
    const [startTimestamp, endTimestamp] = [0.7, 0.3].map(
      (part) => times[Math.floor(times.length * part)]!,
    ) as [number, number];
    const query = `?startTimestamp=${startTimestamp}&endTimestamp=${endTimestamp}`;
    expect(await walk(list({ startTimestamp, endTimestamp }), path + query, 'blocks')).toEqual(
      found.filter((_, index) => times[index]! > startTimestamp && times[index]! < endTimestamp),
    );
    const [info] = callsOf(network, 'info').filter(({ method }) => method === 'info.getNodeID');
    const nodeId = String(info!.result['nodeID']);
    const own = primaryNetwork.blocks.listByNodeId({ blockchainId, nodeId, pageSize: 100 }, options);
    // A chain that was read without an index of blocks: who proposed them is not known, and not nobody.
    if (found.every(({ proposerDetails }) => proposerDetails === undefined))
      return expect(own).rejects.toMatchObject({ statusCode: 501 });
    expect(await walk(own, `${listOf(chain)}/nodes/${nodeId}/blocks`, 'blocks')).toEqual(
      found.filter(
        ({ proposerDetails }) => (proposerDetails as Row | undefined)?.['proposerNodeId'] === nodeId,
      ),
    );
  });

  test.each(chains)('the transactions of %s are all, as their bytes and outputs are', async (chain) => {
    const blockchainId = `${chain}-chain` as const;
    const path = `${listOf(chain)}/transactions`;
    const list = (more: object, query = '') =>
      walk(
        primaryNetwork.transactions.listLatest({ blockchainId, pageSize: 100, ...more }, options),
        path + query,
        'transactions',
      );
    const found = await list({});
    const ids = found.map(({ txHash }) => String(txHash));
    const wanted = {
      p: () => transactions.ofP(new Map(found.map((each) => [String(each['txHash']), each]))),
      x: () => transactions.ofX(),
      c: () => transactions.ofC(),
    }[chain]();
    expect(ids.toSorted()).toEqual([...wanted.keys()].sort());
    const schema = { p: 'Transaction', x: 'ListedTransaction', c: 'ListedTransaction' }[chain];
    compared.expect(
      schema,
      found,
      ids.map((id) => wanted.get(id)!),
    );
    expect(await list({ sortOrder: 'asc' }, '?sortOrder=asc')).toEqual(found.toReversed());
    if (chain !== 'c')
      for (const row of found.filter(({ txType }, index) => index % 23 === 0 && isReadAlone(txType))) {
        const txHash = String(row['txHash']);
        const one = await read(
          primaryNetwork.transactions.get({ blockchainId, txHash }, options),
          `${path}/${txHash}`,
        );
        if (chain === 'p') expect(one).toEqual(row);
      }
    const types = [...new Set(found.map(({ txType }) => String(txType)))].slice(0, 2) as never[];
    expect(await list({ txTypes: types }, `?txTypes=${types.join(',')}`)).toEqual(
      found.filter(({ txType }) => (types as string[]).includes(String(txType))),
    );
    if (chain === 'c') return;
    const changesOf = ({ l1ValidatorDetails = [] }: Row) => l1ValidatorDetails as Row[];
    const changes = found.flatMap(changesOf);
    if (chain === 'p') expect(changes.length > 0).toBe(network === 'network-a');
    for (const { validationId } of changes.slice(0, 1))
      expect(
        await list({ l1ValidationId: validationId as string }, `?l1ValidationId=${validationId as string}`),
      ).toEqual(found.filter((row) => changesOf(row).some((each) => each['validationId'] === validationId)));
    const ownersOf = (row: Row) =>
      [...(row['emittedUtxos'] as Row[]), ...(row['consumedUtxos'] as Row[])].flatMap(
        ({ addresses }) => addresses as string[],
      );
    const [owner] = found.flatMap(ownersOf);
    expect(await list({ addresses: owner }, `?addresses=${owner}`)).toEqual(
      found.filter((row) => ownersOf(row).includes(owner!)),
    );
  });

  test('subnets and blockchains are those that the node lists, with their owners and genesis', async () => {
    const path = '/v1/networks/fuji';
    const subnets = await walk(
      primaryNetwork.listSubnets({ pageSize: 7 }, options),
      `${path}/subnets`,
      'subnets',
    );
    const wanted = truth.subnetRows();
    const listed = (truth.answer('getSubnets')['subnets'] as Row[]).map(({ id }) => String(id));
    expect([...wanted.keys()].sort()).toEqual(listed.filter((id) => !/^1{20}/.test(id)).sort());
    compared.expect('Subnet', subnets, [...wanted.values()].reverse());
    for (const subnet of subnets) {
      const subnetId = String(subnet['subnetId']);
      expect(
        await read(primaryNetwork.getSubnetById({ subnetId }, options), `${path}/subnets/${subnetId}`),
      ).toEqual(subnet);
    }
    const found = await walk(
      primaryNetwork.listBlockchains({ pageSize: 7 }, options),
      `${path}/blockchains`,
      'blockchains',
    );
    const rows = truth.blockchainRows();
    const created = (truth.answer('getBlockchains')['blockchains'] as Row[]).map(({ id }) => String(id));
    expect([...rows.keys()].sort()).toEqual(created.sort());
    compared.expect('Blockchain', found, [...rows.values()]);
    const genesis = new Map(
      transactions.genesisData().map(([id, data]) => [id, { ...rows.get(id), genesisData: data }]),
    );
    for (const { blockchainId } of found) {
      const id = String(blockchainId);
      const one = await read(
        primaryNetwork.getBlockchainById({ blockchainId: id }, options),
        `${path}/blockchains/${id}`,
      );
      compared.expect('Blockchain', [one], [genesis.get(id)!]);
    }
    const primary = await read(
      primaryNetwork.getSubnetById({ subnetId: '11111111111111111111111111111111LpoYY' }, options),
      `${path}/subnets/11111111111111111111111111111111LpoYY`,
    );
    expect(primary['blockchains']).toHaveLength(2);
  });

  test('validators are those that the node has now, and all that began a stake', async () => {
    const path = '/v1/networks/fuji/validators';
    const list = (more: object, query = '') =>
      walk(primaryNetwork.listValidators({ pageSize: 100, ...more }, options), path + query, 'validators');
    const found = await list({});
    const wanted = truth.validatorRows();
    expect(found.map(({ txHash }) => txHash)).toEqual([...wanted.keys()].reverse());
    compared.expect('ValidatorStake', found, [...wanted.values()].reverse());
    const active = found.filter(({ validationStatus }) => validationStatus === 'active');
    expect(await list({ validationStatus: 'active' }, '?validationStatus=active')).toEqual(active);
    type Seen = { nodes: { txHash: string; uptimePercent: number | null }[] };
    const { data } = await gateway.graphql<Record<'currentValidators' | 'validatorStakes', Seen>>(`{
      currentValidators(network: fuji, active: true, first: 100) { nodes { txHash uptimePercent } }
      validatorStakes(network: fuji, validationStatus: active, first: 100) { nodes { txHash uptimePercent } }
    }`);
    for (const { txHash, uptimePercent } of Object.values(data).flatMap(({ nodes }) => nodes)) {
      const { uptime } = truth.now.get(txHash)!;
      expect([txHash, uptimePercent]).toEqual([txHash, uptime === undefined ? null : Number(uptime)]);
    }
    const online = active.filter(({ uptimePerformance }) => Number(uptimePerformance) >= 50);
    expect(online.length).toBeGreaterThan(0);
    expect(await list({ minUptimePerformance: 50 }, '?minUptimePerformance=50')).toEqual(online);
    expect(await list({ maxUptimePerformance: 49.9999 }, '?maxUptimePerformance=49.9999')).toEqual(
      active.filter((each) => !online.includes(each)),
    );
    const nodeId = String(found[0]!['nodeId']);
    expect(
      await walk(
        primaryNetwork.getValidatorDetails({ nodeId, pageSize: 100 }, options),
        `${path}/${nodeId}`,
        'validators',
      ),
    ).toEqual(found.filter((each) => each['nodeId'] === nodeId));
    const stakes = await PublishedStakes.open(gateway);
    await stakes.expectEachFilter();
    await stakes.expectPairs();
    await stakes.expectOrders();
  });

  test('delegators are all that began a delegation, with what their ends paid', async () => {
    const path = '/v1/networks/fuji/delegators';
    const list = (more: object, query = '') =>
      walk(primaryNetwork.listDelegators({ pageSize: 100, ...more }, options), path + query, 'delegators');
    const found = await list({});
    const wanted = truth.delegatorRows();
    expect(found.map(({ txHash }) => txHash)).toEqual([...wanted.keys()].reverse());
    const begun = await allPages<Row>(gateway, `${listOf('p')}/transactions`, 'transactions');
    const estimates = new Map(
      begun.map(({ txHash, estimatedReward = '0' }) => [txHash, String(estimatedReward)] as const),
    );
    const rows = [...wanted.values()].reverse().map((row) => {
      const txHash = String(row['txHash']);
      const gross = estimates.get(txHash)!;
      const isRight = row['grossReward'] === anything && truth.isGross(txHash, gross);
      return isRight ? { ...row, grossReward: gross } : row;
    });
    expect(rows.filter(({ grossReward }) => grossReward === anything)).toEqual([]);
    compared.expect('DelegatorStake', found, rows);
    const nodeIds = String(found[0]!['nodeId']);
    expect(await list({ nodeIds }, `?nodeIds=${nodeIds}`)).toEqual(
      found.filter((each) => each['nodeId'] === nodeIds),
    );
    const [rewardAddresses] = found[0]!['rewardAddresses'] as string[];
    expect(await list({ rewardAddresses }, `?rewardAddresses=${rewardAddresses}`)).toEqual(
      found.filter((each) => (each['rewardAddresses'] as string[]).includes(rewardAddresses!)),
    );
    const staking = await walk(
      primaryNetwork.transactions.listActiveStakingTransactions(
        { blockchainId: 'p-chain', pageSize: 100 },
        options,
      ),
      `${listOf('p')}/transactions:listStaking`,
      'transactions',
    );
    expect(staking.map(({ txHash }) => txHash).sort()).toEqual([...truth.now.keys()].sort());
  });

  test('L1 validators, sums of the network and assets are as the node says them', async () => {
    const path = '/v1/networks/fuji';
    const l1 = await walk(
      primaryNetwork.listL1Validators({ includeInactiveL1Validators: true, pageSize: 7 }, options),
      `${path}/l1Validators?includeInactiveL1Validators=true`,
      'validators',
    );
    const rows = truth.l1Rows();
    expect(l1.map(({ validationId }) => String(validationId)).sort()).toEqual([...rows.keys()].sort());
    compared.expect(
      'L1Validator',
      l1,
      l1.map(({ validationId }) => rows.get(String(validationId))!),
    );
    const details = await read(primaryNetwork.getNetworkDetails({}, options), path);
    compared.expect('NetworkDetails', [details], [truth.networkDetails()]);
    for (const [assetId, row] of truth.assetRows()) {
      const one = await read(
        primaryNetwork.getAssetDetails({ blockchainId: 'x-chain', assetId }, options),
        `${listOf('x')}/assets/${assetId}`,
      );
      compared.expect('Asset', [one], [row]);
    }
    const all = await allPages<Row>(gateway, `${listOf('x')}/transactions`, 'transactions');
    const assetsOf = (row: Row) =>
      [...(row['consumedUtxos'] as { asset: Row }[]), ...(row['emittedUtxos'] as { asset: Row }[])].map(
        ({ asset }) => asset['assetId'],
      );
    for (const assetId of new Set(all.slice(0, 40).flatMap(assetsOf)))
      expect(
        await walk(
          primaryNetwork.transactions.listAssetTransactions(
            { blockchainId: 'x-chain', assetId: String(assetId), pageSize: 100 },
            options,
          ),
          `${listOf('x')}/assets/${String(assetId)}/transactions`,
          'transactions',
        ),
      ).toEqual(all.filter((row) => assetsOf(row).includes(assetId)));
  });

  test('vertices are those of the index, the same by time, by hash and by height', async () => {
    const path = `${listOf('x')}/vertices`;
    const blockchainId = 'x-chain' as const;
    const list = await walk(
      primaryNetwork.vertices.listLatest({ blockchainId, pageSize: 100 }, options),
      path,
      'vertices',
    );
    const wanted = new Map((verticesOf(network) as Row[]).map((each) => [each['vertexHash'], each]));
    expect(list.length).toBe(wanted.size);
    compared.expect(
      'Vertex',
      list,
      list.map(({ vertexHash }) => wanted.get(vertexHash)!),
    );
    for (const vertex of list.filter((_, index) => index % 13 === 0)) {
      const { vertexHash, vertexHeight } = vertex as { vertexHash: string; vertexHeight: number };
      expect(
        await read(
          primaryNetwork.vertices.getByHash({ blockchainId, vertexHash }, options),
          `${path}/${vertexHash}`,
        ),
      ).toEqual(vertex);
      expect(
        await walk(
          primaryNetwork.vertices.listByHeight({ blockchainId, vertexHeight, pageSize: 1 }, options),
          `${path}:listByHeight?vertexHeight=${vertexHeight}`,
          'vertices',
        ),
      ).toEqual(list.filter((each) => each['vertexHeight'] === vertexHeight));
    }
  });

  test('balances, chain ids, outputs, last activity and rewards of addresses', async () => {
    const reads = await PublishedReads.over(gateway, recorded.client, options, compared);
    await reads.expectBalances(8);
    await reads.expectChainIds();
    await reads.expectUtxos();
    await reads.expectLastActivity(4);
    expect(await reads.expectHistoricalRewards()).toBeGreaterThan(0);
    expect(await reads.expectPendingRewards()).toBeGreaterThan(0);
  });

  test('what EVM addresses have, and what they sent to other chains', async () => {
    const { evm, nfts, icm, teleporter } = recorded.client.data;
    const [asked] = callsOf(network, 'c').filter(({ method }) => method === 'eth_chainId');
    const chainId = String(Number(asked!.result));
    const path = `/v1/chains/${chainId}`;
    const chain = await read(evm.chains.get({ chainId }, options), path);
    expect(await read(evm.chains.list({}, options), '/v1/chains')).toEqual({ chains: [chain] });
    compared.expect('Chain', [chain], [truth.cChainRow(chainId)]);
    const tokens = ownedTokens(network);
    for (const address of new Set([...tokens.values()].map(({ contract }) => contract))) {
      const list = `${path}/nfts/collections/${address}/tokens`;
      const found = await walk(nfts.list({ chainId, address, pageSize: 7 }, options), list, 'tokens');
      const owners = [...tokens.values()].filter(({ contract }) => contract === address);
      expect(found.map((each) => [each['tokenId'], each['ownerAddress']]).sort()).toEqual(
        owners.map(({ tokenId, owner }) => [tokenId, owner]).sort(),
      );
      const { tokenId } = owners[0]!;
      await read(nfts.get({ chainId, address, tokenId }, options), `${list}/${tokenId}`);
    }
    const balances = balancesAtEnd(network);
    expect(balances.size).toBeGreaterThan(10);
    const owners = [...tokens.values()].flatMap(({ owner }) => owner ?? []);
    for (const address of new Set([
      ...[...balances.keys()].filter((_, index) => index % 17 === 0),
      ...owners,
    ])) {
      const own = `${path}/addresses/${address}`;
      const coin = evm.address.balances.getNative({ chainId, address }, options);
      const { nativeTokenBalance } = await read(coin, `${own}/balances:getNative`);
      expect([address, (nativeTokenBalance as Row)['balance']]).toEqual([
        address,
        balances.get(address) ?? '0',
      ]);
      await walk(
        evm.address.balances.listErc20({ chainId, address, pageSize: 1 }, options),
        `${own}/balances:listErc20`,
        'erc20TokenBalances',
      );
      const held = await walk(
        evm.address.balances.listErc721({ chainId, address, pageSize: 1 }, options),
        `${own}/balances:listErc721`,
        'erc721TokenBalances',
      );
      expect(held).toHaveLength(owners.filter((each) => each === address).length);
      await walk(
        evm.address.transactions.listInternal({ chainId, address, pageSize: 5 }, options),
        `${own}/transactions:listInternals`,
        'transactions',
      );
      const all = await read(evm.address.chains.list({ address }, options), `/v1/address/${address}/chains`);
      expect(
        await read(evm.chains.getAddressChains({ address }, options), `/v1/chains/address/${address}`),
      ).toEqual(all);
      expect(all['indexedChains']).toEqual([chain]);
    }
    const messages = await walk(
      icm.list({ network: 'fuji', pageSize: 3 }, options),
      '/v1/icm/messages?network=fuji',
      'messages',
    );
    expect(messages.length).toBeGreaterThan(3);
    await walk(
      teleporter.listTeleporterMessages({ network: 'fuji', pageSize: 3 }, options),
      '/v1/teleporter/messages?network=fuji',
      'messages',
    );
    for (const { messageId: id, from } of messages.slice(0, 20)) {
      const [messageId, address] = [String(id), String(from)];
      await read(icm.get({ messageId }, options), `/v1/icm/messages/${messageId}`);
      await read(
        teleporter.getTeleporterMessage({ messageId }, options),
        `/v1/teleporter/messages/${messageId}`,
      );
      // These two do not follow their tokens by themselves.
      for (const [name, ask] of [
        [
          'icm',
          (pageToken?: string) =>
            icm.listByAddress({ address, network: 'fuji', pageSize: 3, pageToken }, options),
        ],
        [
          'teleporter',
          (pageToken?: string) =>
            teleporter.listTeleporterMessagesByAddress(
              { address, network: 'fuji', pageSize: 3, pageToken },
              options,
            ),
        ],
      ] as const) {
        const found: object[] = [];
        for (let token: string | undefined, first = true; first || token; first = false) {
          const page = await ask(token);
          found.push(...page.messages);
          token = page.nextPageToken;
        }
        const list = `/v1/${name}/addresses/${address}/messages?network=fuji`;
        expect(await allPages(gateway, list, 'messages')).toMatchObject(found);
      }
    }
  });

  test('metrics by day are what a model that lives every second says, and one that looks at all transactions', async () => {
    const { networks, l1Validators } = recorded.client.metrics;
    const day = networkDays(await countedTransactions(gateway.storage, 'fuji'));
    for (const metric of [
      'validatorCount',
      'validatorWeight',
      'delegatorCount',
      'delegatorWeight',
    ] as const) {
      const path = `/v2/networks/fuji/metrics/${metric}`;
      const points = await walk(
        networks.getStakingMetrics({ metric, pageSize: 3 }, options),
        path,
        'results',
      );
      expect(points.length).toBeGreaterThan(0);
      expect(points).toEqual(
        points.map(({ timestamp }) => ({
          timestamp,
          value: Number(day(Number(timestamp) / 86_400)[metric]),
        })),
      );
    }
    if (network === 'network-c') {
      const none = await l1Validators.listMetrics({ metric: 'totalValidatorFeesDaily' }, options);
      return void expect(none.results).toEqual([]);
    }
    const { fees, payers, ofEach } = paidDays(stakingRecord(network));
    const [first] = [...fees.keys()].map((key) => key.split(' ')[1]);
    const timestamp = Number(first) * 86_400;
    const point = (value: number) => ({ results: [{ value, timestamp }] });
    const total = Number([...fees.values()].reduce((all, each) => all + each, 0n));
    const paying = [...payers.values()].reduce((all, { size }) => all + size, 0);
    for (const [metric, value] of [
      ['totalValidatorFeesDaily', total],
      ['totalCumulativeFeesDaily', total],
      ['totalPayingValidatorsDaily', paying],
    ] as const)
      expect(await l1Validators.listMetrics({ metric }, options)).toEqual(point(value));
    for (const [key, paid] of ofEach) {
      const [id = ''] = key.split(' ');
      const replies = id.startsWith('NodeID-')
        ? ['perNodeDailyFeesPaid' as const, 'perNodeCumulativeFeesPaid' as const].map((metric) =>
            l1Validators.getMetricsByNodeId({ metric, nodeId: id }, options),
          )
        : ['validationFeesDaily' as const, 'validationCumulativeFeesDaily' as const].map((metric) =>
            l1Validators.getMetricsByValidationId({ metric, l1ValidationId: id }, options),
          );
      for (const reply of replies) expect([id, await reply]).toEqual([id, point(Number(paid))]);
    }
  });

  test('health, and the metrics of subnets', async () => {
    const { data, metrics } = recorded.client;
    for (const service of [data, metrics])
      for (const name of ['healthCheck', 'liveCheck'] as const)
        expect((await service[name](options)).status).toBe('ok');
    for (const [subnetId, { isL1 }] of truth.subnetRows()) {
      const metric = 'perSubnetDailyFeesPaid' as const;
      const { results } = await metrics.l1Validators.getMetricsBySubnetId({ metric, subnetId }, options);
      if (isL1 !== true) expect(results).toEqual([]);
    }
  });
});

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const NOBODY = `0x${'0'.repeat(40)}`;

/** The tokens of ERC-721 contracts, each as its last transfer left it; a burned one has no owner. */
function ownedTokens(network: RecordedNetwork) {
  const tokens = new Map<string, { contract: string; tokenId: string; owner: string | undefined }>();
  for (const { address, topics } of recordedLogs(network)) {
    if (topics[0] !== TRANSFER || topics.length !== 4) continue;
    const [, , to = '', id = ''] = topics;
    const owner = `0x${to.slice(-40)}`;
    const tokenId = BigInt(id).toString();
    const known = owner === NOBODY ? undefined : getAddress(owner);
    tokens.set(`${address} ${tokenId}`, {
      contract: getAddress(address),
      tokenId,
      owner: known,
    });
  }
  return tokens;
}

/** What the node said of accounts at the end, by address. */
function balancesAtEnd(network: RecordedNetwork): Map<string, string> {
  const [newest] = callsOf(network, 'c').filter(({ method }) => method === 'eth_blockNumber');
  const head: unknown = newest!.result;
  const calls = callsOf(network, 'c-state').filter(({ method }) => method === 'eth_getBalance');
  return new Map(
    calls
      .map(({ args, result }) => ({
        args: args as unknown as [string, string],
        balance: BigInt(result as unknown as string),
      }))
      .filter(({ args, balance }) => args[1] === head && balance > 0n)
      .map(({ args: [address], balance }) => [getAddress(address as `0x${string}`), balance.toString()]),
  );
}

/** The client wants another shape of UTXO in these two (docs/contract.md, "Transactions"). */
const isReadAlone = (txType: unknown) => txType !== 'CreateAssetTx' && txType !== 'OperationTx';

test.runIf(hasRecordedNode).each(Object.entries(membersOfNetworks))(
  'every member of %s was compared with what the table names',
  (name, members) => {
    const all = membersOf(name).filter((each) => !comparedElsewhere[name]?.(each));
    expect(Object.keys(members).sort()).toEqual(all);
    expect(compared.of(name)).toEqual(all);
  },
);

test.runIf(hasRecordedNode)(
  'every method of the client that is answered was called, and every list read to its end',
  () => {
    const all = Object.values(calledBy).flat();
    // Nothing is read again that was followed: its metadata come from a contract that runs.
    expect(all.filter((name) => !recorded.called.has(name))).toEqual(['data.nfts.reindex']);
    expect(recorded.unended()).toEqual([]);
  },
);
