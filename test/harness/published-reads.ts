import type { Avalanche } from '@avalanche-sdk/chainkit';
import { expect } from 'vitest';
import { identityOf } from '../../src/avalanche/identity.js';
import type { TestApp } from './app.js';
import type { Compared } from './compared.js';
import { poolOf } from './connections.js';
import { listen } from './listen.js';
import { balancesOf, sortedSums, type ListedOutput } from './published-model.js';
import { allPages } from './rest-pages.js';
import { walkGraphQL } from './walk.js';

const chains = ['p', 'x', 'c'] as const;
type Chain = (typeof chains)[number];
type Row = Record<string, unknown>;
const network = 'fuji' as const;
const listOf = (chain: Chain) => `/v1/networks/fuji/blockchains/${chain}-chain`;

/** A gateway that the published client reads, with what its lists of outputs show. */
export class PublishedReads {
  private constructor(
    private readonly gateway: TestApp,
    readonly client: Avalanche,
    readonly at: { serverURL: string },
    private readonly compared: Compared,
    /** Of each chain, spent ones too. */
    private readonly outputs: Readonly<Record<Chain, ListedOutput[]>>,
    private readonly unspent: Readonly<Record<Chain, ListedOutput[]>>,
  ) {}

  static async open(gateway: TestApp, client: Avalanche, compared: Compared): Promise<PublishedReads> {
    const serverURL = await listen(gateway.app);
    return PublishedReads.over(gateway, client, { serverURL }, compared);
  }

  /** @param at where the gateway listens */
  static async over(
    gateway: TestApp,
    client: Avalanche,
    at: { serverURL: string },
    compared: Compared,
  ): Promise<PublishedReads> {
    const read = async (query: string) => {
      const lists = chains.map((chain) =>
        allPages<ListedOutput>(gateway, `${listOf(chain)}/utxos${query}`, 'utxos'),
      );
      const [p = [], x = [], c = []] = await Promise.all(lists);
      return { p, x, c };
    };
    return new PublishedReads(
      gateway,
      client,
      at,
      compared,
      await read('?includeSpent=true'),
      await read(''),
    );
  }

  /** Those who own something. */
  get owners(): string[] {
    return [
      ...new Set(Object.values(this.outputs).flatMap((rows) => rows.flatMap((row) => row.addresses))),
    ].sort();
  }

  /** Some of them alone, and all in requests of many. @param most alone */
  private groups(most: number): string[][] {
    const { owners } = this;
    const joint = Object.values(this.unspent)
      .flat()
      .filter(({ addresses }) => addresses.length > 1)
      .map(({ addresses }) => addresses);
    const alone = owners.slice(0, most).map((owner) => [owner]);
    const many = Array.from({ length: Math.ceil(owners.length / 64) }, (_, index) =>
      owners.slice(64 * index, 64 * (index + 1)),
    );
    return [...alone, ...joint.slice(0, 3), ...many];
  }

  async expectBalances(most: number): Promise<void> {
    const now = Math.floor(this.gateway.clock.now / 1000);
    const ids = identityOf(network).blockchainIds;
    for (const group of this.groups(most))
      for (const chain of chains) {
        const { balances, chainInfo } = (await this.client.data.primaryNetwork.balances.listByAddresses(
          { network, blockchainId: `${chain}-chain`, addresses: group.join(',') },
          this.at,
        )) as unknown as { balances: Record<string, object[]>; chainInfo: object };
        expect(chainInfo).toEqual({ chainName: `${chain}-chain`, network });
        const listed = Object.entries(balances).map(([name, rows]) => [name, sortedSums(rows)]);
        const wanted = balancesOf(this.unspent[chain], group, chain, ids[chain], now);
        this.compared.expect(
          'Balances',
          [Object.fromEntries(listed)],
          [wanted],
          `${chain} ${group.join(' ')}`,
        );
      }
  }

