import { createHash } from 'node:crypto';
import { ripemd160 } from '@noble/hashes/legacy.js';
import { getAddress } from 'viem';
import { formatAddress } from '../../src/avalanche/address.js';
import { decodeCb58, encodeCb58 } from '../../src/avalanche/cb58.js';
import type { OutputOwners, PTransaction, ProofOfPossession } from '../../src/avalanche/codec/types.js';
import { callsOf, checkedBytes, idsOf } from '../avalanche/codec/recorded.js';
import { anything } from './compared.js';
import { truthOf } from './node-truth.js';
import type { NodeOutput } from './output-bytes.js';
import { recordedBlocks, recordedCertificates } from './recorded-blocks.js';
import type { RecordedNetwork } from './recorded-node.js';
import { verticesOf } from './recorded-vertices.js';

export type Row = Record<string, unknown>;
type Of<Type extends PTransaction['type']> = Extract<PTransaction, { type: Type }>;
type Staking = Extract<PTransaction, { validator: object }>;

const PRIMARY = '11111111111111111111111111111111LpoYY';
const MOST_STAKE = 3_000_000n * 10n ** 9n;

export const hexOf = (bytes: Uint8Array) => `0x${Buffer.from(bytes).toString('hex')}`;
export const addressesOf = ({ addresses }: OutputOwners) =>
  addresses.map((each) => formatAddress('fuji', each));
export const withoutPrefix = (address: string) => address.replace(/^[PXC]-/, '');
export const blsOf = ({ publicKey, proof }: ProofOfPossession) => ({
  publicKey: hexOf(publicKey),
  proofOfPossession: hexOf(proof),
});
export const shareOf = (shares: number) => String(shares / 10_000);
export const isStaking = (one: PTransaction): one is Staking => 'validator' in one;
export const isDelegation = (one: PTransaction) => /Delegator/.test(one.type);
/** The part of a reward that the delegator gets: what the node rounds (avalanchego's reward.Split). */
const delegatorsPart = (total: bigint, shares: number) => (total * BigInt(1_000_000 - shares)) / 1_000_000n;

/** A block as the list of REST must show it. */
type BlockRow = Row & { blockNumber: string; blockHash: string; blockTimestamp: unknown };

/** What replies of the published API must say of a recorded network, by its node's answers and by bytes. */
export class PublishedTruth {
  readonly node;
  private readonly calls;
  readonly p: readonly PTransaction[];
  /** The blocks of P and X by transaction. */
  private readonly positions: Readonly<Record<'p' | 'x', Map<string, BlockRow>>>;
  readonly rewards: ReadonlyMap<string, NodeOutput[]>;
  /** What the node says of stakers and their delegators now, by transaction. */
  readonly now = new Map<string, Row>();
  private readonly lists: Readonly<Record<'p' | 'x', BlockRow[]>>;

  constructor(private readonly network: RecordedNetwork) {
    this.node = truthOf(network);
    this.calls = callsOf(network, 'p-state');
    const status = callsOf(network, 'c').filter(({ method }) => method === 'avax.getAtomicTxStatus');
    this.cPositions = new Map(
      status.map(({ args, result }) => [String(args['txID']), Number(result['blockHeight'])]),
    );
    const [upgrades] = callsOf(network, 'info').filter(({ method }) => method === 'info.upgrades');
    this.durango = Date.parse(upgrades!.result['durangoTime'] as string) / 1000;
    this.p = this.node.allTransactions().p as PTransaction[];
    this.refused = new Set(
      callsOf(network, 'p')
        .filter(({ method, result }) => method === 'platform.getTxStatus' && result['status'] !== 'Committed')
        .map(({ args }) => args['txID']),
    );
    const begun = this.p.filter(isStaking).filter(({ id }) => !this.refused.has(id));
    this.begun = new Map(begun.map((one) => [one.id, one]));
    this.rewards = this.node.rewards();
    this.lists = { p: this.blocks('p'), x: this.blocks('x') };
    this.positions = { p: this.positioned('p'), x: this.positioned('x') };
    for (const { method, result } of this.calls)
      if (method === 'platform.getCurrentValidators')
        for (const each of result['validators'] as Row[]) {
          if (each['txID'] === undefined) continue;
          this.now.set(each['txID'] as string, { ...this.now.get(each['txID'] as string), ...each });
          for (const one of (each['delegators'] ?? []) as Row[]) this.now.set(String(one['txID']), one);
        }
  }

