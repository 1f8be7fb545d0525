import type { AddressInfo } from 'node:net';
import { Avalanche } from '@avalanche-sdk/chainkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adoptIdentities } from '../../src/avalanche/identity.js';
import { callsOf } from '../avalanche/codec/recorded.js';
import { createApp, type TestApp } from '../harness/app.js';
import { countedTransactions, networkDays } from '../harness/day-model.js';
import { paidDays } from '../harness/fee-model.js';
import { networkFilling } from '../harness/followed.js';
import { truthOf } from '../harness/node-truth.js';
import { recordedBlocks, recordedCertificates } from '../harness/recorded-blocks.js';
import { hasRecordedNode } from '../harness/recorded-node.js';
import { stakingRecord } from '../harness/staking-replay.js';

/*
 * Every read of the published client that Moraine has for the primary network, on a network that was followed
 * from its genesis: the client's schemas refuse nothing, every page is walked, and what a table names of each
 * reply is what the recorded node said, or what its bytes say.
 */

type Row = Record<string, unknown>;
type Pages = Promise<AsyncIterable<{ result: unknown }>>;

/** The rows of all pages. */
async function walk(pages: Pages, field: string): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const { result } of await pages) rows.push(...(result as Record<string, Row[]>)[field]!);
  return rows;
}

const withoutPrefix = (address: string) => address.replace(/^[PXC]-/, '');