  async expectChainIds(): Promise<void> {
    const { blockchainIds } = identityOf(network);
    for (const group of this.groups(0)) {
      const path = `/v1/networks/fuji/addresses:listChainIds?addresses=${group.join(',')}`;
      const wanted = group.toSorted().map((address) => ({
        address,
        blockchainIds: chains
          .filter((chain) => this.outputs[chain].some((row) => row.addresses.includes(address)))
          .map((chain) => blockchainIds[chain]),
      }));
      const { body } = await this.gateway.get(path);
      this.compared.expect('AddressChains', body.addresses as object[] as Row[], wanted);
      const read = this.client.data.primaryNetwork.getChainIdsForAddresses(
        { network, addresses: group.join(',') },
        this.at,
      );
      if (this.hasPublicIds) expect(await read).toEqual({ addresses: wanted });
      // The client knows the ids of the public networks alone, and refuses others (docs/contract.md).
      else await expect(read).rejects.toThrow(/validation/i);
    }
  }

  private get hasPublicIds(): boolean {
    return identityOf(network).blockchainIds.x === '2JVSBoinj9C2J33VntvzYtVJNZdN2NKiwwKjcumHUWEb5DbBrm';
  }

  async expectUtxos(): Promise<void> {
    const addresses = this.owners.slice(0, 200);
    const [owner] = addresses;
    for (const chain of chains) {
      const own: ListedOutput[] = [];
      const list = await this.client.data.primaryNetwork.utxos.listByAddresses(
        { network, blockchainId: `${chain}-chain`, pageSize: 100, includeSpent: true, addresses: owner! },
        this.at,
      );
      for await (const { result } of list)
        own.push(...(result as unknown as { utxos: ListedOutput[] }).utxos);
      expect(own).toEqual(this.outputs[chain].filter((row) => row.addresses.includes(owner!)));
      const rows: ListedOutput[] = [];
      const pages = await this.client.data.primaryNetwork.utxos.listByAddressesV2(
        {
          network,
          blockchainId: `${chain}-chain`,
          pageSize: 700,
          includeSpent: true,
          primaryNetworkAddressesBodyDto: { addresses: addresses.join(',') },
        },
        this.at,
      );
      for await (const { result } of pages)
        rows.push(...(result as unknown as { utxos: ListedOutput[] }).utxos);
      const wanted = this.outputs[chain].filter((row) =>
        row.addresses.some((each) => addresses.includes(each)),
      );
      expect(rows).toEqual(wanted);
    }
  }

  async expectLastActivity(most: number): Promise<void> {
    for (const group of this.groups(most))
      for (const chain of chains) {
        const blockchainId = `${chain}-chain` as const;
        const addresses = group.join(',');
        const wanted = await this.lastActivityOf(group, chain);
        const { utxos } = this.client.data.primaryNetwork;
        const forms = [
          () => utxos.getLastActivityTimestampByAddresses({ network, blockchainId, addresses }, this.at),
          () =>
            utxos.getLastActivityTimestampByAddressesV2(
              { network, blockchainId, primaryNetworkAddressesBodyDto: { addresses } },
              this.at,
            ),
        ];
        for (const form of forms) {
          const read = form();
          if (wanted === null) await expect(read).rejects.toMatchObject({ statusCode: 404 });
          else this.compared.expect('LastActivity', [await read], [wanted]);
        }
      }
  }

  /** What the newest transaction of addresses did to their outputs. */
  private async lastActivityOf(group: readonly string[], chain: Chain): Promise<Row | null> {
    const { data } = await this.gateway.graphql<{ transactions: { nodes: { txHash: string }[] } }>(
      `query($addresses: [String!]) { transactions(network: fuji, blockchainId: "${chain}-chain", addresses: $addresses, first: 1) {
        nodes { txHash } } }`,
      { addresses: group },
    );
    const [newest] = data.transactions.nodes;
    if (!newest) return null;
    const { body } = await this.gateway.get(`${listOf(chain)}/transactions/${newest.txHash}`);
    const own = (rows: ListedOutput[]) =>
      rows.filter(({ addresses }) => addresses.some((each) => group.includes(each)));
    const emitted = own(body.emittedUtxos as ListedOutput[]).at(-1);
    const consumed = own(body.consumedUtxos as ListedOutput[]).at(-1);
    return {
      timestamp: body.blockTimestamp as number,
      blockNumber: body.blockNumber as string,
      txHash: newest.txHash,
      utxoId: (emitted ?? consumed)?.utxoId,
      isConsumed: !emitted,
      chainName: `${chain}-chain`,
      network,
    };
  }