  answer(method: string, args: Row = {}): Row {
    const found = this.calls.find(
      (call) =>
        call.method === `platform.${method}` &&
        Object.entries(args).every(([name, value]) => call.args[name] === value),
    );
    return found?.result ?? {};
  }

  /** The blocks of a chain, newest first. */
  blockRows(chain: 'p' | 'x' | 'c'): BlockRow[] {
    return chain === 'c' ? this.cBlocks() : this.lists[chain];
  }

  private blocks(chain: 'p' | 'x'): BlockRow[] {
    const signed = this.proposers(chain);
    const ids = idsOf(this.network)[chain === 'p' ? 'P' : 'X'];
    const parents = this.parentsOf(chain);
    let time: unknown = chain === 'p' ? this.node.genesis.time : anything;
    const advanced = new Map(
      this.p.flatMap((one) => (one.type === 'AdvanceTimeTx' ? [[one.id, one.time]] : [])),
    );
    let proposed: number | null = null;
    return recordedBlocks(this.network, chain)
      .map((block, height): BlockRow => {
        // Before Banff the time is that of the chain, which an accepted proposal changes.
        if (block.timestamp !== null) time = block.timestamp;
        else if (block.blockType === 'commit' && proposed !== null) time = proposed;
        const [, , transactions] = ids[height]!;
        const [first = ''] = transactions;
        proposed = block.blockType === 'proposal' && advanced.has(first) ? Number(advanced.get(first)) : null;
        const proposerDetails = signed.get(block.hash);
        return {
          blockNumber: block.number,
          blockHash: block.hash,
          parentHash: parents[height],
          blockTimestamp: time,
          blockType: block.blockType,
          txCount: block.txCount,
          // Block 0 has the transactions of genesis, which are in no bytes of it.
          transactions: height === 0 ? anything : transactions,
          blockSizeBytes: block.sizeBytes,
          ...(proposerDetails && { proposerDetails }),
        };
      })
      .reverse();
  }

  /** By height: what the bytes have after version and type, on P since Banff after the time too. */
  private parentsOf(chain: 'p' | 'x'): string[] {
    const parents: string[] = [];
    const ids = idsOf(this.network)[chain === 'p' ? 'P' : 'X'];
    for (const { method, args, result } of callsOf(this.network, chain)) {
      if (!method.endsWith('.getBlockByHeight')) continue;
      const bytes = Buffer.from(checkedBytes(result['block']));
      const height = Number(args['height']);
      const type = bytes.readUInt32BE(2);
      // A proposal of Banff has transactions before it, of any length: of the block before it its bytes have
      // the id.
      const isAfterTransactions = chain === 'p' && type === 29 && bytes.readUInt32BE(14) > 0;
      const at = isAfterTransactions
        ? bytes.indexOf(decodeCb58(ids[height - 1]![0]) as Uint8Array)
        : chain === 'x' || type < 29
          ? 6
          : type === 29
            ? 18
            : 14;
      parents[height] = encodeCb58(bytes.subarray(at, at + 32));
    }
    return parents;
  }

  private proposers(chain: 'p' | 'x' | 'c') {
    const found = [...recordedCertificates(this.network, chain)].map(([hash, certificate]) => {
      const id = ripemd160(createHash('sha256').update(certificate).digest());
      return [hash, { proposerNodeId: `NodeID-${encodeCb58(id)}` }] as const;
    });
    return new Map(found);
  }