describe.runIf(hasRecordedNode).each(['network-a', 'network-c'] as const)('%s', (network) => {
  let gateway: TestApp;
  let options: { serverURL: string; retries: { strategy: 'none' } };
  const truth = truthOf(network);
  const client = new Avalanche({ network: 'fuji', enableTelemetry: false });
  const { primaryNetwork } = client.data;
  const chainIds = { p: 'p-chain', x: 'x-chain', c: 'c-chain' } as const;
  const state = callsOf(network, 'p-state');
  const answer = (method: string) => state.find((call) => call.method === `platform.${method}`)!.result;
  /** The transactions of P by type, as blocks and genesis have them. */
  const ofType = (...types: string[]) =>
    truth.allTransactions().p.filter((each) => types.includes((each as unknown as { type: string }).type));

  beforeAll(async () => {
    gateway = await createApp({ MAX_COST: '1000000' }, { filling: networkFilling(network) });
    await gateway.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = gateway.app.server.address() as AddressInfo;
    options = { serverURL: `http://127.0.0.1:${port}`, retries: { strategy: 'none' } };
  });
  afterAll(async () => {
    await gateway.close();
    adoptIdentities({});
  });

  test.each(['p', 'x'] as const)('every block of %s is as its bytes say it', async (chain) => {
    const blockchainId = chainIds[chain];
    const found = await walk(
      primaryNetwork.blocks.listLatest({ blockchainId, pageSize: 100 }, options),
      'blocks',
    );
    const wanted = recordedBlocks(network, chain).reverse();
    expect(
      found.map(({ blockNumber, blockHash, blockType, blockSizeBytes, txCount }) => ({
        blockNumber,
        blockHash,
        blockType,
        blockSizeBytes,
        txCount,
      })),
    ).toEqual(
      wanted.map(({ number, hash, blockType, sizeBytes, txCount }) => ({
        blockNumber: number,
        blockHash: hash,
        blockType,
        blockSizeBytes: sizeBytes,
        txCount,
      })),
    );
    for (const [
      index,
      { blockNumber, transactions, txCount, parentHash, blockTimestamp },
    ] of found.entries()) {
      if (blockNumber !== '0')
        expect([blockNumber, (transactions as string[]).length]).toEqual([blockNumber, txCount]);
      expect([parentHash, blockTimestamp]).toEqual([
        wanted[index]!.parentHash ?? parentHash,
        wanted[index]!.timestamp ?? blockTimestamp,
      ]);
    }
    for (const { blockNumber, blockHash } of found.filter((_, index) => index % 97 === 0)) {
      const [byNumber, byHash] = await Promise.all(
        [blockNumber, blockHash].map((blockId) =>
          primaryNetwork.blocks.get({ blockchainId, blockId: String(blockId) }, options),
        ),
      );
      expect(byNumber).toEqual(found.find((each) => each['blockNumber'] === blockNumber));
      expect(byHash).toEqual(byNumber);
    }
  });

  test('the blocks between two times are those of these times, and those of a node the ones that it signed', async () => {
    for (const chain of ['p', 'x', 'c'] as const) {
      const blockchainId = chainIds[chain];
      const all = await walk(
        primaryNetwork.blocks.listLatest({ blockchainId, pageSize: 100 }, options),
        'blocks',
      );
      const times = all.map(({ blockTimestamp }) => Number(blockTimestamp));
      const [startTimestamp, endTimestamp] = [
        times[Math.floor(times.length * 0.7)]!,
        times[Math.floor(times.length * 0.3)]!,
      ];
      const between = await walk(
        primaryNetwork.blocks.listLatest(
          { blockchainId, startTimestamp, endTimestamp, pageSize: 100 },
          options,
        ),
        'blocks',
      );
      expect(between).toEqual(
        all.filter((_, index) => times[index]! > startTimestamp && times[index]! < endTimestamp),
      );
      const signed = recordedCertificates(network, chain);
      const nodeId = String(
        callsOf(network, 'info').find(({ method }) => method === 'info.getNodeID')!.result['nodeID'],
      );
      const list = () => primaryNetwork.blocks.listByNodeId({ blockchainId, nodeId, pageSize: 100 }, options);
      // A chain that was read without an index of blocks: who proposed them is not known, and not nobody.
      if (all.every(({ proposerDetails }) => proposerDetails === undefined)) {
        await expect(list()).rejects.toMatchObject({ statusCode: 501 });
        continue;
      }
      const own = await walk(list(), 'blocks');
      if (network === 'network-a')
        expect(own).toEqual(all.filter(({ blockHash }) => signed.has(String(blockHash))));
      for (const { proposerDetails } of own) expect(proposerDetails).toEqual({ proposerNodeId: nodeId });
    }
  });

  test.each(['p', 'x', 'c'] as const)(
    'the transactions of %s are all, with the amounts of their bytes',
    async (chain) => {
      const blockchainId = chainIds[chain];
      const list = (more: object) =>
        walk(
          primaryNetwork.transactions.listLatest({ blockchainId, pageSize: 100, ...more }, options),
          'transactions',
        );
      const found = await list({});
      const known = new Map(truth.allTransactions()[chain].map((each) => [each.id, each]));
      const ids = found.map(({ txHash }) => String(txHash));
      expect(new Set(ids).size).toBe(ids.length);
      expect([...known.keys()].filter((id) => !ids.includes(id))).toEqual([]);
      expect(await list({ sortOrder: 'asc' })).toEqual(found.toReversed());
      for (const row of found) {
        const bytes = known.get(String(row['txHash']));
        if (!bytes) continue;
        const emitted = row['emittedUtxos'] as Row[] | undefined;
        const consumed = row['consumedUtxos'] as Row[] | undefined;
        // What is given back and paid at an end is in no bytes: outputs.test.ts compares it with the node's.
        const returns =
          /^(RewardValidator|RewardAutoRenewedValidator|DisableL1Validator|SetL1ValidatorWeight)Tx$/.test(
            (bytes as unknown as { type: string }).type,
          );
        const made = bytes.outputs.map(({ utxoId }) => utxoId);
        if (emitted)
          expect(
            emitted
              .map(({ utxoId }) => String(utxoId))
              .filter((utxoId) => !returns || made.includes(utxoId))
              .sort(),
          ).toEqual(made.sort());
        if (consumed)
          expect(consumed.map(({ utxoId }) => utxoId).sort()).toEqual(
            bytes.inputs.map(({ utxoId }) => utxoId).sort(),
          );
        if (chain === 'p') continue;
        const { evmInputs = [], evmOutputs = [] } = bytes as unknown as Record<
          string,
          { address: Uint8Array; amount: bigint }[]
        >;
        const created = [
          ...bytes.outputs.map(({ output }) => output.amount),
          ...evmOutputs.map(({ amount }) => amount),
        ];
        const sum = (amounts: readonly bigint[]) => amounts.reduce((all, each) => all + each, 0n);
        expect(sum((row['amountCreated'] as Row[]).map(({ amount }) => BigInt(String(amount))))).toBe(
          sum(created),
        );
        if (chain !== 'c') continue;
        const account = ({ address, amount }: { address: Uint8Array; amount: bigint }) => [
          `0x${Buffer.from(address).toString('hex')}`,
          amount.toString(),
        ];
        const shown = ((row['evmInputs'] ?? row['evmOutputs']) as Row[]).map(
          ({ fromAddress, toAddress, asset }) => [
            String(fromAddress ?? toAddress).toLowerCase(),
            (asset as Row)['amount'],
          ],
        );
        expect(shown).toEqual([...evmInputs, ...evmOutputs].map(account));
      }
      const types = [...new Set(found.map(({ txType }) => String(txType)))].slice(0, 2) as never[];
      expect(await list({ txTypes: types })).toEqual(
        found.filter(({ txType }) => (types as string[]).includes(String(txType))),
      );
      if (chain === 'c') return;
      const changes = found.flatMap(({ l1ValidatorDetails = [] }) => l1ValidatorDetails as Row[]);
      if (chain === 'p') expect(changes.length > 0).toBe(network === 'network-a');
      for (const { validationId } of changes.slice(0, 1)) {
        const ofValidation = found.filter(({ l1ValidatorDetails = [] }) =>
          (l1ValidatorDetails as Row[]).some((each) => each['validationId'] === validationId),
        );
        expect(await list({ l1ValidationId: validationId as string })).toEqual(ofValidation);
      }
      const [owner] = (
        found.find(({ emittedUtxos }) => (emittedUtxos as Row[]).length > 0)!['emittedUtxos'] as {
          addresses: string[];
        }[]
      )[0]!.addresses;
      const touches = (row: Row) =>
        [
          ...(row['emittedUtxos'] as { addresses: string[] }[]),
          ...(row['consumedUtxos'] as { addresses: string[] }[]),
        ].some(({ addresses }) => addresses.includes(owner!));
      expect(await list({ addresses: owner })).toEqual(found.filter(touches));
    },
  );

  test('subnets and blockchains are those that the node lists, with their owners and genesis', async () => {
    const subnets = await walk(primaryNetwork.listSubnets({}, options), 'subnets');
    const wanted = answer('getSubnets')['subnets'] as { id: string; controlKeys: string[] }[];
    const created = wanted.filter(({ id }) => !/^1{20}/.test(id));
    expect(subnets.map(({ subnetId }) => subnetId).sort()).toEqual(created.map(({ id }) => id).sort());
    for (const subnet of subnets) {
      const one = await primaryNetwork.getSubnetById({ subnetId: String(subnet['subnetId']) }, options);
      expect(one).toEqual(subnet);
      const said = state.find(
        ({ method, args }) => method === 'platform.getSubnet' && args['subnetID'] === one.subnetId,
      )?.result;
      if (!said) continue;
      const owners = (said['controlKeys'] as string[]).map(withoutPrefix).sort();
      expect([...one.ownerAddresses].sort()).toEqual(owners);
      expect([one.threshold, one.locktime]).toEqual([Number(said['threshold']), Number(said['locktime'])]);
      const isL1 = !/^1{20}/.test(String(said['conversionID']));
      expect(one.isL1).toBe(isL1);
      if (isL1) expect(one.l1ValidatorManagerDetails!.blockchainId).toBe(said['managerChainID']);
    }
    const chains = await walk(primaryNetwork.listBlockchains({}, options), 'blockchains');
    const said = answer('getBlockchains')['blockchains'] as {
      id: string;
      name: string;
      subnetID: string;
      vmID: string;
    }[];
    const shape = (id: unknown, name: unknown, subnet: unknown, vm: unknown) =>
      [id, name, subnet, vm].join(' ');
    expect(
      chains
        .map((each) => shape(each['blockchainId'], each['blockchainName'], each['subnetId'], each['vmId']))
        .sort(),
    ).toEqual(said.map(({ id, name, subnetID, vmID }) => shape(id, name, subnetID, vmID)).sort());
    for (const chain of chains) {
      const one = await primaryNetwork.getBlockchainById(
        { blockchainId: String(chain['blockchainId']) },
        options,
      );
      expect({ ...one, genesisData: undefined }).toEqual({ ...chain, genesisData: undefined });
      expect(one.genesisData).toBeDefined();
    }
    expect(
      (await primaryNetwork.getSubnetById({ subnetId: '11111111111111111111111111111111LpoYY' }, options))
        .blockchains.length,
    ).toBe(2);
  });

  test('validators are those that the node has now, and all that began a stake', async () => {
    const list = (more: object) =>
      walk(primaryNetwork.listValidators({ pageSize: 100, ...more }, options), 'validators');
    const found = await list({});
    const now = callsOf(network, 'p-state')
      .filter(({ method, args }) => method === 'platform.getCurrentValidators' && !args['nodeIDs'])
      .flatMap(({ result }) => (result['validators'] as Row[]).filter(({ txID }) => txID !== undefined));
    const active = found.filter(({ validationStatus }) => validationStatus === 'active');
    expect(await list({ validationStatus: 'active' })).toEqual(active);
    expect(new Set(active.map(({ txHash }) => txHash))).toEqual(new Set(now.map(({ txID }) => txID)));
    for (const each of active) {
      const said = now.find(({ txID }) => txID === each['txHash'])!;
      expect([each['nodeId'], each['amountStaked'], each['startTimestamp'], each['endTimestamp']]).toEqual([
        said['nodeID'],
        said['weight'],
        Number(said['startTime']),
        Number(said['endTime']),
      ]);
      if (said['delegationFee'] !== undefined)
        expect(Number(each['delegationFee'])).toBe(Number(said['delegationFee']));
      if (said['potentialReward'] !== undefined)
        expect((each['potentialRewards'] as Row)['validationRewardAmount']).toBe(said['potentialReward']);
      expect(each['geolocation']).toBeNull();
      expect([each['nodeId'], each['uptimePerformance']]).toEqual([
        each['nodeId'],
        Number(said['uptime'] ?? 0),
      ]);
    }
    type Seen = { nodes: { txHash: string; uptimePercent: number | null }[] };
    const { data } = await gateway.graphql<Record<'currentValidators' | 'validatorStakes', Seen>>(`{
      currentValidators(network: fuji, active: true, first: 100) { nodes { txHash uptimePercent } }
      validatorStakes(network: fuji, validationStatus: active, first: 100) { nodes { txHash uptimePercent } }
    }`);
    for (const { txHash, uptimePercent } of Object.values(data).flatMap(({ nodes }) => nodes)) {
      const { uptime } = now.find(({ txID }) => txID === txHash)!;
      expect([txHash, uptimePercent]).toEqual([txHash, uptime === undefined ? null : Number(uptime)]);
    }
    const online = active.filter(({ uptimePerformance }) => Number(uptimePerformance) >= 50);
    expect(online.length).toBeGreaterThan(0);
    expect(await list({ minUptimePerformance: 50 })).toEqual(online);
    expect(await list({ maxUptimePerformance: 49.9999 })).toEqual(
      active.filter((each) => !online.includes(each)),
    );
    const begun = ofType('AddValidatorTx', 'AddSubnetValidatorTx', 'AddPermissionlessValidatorTx').map(
      ({ id }) => id,
    );
    expect(found.filter(({ txHash }) => !begun.includes(String(txHash)))).toEqual([]);
    const removed = ofType('RemoveSubnetValidatorTx').map(({ id }) => id);
    for (const { removeTxHash } of found.filter(({ validationStatus }) => validationStatus === 'removed'))
      expect(removed).toContain(removeTxHash);
    const rewards = truth.rewards();
    for (const each of found.filter(({ validationStatus }) => validationStatus === 'completed')) {
      const paid = (rewards.get(String(each['txHash'])) ?? []).reduce(
        (all, { amount }) => all + BigInt(amount),
        0n,
      );
      const { validationRewardAmount, delegationRewardAmount } = each['rewards'] as Record<string, string>;
      expect([each['txHash'], BigInt(validationRewardAmount!) + BigInt(delegationRewardAmount!)]).toEqual([
        each['txHash'],
        paid,
      ]);
    }
    const { nodeId } = found[0]!;
    expect(
      await walk(
        primaryNetwork.getValidatorDetails({ nodeId: String(nodeId), pageSize: 100 }, options),
        'validators',
      ),
    ).toEqual(found.filter((each) => each['nodeId'] === nodeId));
    for (const sortBy of ['delegationCapacity', 'timeRemaining', 'delegationFee'] as const)
      expect((await list({ sortBy })).length).toBe(
        found.filter(
          ({ validationStatus }) => validationStatus === 'active' || validationStatus === 'pending',
        ).length,
      );
  });

  test('delegators are all that began a delegation, and what their ends paid is what the chain paid', async () => {
    const list = (more: object) =>
      walk(primaryNetwork.listDelegators({ pageSize: 100, ...more }, options), 'delegators');
    const found = await list({});
    const begun = ofType('AddDelegatorTx', 'AddPermissionlessDelegatorTx').map(({ id }) => id);
    expect(found.filter(({ txHash }) => !begun.includes(String(txHash)))).toEqual([]);
    const rewards = truth.rewards();
    for (const { txHash, netReward, delegationStatus } of found.filter(
      (each) => each['netReward'] !== undefined,
    )) {
      expect(delegationStatus).toBe('completed');
      const [paid] = rewards.get(String(txHash)) ?? [];
      if (netReward !== '0') expect([txHash, netReward]).toEqual([txHash, paid!.amount]);
    }
    const { nodeId, rewardAddresses } = found[0]!;
    expect(await list({ nodeIds: nodeId })).toEqual(found.filter((each) => each['nodeId'] === nodeId));
    const [owner] = rewardAddresses as string[];
    expect(await list({ rewardAddresses: owner })).toEqual(
      found.filter((each) => (each['rewardAddresses'] as string[]).includes(owner!)),
    );
    const staking = await walk(
      primaryNetwork.transactions.listActiveStakingTransactions(
        { blockchainId: 'p-chain', pageSize: 100 },
        options,
      ),
      'transactions',
    );
    const validators = await walk(primaryNetwork.listValidators({ pageSize: 100 }, options), 'validators');
    const present = [...validators, ...found].filter((each) =>
      ['active', 'pending'].includes(String(each['validationStatus'] ?? each['delegationStatus'])),
    );
    expect(staking.map(({ txHash }) => txHash).sort()).toEqual(present.map(({ txHash }) => txHash).sort());
  });

  test('L1 validators, sums of the network and assets are as the node says them', async () => {
    const l1 = await walk(
      primaryNetwork.listL1Validators({ includeInactiveL1Validators: true, pageSize: 100 }, options),
      'validators',
    );
    const said = state
      .filter(({ method }) => method === 'platform.getCurrentValidators')
      .flatMap(({ result }) =>
        (result['validators'] as Row[]).filter(({ validationID }) => validationID !== undefined),
      );
    const known = new Map(said.map((each) => [each['validationID'], each]));
    expect(new Set(l1.map(({ validationId }) => validationId))).toEqual(new Set(known.keys()));
    for (const each of l1) {
      const one = known.get(each['validationId'])!;
      expect([each['nodeId'], each['weight'], each['remainingBalance'], each['creationTimestamp']]).toEqual([
        one['nodeID'],
        Number(one['weight']),
        Number(one['balance']),
        Number(one['startTime']),
      ]);
      const { addresses, threshold } = one['remainingBalanceOwner'] as {
        addresses: string[];
        threshold: string;
      };
      expect(each['remainingBalanceOwner']).toEqual({
        addresses: addresses.map(withoutPrefix),
        threshold: Number(threshold),
      });
    }
    const all = await walk(
      primaryNetwork.transactions.listLatest({ blockchainId: 'x-chain', pageSize: 100 }, options),
      'transactions',
    );
    const assetsOf = (row: Row) =>
      [...(row['consumedUtxos'] as { asset: Row }[]), ...(row['emittedUtxos'] as { asset: Row }[])].map(
        ({ asset }) => asset['assetId'],
      );
    const [most] = all.flatMap(assetsOf);
    for (const assetId of new Set([most, ...all.slice(0, 40).flatMap(assetsOf)]))
      expect(
        await walk(
          primaryNetwork.transactions.listAssetTransactions(
            { blockchainId: 'x-chain', assetId: String(assetId), pageSize: 100 },
            options,
          ),
          'transactions',
        ),
      ).toEqual(all.filter((row) => assetsOf(row).includes(assetId)));
    const details = await primaryNetwork.getNetworkDetails({}, options);
    const stake = answer('getTotalStake')['weight'];
    expect(
      BigInt(details.validatorDetails.totalAmountStaked) + BigInt(details.delegatorDetails.totalAmountStaked),
    ).toBe(BigInt(String(stake)));
    for (const { result } of callsOf(network, 'x').filter(
      ({ method }) => method === 'avm.getAssetDescription',
    )) {
      const asset = await primaryNetwork.getAssetDetails(
        { blockchainId: 'x-chain', assetId: String(result['assetID']) },
        options,
      );
      expect([asset.name, asset.symbol, asset.denomination]).toEqual([
        result['name'],
        result['symbol'],
        Number(result['denomination']),
      ]);
    }
  });

  test('metrics by day are what a model that lives every second says, and one that looks at all transactions', async () => {
    const { networks, l1Validators } = client.metrics;
    const day = networkDays(await countedTransactions(gateway.storage, 'fuji'));
    for (const metric of [
      'validatorCount',
      'validatorWeight',
      'delegatorCount',
      'delegatorWeight',
    ] as const) {
      const points = await walk(networks.getStakingMetrics({ metric, pageSize: 3 }, options), 'results');
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

  test('vertices are the same by time, by hash and by height', async () => {
    const list = await walk(
      primaryNetwork.vertices.listLatest({ blockchainId: 'x-chain', pageSize: 100 }, options),
      'vertices',
    );
    for (const vertex of list.filter((_, index) => index % 13 === 0)) {
      const { vertexHash, vertexHeight } = vertex as { vertexHash: string; vertexHeight: number };
      expect(
        await primaryNetwork.vertices.getByHash({ blockchainId: 'x-chain', vertexHash }, options),
      ).toEqual(vertex);
      expect(
        await walk(
          primaryNetwork.vertices.listByHeight({ blockchainId: 'x-chain', vertexHeight }, options),
          'vertices',
        ),
      ).toEqual(list.filter((each) => each['vertexHeight'] === vertexHeight));
    }
  });
});