  /** @returns how many rewards the lists of all addresses have */
  async expectHistoricalRewards(): Promise<number> {
    const wanted = await this.historicalRewards();
    const { rewards } = this.client.data.primaryNetwork;
    const read = async (query: object) => {
      const rows: Row[] = [];
      const pages = await rewards.listHistoricalRewards({ network, pageSize: 7, ...query }, this.at);
      for await (const { result } of pages) rows.push(...(result.historicalRewards as object[] as Row[]));
      return rows;
    };
    let listed = 0;
    for (const group of this.groups(0)) {
      const own = wanted.filter(({ addresses }) => addresses.some((each) => group.includes(each)));
      listed += own.length;
      this.compared.expect('HistoricalReward', await read({ addresses: group.join(',') }), own);
      expect(await read({ addresses: group.join(','), sortOrder: 'asc' })).toEqual(own.toReversed());
    }
    const nodes = [...new Set(wanted.map(({ nodeId }) => nodeId))];
    for (const nodeId of nodes) {
      const own = wanted.filter((row) => row.nodeId === nodeId);
      expect(await read({ nodeIds: nodeId })).toEqual(own);
      const [{ addresses: [owner = ''] } = { addresses: [] }] = own;
      expect(await read({ nodeIds: nodeId, addresses: owner })).toEqual(
        own.filter(({ addresses }) => addresses.includes(owner)),
      );
    }
    return listed;
  }

  /** The outputs that paid rewards, the newest first, each with the stake that it is for. */
  private async historicalRewards(): Promise<
    (Row & { addresses: string[]; nodeId: string; utxoId: string })[]
  > {
    const ended = await walkGraphQL(
      this.gateway,
      'transactions(network: fuji, blockchainId: "p-chain", txTypes: [RewardValidatorTx]',
      'txHash stakingTransaction { txHash nodeId startTimestamp endTimestamp amountStaked { assetId amount } } emittedUtxos { nodes { utxoId rewardType } }',
      100,
      'forward',
    );
    const byId = new Map(this.outputs.p.map((row) => [row.utxoId, row]));
    return ended.flatMap((row) => {
      const { txHash, stakingTransaction: stake, emittedUtxos } = row as unknown as Ended;
      const paid = emittedUtxos.nodes.filter(({ rewardType }) => rewardType !== null).toReversed();
      return paid.map(({ utxoId, rewardType }) => {
        const output = byId.get(utxoId) as ListedOutput & { outputIndex: number };
        return {
          addresses: output.addresses,
          txHash: stake.txHash,
          amountStaked:
            stake.amountStaked.find(({ assetId }) => assetId === output.asset.assetId)?.amount ?? '0',
          nodeId: stake.nodeId,
          startTimestamp: Number(stake.startTimestamp),
          endTimestamp: Number(stake.endTimestamp),
          rewardType,
          utxoId,
          outputIndex: output.outputIndex,
          reward: output.asset,
          rewardTxHash: txHash,
        };
      });
    });
  }