  /** Those that have atomic transactions. */
  private cBlocks(): BlockRow[] {
    const signed = this.proposers('c');
    const headers = callsOf(this.network, 'c')
      .filter(({ method }) => method === 'eth_getBlockByNumber')
      .map(({ result }) => result as Record<string, string>);
    const wanted = new Set(this.node.transactions().c.map(({ id }) => this.cPositions.get(id)));
    const rows = [...new Map(headers.map((each) => [Number(each['number']), each]))]
      .filter(([number]) => wanted.has(number))
      .sort(([one], [other]) => other - one);
    return rows.map(([number, header]): BlockRow => {
      const transactions = [...this.cPositions].filter(([, height]) => height === number).map(([id]) => id);
      const proposerDetails = signed.get(header['hash'] as string);
      return {
        blockNumber: String(number),
        blockHash: header['hash'] as string,
        parentHash: header['parentHash'],
        blockTimestamp: Number(header['timestamp']),
        blockType: 'UNKNOWN',
        txCount: transactions.length,
        transactions,
        blockSizeBytes: 0,
        ...(proposerDetails && { proposerDetails }),
      };
    });
  }

  /** Heights of the blocks of atomic transactions, as the node says them. */
  private readonly cPositions: ReadonlyMap<string, number>;

  private positioned(chain: 'p' | 'x'): Map<string, BlockRow> {
    const heights = idsOf(this.network)[chain === 'p' ? 'P' : 'X'];
    const rows = new Map(this.lists[chain].map((each) => [Number(each.blockNumber), each]));
    return new Map(heights.flatMap(([, , ids], height) => ids.map((id) => [id, rows.get(height)!] as const)));
  }

  /** The block of a transaction of P or X; those of genesis are in block 0. */
  positionOf(chain: 'p' | 'x', id: string): BlockRow {
    return this.positions[chain].get(id) ?? this.lists[chain].at(-1)!;
  }

  ofType<Type extends PTransaction['type']>(...types: Type[]): Of<Type>[] {
    return this.p.filter((one): one is Of<Type> => (types as string[]).includes(one.type));
  }

  /** The subnets that transactions created, by id. */
  subnetRows(): Map<string, Row> {
    const chains = this.blockchainRows();
    return new Map(
      this.ofType('CreateSubnetTx').map((created) => {
        const { id } = created;
        const owners = this.ofType('TransferSubnetOwnershipTx').filter(({ subnetId }) => subnetId === id);
        const { owner } = owners.at(-1) ?? created;
        const said = this.answer('getSubnet', { subnetID: id });
        const listed = (this.answer('getSubnets')['subnets'] as Row[]).find((each) => each['id'] === id);
        // The order is that of the bytes.
        const addresses = addressesOf(owner);
        const keys = said['controlKeys'] ?? listed?.['controlKeys'];
        if (String((keys as string[]).map(withoutPrefix).sort()) !== String(addresses.toSorted()))
          throw new Error(`the node says other owners of ${id}`);
        const { threshold } = owner;
        const locktime = Number(owner.locktime);
        const conversion = this.ofType('ConvertSubnetToL1Tx').find(({ subnetId }) => subnetId === id);
        const position = this.positionOf('p', id);
        return [
          id,
          {
            subnetId: id,
            createBlockTimestamp: position.blockTimestamp,
            createBlockIndex: position.blockNumber,
            ownerAddresses: addresses,
            threshold,
            locktime,
            subnetOwnershipInfo: { locktime, threshold, addresses },
            isL1:
              said['conversionID'] === undefined ? anything : !/^1{20}/.test(said['conversionID'] as string),
            ...(conversion && {
              l1ConversionTransactionHash: conversion.id,
              l1ValidatorManagerDetails: {
                blockchainId: said['managerChainID'],
                contractAddress: getAddress(String(said['managerAddress'])),
              },
            }),
            blockchains: [...chains.values()].filter(({ subnetId }) => subnetId === id),
          },
        ];
      }),
    );
  }

  /** The C-chain in the list of chains: what its node and the transaction that made it say. */
  cChainRow(chainId: string): Row {
    const made = (this.answer('getBlockchains')['blockchains'] as Row[]).find(
      ({ name }) => name === 'C-Chain',
    );
    return {
      chainId,
      status: 'OK',
      chainName: made!['name'],
      description: '',
      vmName: 'EVM',
      vmId: made!['vmID'],
      subnetId: made!['subnetID'],
      platformChainId: made!['id'],
      rpcUrl: '',
      isTestnet: true,
      networkToken: { name: 'Avalanche', symbol: 'AVAX', decimals: 18 },
    };
  }

  /** The blockchains that transactions created, newest first. */
  blockchainRows(): Map<string, Row> {
    const said = new Map(
      (this.answer('getBlockchains')['blockchains'] as Row[]).map((each) => [each['id'], each]),
    );
    const rows = this.ofType('CreateChainTx').map((one): [string, Row] => {
      const { id } = one;
      const node = said.get(id)!;
      const position = this.positionOf('p', id);
      const evmChainId = evmIdIn(one.genesis);
      return [
        id,
        {
          blockchainId: id,
          blockchainName: node['name'],
          vmId: node['vmID'],
          subnetId: node['subnetID'],
          ...(evmChainId !== null && { evmChainId }),
          createBlockTimestamp: position.blockTimestamp,
          createBlockNumber: position.blockNumber,
        },
      ];
    });
    return new Map(rows.reverse());
  }

  /** Proposals that were not accepted. */
  private readonly refused: ReadonlySet<unknown>;

  /** Stakes that began, by id: none of those whose proposal was refused. */
  readonly begun: ReadonlyMap<string, Staking>;

  periodOf(one: Staking) {
    const said = this.now.get(one.id);
    const position = this.positionOf('p', one.id);
    const isSinceDurango = Number(position.blockTimestamp) >= this.durango;
    const start = isSinceDurango ? Number(position.blockTimestamp) : Number(one.validator.start);
    return {
      startTimestamp: said ? Number(said['startTime']) : start,
      endTimestamp: said ? Number(said['endTime']) : Number(one.validator.end),
    };
  }

  private readonly durango: number;

  sharesOf(one: Staking): number | null {
    return 'delegationShares' in one ? one.delegationShares : null;
  }

  /** The validator to which a delegation delegates: the newest stake of the node by then. */
  private validatorOf(one: Staking): Staking | undefined {
    const order = (id: string) => Number(this.positionOf('p', id).blockNumber);
    return [...this.begun.values()]
      .filter(
        (each) =>
          this.sharesOf(each) !== null &&
          each.validator.nodeId === one.validator.nodeId &&
          each.subnetId === one.subnetId &&
          order(each.id) <= order(one.id),
      )
      .sort((a, b) => order(b.id) - order(a.id))[0];
  }

  endOf(id: string): string | undefined {
    return this.ofType('RewardValidatorTx').find(({ stakingTxId }) => stakingTxId === id)?.id;
  }

  /** Whether the end of a stake was decided in its favour. */
  isRewarded(id: string): boolean {
    return !this.refused.has(this.endOf(id));
  }

  private removalOf(one: Staking) {
    const { endTimestamp } = this.periodOf(one);
    // One that waits for its start can be removed too.
    const added = Number(this.positionOf('p', one.id).blockNumber);
    const removal = this.ofType('RemoveSubnetValidatorTx').find((each) => {
      const { blockTimestamp, blockNumber } = this.positionOf('p', each.id);
      const isSame = each.nodeId === one.validator.nodeId && each.subnetId === one.subnetId;
      return isSame && Number(blockNumber) > added && Number(blockTimestamp) < endTimestamp;
    });
    return one.type === 'AddSubnetValidatorTx' && !this.now.has(one.id) ? removal : undefined;
  }

  private delegationsTo(one: Staking): Staking[] {
    const period = this.periodOf(one);
    return [...this.begun.values()].filter((each) => {
      const own = this.periodOf(each);
      return (
        isDelegation(each) &&
        each.validator.nodeId === one.validator.nodeId &&
        each.subnetId === one.subnetId &&
        own.startTimestamp >= period.startTimestamp &&
        own.endTimestamp <= period.endTimestamp
      );
    });
  }