  /** @returns how many rewards the lists of all addresses have */
  async expectPendingRewards(): Promise<number> {
    const wanted = await this.pendingRewards();
    const { rewards } = this.client.data.primaryNetwork;
    const read = async (query: object) => {
      const rows: (Row & { txHash: string })[] = [];
      const pages = await rewards.listPendingRewards({ network, pageSize: 7, ...query }, this.at);
      for await (const { result } of pages) rows.push(...(result.pendingRewards as object[] as typeof rows));
      return rows;
    };
    const byHash = <Row extends { txHash: string }>(rows: readonly Row[]) =>
      rows.toSorted((a, b) => (a.txHash < b.txHash ? -1 : 1));
    let listed = 0;
    const owners = [...new Set(wanted.flatMap(({ addresses }) => addresses))];
    for (const owner of owners) {
      const own = wanted.filter(({ addresses }) => addresses.includes(owner));
      const rows = await read({ addresses: owner });
      listed += rows.length;
      this.compared.expect('PendingReward', byHash(rows), byHash(own));
      expect(await read({ addresses: owner, sortOrder: 'asc' })).toEqual(rows.toReversed());
    }
    for (const nodeId of new Set(wanted.map((row) => row.nodeId)))
      expect(byHash(await read({ nodeIds: nodeId }))).toEqual(
        byHash(wanted.filter((row) => row.nodeId === nodeId)),
      );
    return listed;
  }

  /** What delegations of now will be paid, as avalanchego splits it (reward.Split). @returns how many */
  async expectEstimates(): Promise<number> {
    const rewards = (await this.pendingRewards()).filter(({ rewardType }) => rewardType === 'DELEGATOR');
    const delegators = await allPages<Row>(this.gateway, '/v1/networks/fuji/delegators', 'delegators');
    const validators = await allPages<Row>(this.gateway, '/v1/networks/fuji/validators', 'validators');
    const byHash = new Map(delegators.map((row) => [row['txHash'], row]));
    for (const { txHash, nodeId, estimatedReward } of rewards) {
      const validator = validators.find(
        (row) => row['nodeId'] === nodeId && row['delegationFee'] && row['validationStatus'] === 'active',
      )!;
      const kept = BigInt(Math.round(Number(validator['delegationFee']) * 10_000));
      const gross = BigInt(estimatedReward.amount);
      const wanted = {
        delegationFee: validator['delegationFee'],
        estimatedGrossReward: String(gross),
        estimatedNetReward: String((gross * (1_000_000n - kept)) / 1_000_000n),
      };
      const { delegationFee, estimatedGrossReward, estimatedNetReward } = byHash.get(txHash)!;
      const found = { delegationFee, estimatedGrossReward, estimatedNetReward };
      this.compared.expect('DelegatorStake', [found], [wanted], txHash);
    }
    return rewards.length;
  }

  /** The stakes of the primary network as the follower's state has them. */
  private async pendingRewards() {
    const { rows } = await poolOf(this.gateway.storage).query<Stake>(`
      SELECT f.tx_id AS "txHash", f.node_id AS "nodeId", f.start_time::int AS start, f.end_time::int AS end,
        f.weight::text AS weight, f.potential_reward::text AS reward, f.priority, c.chain_time::int AS now
      FROM follow_staker f JOIN follow_staking c USING (network)
      WHERE f.subnet_id = '11111111111111111111111111111111LpoYY'`);
    const found = rows.map(async ({ txHash, nodeId, start, end, weight, reward, priority, now }) => {
      const { body } = await this.gateway.get(`${listOf('p')}/transactions/${txHash}`);
      const avax = (body.amountStaked as { amount: string }[])[0];
      return {
        addresses: (body.rewardAddresses as string[] | undefined) ?? [],
        txHash,
        amountStaked: weight,
        nodeId,
        startTimestamp: start,
        endTimestamp: end,
        rewardType: [1, 3, 5, 8, 10].includes(priority) ? 'DELEGATOR' : 'VALIDATOR',
        progress: Math.min(100, Math.max(0, Math.floor((100 * (now - start)) / (end - start)))),
        estimatedReward: { ...avax, amount: reward },
      };
    });
    return Promise.all(found);
  }
}

interface Ended {
  txHash: string;
  stakingTransaction: {
    txHash: string;
    nodeId: string;
    startTimestamp: number;
    endTimestamp: number;
    amountStaked: { assetId: string; amount: string }[];
  };
  emittedUtxos: { nodes: { utxoId: string; rewardType: string | null }[] };
}

interface Stake {
  txHash: string;
  nodeId: string;
  start: number;
  end: number;
  weight: string;
  reward: string;
  priority: number;
  now: number;
}