  rewardOwners(one: Staking): string[] | undefined {
    if ('rewardsOwner' in one) return addressesOf(one.rewardsOwner);
    if (!('validatorRewardsOwner' in one)) return undefined;
    const both = [one.validatorRewardsOwner, one.delegatorRewardsOwner].flatMap(addressesOf);
    return [...new Set(both)];
  }

  /** Stakes of validators by their transactions. */
  validatorRows(): Map<string, Row> {
    const validators = [...this.begun.values()].filter((one) => !isDelegation(one));
    return new Map(validators.map((one) => [one.id, this.validatorRow(one)]));
  }

  private validatorRow(one: Staking): Row {
    const said = this.now.get(one.id);
    const removal = this.removalOf(one);
    const shares = this.sharesOf(one);
    const isPermissioned = one.type === 'AddSubnetValidatorTx';
    const { weight } = one.validator;
    const signer = 'signer' in one ? one.signer : null;
    const common = {
      txHash: one.id,
      nodeId: one.validator.nodeId,
      subnetId: one.subnetId,
      amountStaked: String(isPermissioned && !said ? 0n : weight),
      ...(shares !== null && { delegationFee: shareOf(shares) }),
      ...this.periodOf(one),
      ...(signer && { blsCredentials: blsOf(signer) }),
    };
    if (said) return { ...common, ...this.activeRow(one, said) };
    if (removal)
      return {
        ...common,
        validationStatus: 'removed',
        removeTxHash: removal.id,
        removeTimestamp: this.positionOf('p', removal.id).blockTimestamp,
      };
    const delegations = this.delegationsTo(one);
    const paid = this.rewards.get(one.id) ?? [];
    // One that is not rewarded may still get its part of what its delegators were paid.
    const [own, shared] = this.isRewarded(one.id) ? paid : [undefined, ...paid];
    const amount = delegations.reduce((all, each) => all + each.validator.weight, 0n);
    return {
      ...common,
      validationStatus: 'completed',
      delegatorCount: delegations.length,
      ...(!isPermissioned && { amountDelegated: String(amount) }),
      rewards: {
        validationRewardAmount: own?.amount ?? '0',
        delegationRewardAmount: shared?.amount ?? '0',
        rewardAddresses: this.rewardOwners(one),
        rewardTxHash: this.endOf(one.id),
      },
    };
  }

  private activeRow(one: Staking, said: Row): Row {
    const isPermissioned = one.type === 'AddSubnetValidatorTx';
    const { weight } = one.validator;
    const delegated = BigInt((said['delegatorWeight'] as string | undefined) ?? 0);
    const all = [...this.validatorsOf(one.subnetId)].reduce(
      (sum, each) =>
        sum +
        BigInt(String(each['weight'])) +
        BigInt(String((each['delegatorWeight'] ?? 0) as string | number)),
      0n,
    );
    const most = 5n * weight < MOST_STAKE ? 5n * weight : MOST_STAKE;
    const room = most - weight - delegated;
    const shares = this.sharesOf(one) ?? 0;
    const shared = ((said['delegators'] ?? []) as Row[]).reduce((sum, each) => {
      const total = BigInt(String(each['potentialReward']));
      return sum + total - delegatorsPart(total, shares);
    }, 0n);
    return {
      validationStatus: 'active',
      stakePercentage: Math.round((Number(weight) / Number(all)) * 1e8) / 1e6,
      delegatorCount: Number(said['delegatorCount'] ?? 0),
      ...(!isPermissioned && { amountDelegated: String(delegated) }),
      ...(one.subnetId === PRIMARY && { delegationCapacity: String(room > 0n ? room : 0n) }),
      potentialRewards: {
        validationRewardAmount: said['potentialReward'] ?? '0',
        delegationRewardAmount: String(
          BigInt((said['accruedDelegateeReward'] as string | undefined) ?? 0) + shared,
        ),
        rewardAddresses: this.rewardOwners(one),
      },
      uptimePerformance: Number(said['uptime'] ?? 0),
      validatorHealth: {
        reachabilityPercent: 0,
        benchedPChainRequestsPercent: 0,
        benchedXChainRequestsPercent: 0,
        benchedCChainRequestsPercent: 0,
      },
      geolocation: null,
    };
  }

  /** What the node says of the present validators of a subnet. */
  private validatorsOf(subnetID: string): Row[] {
    const { validators } = this.answer('getCurrentValidators', subnetID === PRIMARY ? {} : { subnetID }) as {
      validators: Row[];
    };
    return validators;
  }

  /** Stakes of delegators by their transactions. */
  delegatorRows(): Map<string, Row> {
    return new Map(
      [...this.begun.values()].filter(isDelegation).map((one) => [one.id, this.delegatorRow(one)]),
    );
  }

  private delegatorRow(one: Staking): Row {
    const validator = this.validatorOf(one);
    const shares = (validator && this.sharesOf(validator)) ?? 0;
    const said = this.now.get(one.id);
    const common = {
      txHash: one.id,
      nodeId: one.validator.nodeId,
      rewardAddresses: this.rewardOwners(one),
      amountDelegated: String(one.validator.weight),
      delegationFee: shareOf(shares),
      ...this.periodOf(one),
    };
    if (said) {
      const total = BigInt(String(said['potentialReward']));
      return {
        ...common,
        delegationStatus: 'active',
        estimatedGrossReward: String(total),
        estimatedNetReward: String(delegatorsPart(total, shares)),
      };
    }
    // Where the validator keeps all, what is paid is its part.
    const [paid] = shares === 1_000_000 ? [] : (this.rewards.get(one.id) ?? []);
    return {
      ...common,
      delegationStatus: 'completed',
      // What the validator gets of it is paid with its own reward, with that of others: isGross compares it.
      grossReward: this.isRewarded(one.id) ? anything : '0',
      netReward: paid?.amount ?? '0',
    };
  }

  /** Whether a gross reward of a delegation is one of which the delegator's part is what was paid. */
  isGross(txHash: string, gross: string): boolean {
    const one = this.begun.get(txHash)!;
    const validator = this.validatorOf(one);
    const shares = (validator && this.sharesOf(validator)) ?? 0;
    const paid = shares === 1_000_000 ? '0' : (this.rewards.get(txHash)?.[0]?.amount ?? '0');
    return String(delegatorsPart(BigInt(gross), shares)) === paid;
  }

  /** L1 validators that are not removed, by validation. */
  l1Rows(): Map<string, Row> {
    const proofs = new Map<string, string>();
    for (const { validators } of this.ofType('ConvertSubnetToL1Tx'))
      for (const { validationId, signer } of validators) proofs.set(validationId, hexOf(signer.proof));
    for (const { warp, proofOfPossession } of this.ofType('RegisterL1ValidatorTx'))
      proofs.set(warp.message.validationId, hexOf(proofOfPossession));
    const found = this.calls
      .filter(({ method }) => method === 'platform.getCurrentValidators')
      .flatMap(({ args, result }) =>
        (result['validators'] as Row[])
          .filter((each) => each['validationID'] !== undefined)
          .map((each): [string, Row] => [
            String(each['validationID']),
            { ...each, subnetId: args['subnetID'] },
          ]),
      );
    return new Map(
      [...new Map(found)].map(([validationId, said]) => {
        const { addresses, threshold } = said['remainingBalanceOwner'] as {
          addresses: string[];
          threshold: string;
        };
        const row = {
          validationId,
          validationIdHex: hexOf(decodeCb58(validationId) as Uint8Array),
          nodeId: said['nodeID'],
          subnetId: said['subnetId'],
          weight: Number(said['weight']),
          remainingBalance: Number(said['balance']),
          creationTimestamp: Number(said['startTime']),
          blsCredentials: { publicKey: said['publicKey'], proofOfPossession: proofs.get(validationId) },
          remainingBalanceOwner: { addresses: addresses.map(withoutPrefix), threshold: Number(threshold) },
          deactivationOwner: { addresses: [], threshold: 0 },
        };
        return [validationId, row];
      }),
    );
  }

  networkDetails(): Row {
    const validators = this.validatorsOf(PRIMARY);
    const stakes = this.p
      .filter(isStaking)
      .filter(({ id, subnetId }) => this.now.has(id) && subnetId === PRIMARY);
    const sum = (rows: readonly Row[], name: string) =>
      rows.reduce((all, each) => all + BigInt(String((each[name] ?? 0) as string | number)), 0n);
    const said = stakes.map(({ id }) => this.now.get(id)!);
    const delegations = stakes.filter(isDelegation);
    const delegated = delegations.reduce((all, { validator }) => all + validator.weight, 0n);
    const own = sum(validators, 'weight');
    const { supply } = this.answer('getCurrentSupply');
    const millionths = ((own + delegated) * 1_000_000n) / BigInt(String(supply));
    return {
      validatorDetails: {
        validatorCount: validators.length,
        totalAmountStaked: String(own),
        estimatedAnnualStakingReward: String(sum(said, 'potentialReward')),
        stakingDistributionByVersion: [],
        stakingRatio: `${millionths / 1_000_000n}.${String(millionths % 1_000_000n).padStart(6, '0')}`,
      },
      delegatorDetails: { delegatorCount: delegations.length, totalAmountStaked: String(delegated) },
    };
  }

  /** The assets of the X-chain as their creations and the node say them, by id. */
  assetRows(): Map<string, Row> {
    const said = new Map(
      callsOf(this.network, 'x')
        .filter(({ method }) => method === 'avm.getAssetDescription')
        .map(({ result }) => [result['assetID'], result]),
    );
    const genesis = new Set(this.node.genesis.assets.map(({ transaction }) => transaction.id));
    const created = this.node.allTransactions().x.filter((one) => 'symbol' in one);
    return new Map(
      created.map((one) => {
        const node = said.get(one.id);
        const kinds = one.outputs.map(({ output }) => output.kind);
        // Of one with coins and NFTs nothing says which it is.
        const nfts = kinds.filter((kind) => kind.startsWith('nft')).length;
        const row = {
          assetId: one.id,
          name: node?.['name'] ?? anything,
          symbol: node?.['symbol'] ?? anything,
          denomination: node ? Number(node['denomination']) : anything,
          type: nfts === kinds.length ? 'nft' : nfts === 0 ? 'secp256k1' : anything,
          createdAtTimestamp: genesis.has(one.id) ? anything : this.timeOfX(one.id),
          cap: kinds.some((kind) => kind.endsWith('mint')) ? 'variable' : 'fixed',
        };
        return [one.id, row];
      }),
    );
  }

  isGenesis(id: string): boolean {
    return this.node.genesis.assets.some(({ transaction }) => transaction.id === id);
  }

  /** The block of a transaction of the X-chain; null of one that is in vertices. */
  blockOfX(id: string): BlockRow | null {
    return this.positions.x.get(id) ?? null;
  }

  /** The vertices of transactions of the X-chain, as transactions show them. */
  verticesOfTransactions(): Map<string, Row[]> {
    const found = new Map<string, Row[]>();
    for (const each of verticesOf(this.network) as Row[])
      for (const id of each['transactions'] as string[]) {
        const row = {
          hash: each['vertexHash'],
          height: each['vertexHeight'],
          timestamp: each['vertexTimestamp'],
        };
        found.set(id, [...(found.get(id) ?? []), row]);
      }
    return found;
  }

  /** Of one that is in vertices nothing recorded says the time. */
  private timeOfX(id: string): unknown {
    return this.positions.x.get(id)?.blockTimestamp ?? anything;
  }
}

/** The EVM chain id in a genesis; null of other virtual machines. */
export function evmIdIn(genesis: Uint8Array): number | null {
  try {
    const { config } = JSON.parse(Buffer.from(genesis).toString()) as { config?: { chainId?: number } };
    return config?.chainId ?? null;
  } catch {
    return null;
  }
}
