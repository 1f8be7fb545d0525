import { getAddress } from 'viem';
import { decodeCb58 } from '../../src/avalanche/cb58.js';
import type {
  AtomicTransaction,
  Produced,
  PTransaction,
  SubnetTransformation,
  Transaction,
} from '../../src/avalanche/codec/types.js';
import { anything } from './compared.js';
import {
  addressesOf,
  blsOf,
  evmIdIn,
  hexOf,
  isStaking,
  shareOf,
  type PublishedTruth,
  type Row,
} from './published-truth.js';

/** An output as the lists of outputs show it, which outputs.test.ts compares with the node's. */
export type ListedRow = Row & { utxoId: string; utxoBytes: string; assetId: string; amount: string };
type Amounts = ReadonlyMap<string, bigint>;

/** By asset, in the order in which the assets come first. */
function sumsOf(all: readonly { assetId: string; amount: bigint }[]): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const { assetId, amount } of all) sums.set(assetId, (sums.get(assetId) ?? 0n) + amount);
  return sums;
}
const amountsOf = (rows: readonly ListedRow[]) =>
  sumsOf(rows.map(({ assetId, amount }) => ({ assetId, amount: BigInt(amount) })));

/** What transactions of the published API must say of a recorded network. */
export class TransactionTruth {
  private readonly assets: ReadonlyMap<string, Row>;
  private readonly all;

  constructor(
    private readonly truth: PublishedTruth,
    /** All outputs, by id. */
    private readonly outputs: ReadonlyMap<string, ListedRow>,
  ) {
    this.assets = truth.assetRows();
    this.all = truth.node.allTransactions();
  }

  private assetOf(assetId: string, amount: bigint): Row {
    const { name, symbol, denomination, type } = this.assets.get(assetId) ?? {};
    return { assetId, name, symbol, denomination, type, amount: String(amount) };
  }

  private assetsOf(sums: Amounts): Row[] {
    return [...sums].map(([assetId, amount]) => this.assetOf(assetId, amount));
  }

  private spent(one: Transaction): ListedRow[] {
    return one.inputs.map(({ utxoId }) => this.outputs.get(utxoId)!);
  }

  private made(one: { outputs: readonly Produced[] }): ListedRow[] {
    return one.outputs.map(({ utxoId }) => this.outputs.get(utxoId)!);
  }

  /** Of the P-chain, by id. What the end of a stake gives back and pays is in no bytes of its transaction. */
  ofP(found: ReadonlyMap<string, Row>): Map<string, Row> {
    return new Map(this.truth.p.map((one) => [one.id, this.pRow(one, found.get(one.id))]));
  }

  private pRow(one: PTransaction, found: Row | undefined): Row {
    const position = this.truth.positionOf('p', one.id);
    const isGenesis = !one.bytes.length || position.blockNumber === '0';
    const returns =
      /^(RewardValidator|RewardAutoRenewedValidator|DisableL1Validator|SetL1ValidatorWeight)Tx$/.test(
        one.type,
      );
    const emitted = returns
      ? ((found?.['emittedUtxos'] as ListedRow[] | undefined) ?? []).map(({ utxoId }) =>
          this.outputs.get(utxoId)!,
        )
      : this.made(one);
    const spent = this.spent(one);
    const l1Balance = l1BalanceOf(one);
    const value = amountsOf(emitted);
    const { avaxAssetId } = this.truth.node.genesis;
    const l1 = sumsOf(l1Balance > 0n ? [{ assetId: avaxAssetId, amount: l1Balance }] : []);
    const left = [...amountsOf(spent)]
      .map(
        ([assetId, amount]) =>
          [assetId, amount - (value.get(assetId) ?? 0n) - (l1.get(assetId) ?? 0n)] as const,
      )
      .filter(([, amount]) => amount > 0n);
    const stakes = isStaking(one) && this.truth.begun.has(one.id);
    const staked = stakes ? one.outputs.filter(({ role }) => role === 'stake') : [];
    return {
      txHash: one.id,
      txType: one.type,
      blockTimestamp: position.blockTimestamp,
      blockNumber: position.blockNumber,
      blockHash: position.blockHash,
      value: this.assetsOf(value),
      amountBurned: returns || isGenesis ? anything : this.assetsOf(new Map(left)),
      amountStaked: isGenesis
        ? anything
        : this.assetsOf(sumsOf(staked.map(({ assetId, output }) => ({ assetId, amount: output.amount })))),
      amountL1ValidatorBalanceBurned: this.assetsOf(l1),
      ...this.chainsOf(one, '11111111111111111111111111111111LpoYY'),
      ...('base' in one && one.base && { memo: hexOf(one.base.memo) }),
      ...this.ownMembers(one),
      consumedUtxos: spent,
      emittedUtxos: isGenesis ? anything : emitted,
    };
  }

  private chainsOf(one: object, own: string): Row {
    const { sourceChain, destinationChain } = one as { sourceChain?: string; destinationChain?: string };
    if (sourceChain !== undefined) return { sourceChain, destinationChain: own };
    return destinationChain === undefined ? {} : { sourceChain: own, destinationChain };
  }

  private ownMembers(one: PTransaction): Row {
    if (isStaking(one)) return this.stakeMembers(one);
    switch (one.type) {
      case 'CreateSubnetTx':
      case 'TransferSubnetOwnershipTx': {
        const { locktime, threshold } = one.owner;
        const addresses = addressesOf(one.owner);
        return {
          subnetId: one.type === 'CreateSubnetTx' ? one.id : one.subnetId,
          subnetOwnershipInfo: { locktime: Number(locktime), threshold, addresses },
        };
      }
      case 'CreateChainTx':
        return {
          subnetId: one.subnetId,
          blockchainInfo: {
            chainName: one.chainName,
            vmId: one.vmId,
            genesisData: genesisOf(one.genesis),
          },
        };
      case 'RemoveSubnetValidatorTx':
        return { nodeId: one.nodeId, subnetId: one.subnetId };
      case 'TransformSubnetTx':
        return { subnetId: one.subnetId, subnetTransformation: transformationOf(one.transformation) };
      case 'RewardValidatorTx': {
        const ended = this.truth.begun.get(one.stakingTxId)!;
        const { nodeId } = ended.validator;
        return { stakingTxHash: one.stakingTxId, nodeId, subnetId: ended.subnetId };
      }
      case 'ConvertSubnetToL1Tx':
        return {
          subnetId: one.subnetId,
          l1ValidatorManagerDetails: {
            blockchainId: one.managerChainId,
            contractAddress: getAddress(hexOf(one.managerAddress)),
          },
          l1ValidatorDetails: one.validators.map(({ validationId, nodeId, weight, balance, signer }) => ({
            ...l1Names(validationId, nodeId, one.subnetId),
            weight: Number(weight),
            remainingBalance: Number(balance),
            ...(balance > 0n && { balanceChange: Number(balance) }),
            blsCredentials: blsOf(signer),
          })),
        };
      case 'RegisterL1ValidatorTx': {
        const { validationId, nodeId, subnetId, weight, blsPublicKey } = one.warp.message;
        const blsCredentials = blsOf({ publicKey: blsPublicKey, proof: one.proofOfPossession });
        const remainingBalance = Number(one.balance);
        return {
          l1ValidatorDetails: [
            {
              ...l1Names(validationId, nodeId, subnetId),
              weight: Number(weight),
              remainingBalance,
              ...(remainingBalance > 0 && { balanceChange: remainingBalance }),
              blsCredentials,
            },
          ],
        };
      }
      case 'SetL1ValidatorWeightTx':
        return this.changeOf(one.warp.message.validationId, {
          weight: Number(one.warp.message.weight),
          balanceChange: anything,
        });
      case 'IncreaseL1ValidatorBalanceTx':
        return this.changeOf(one.validationId, { weight: anything, balanceChange: Number(one.balance) });
      case 'DisableL1ValidatorTx':
        return this.changeOf(one.validationId, { weight: anything, balanceChange: anything });
      case 'ImportTx':
      case 'ExportTx':
      case 'BaseTx':
      case 'AdvanceTimeTx':
      case 'RewardAutoRenewedValidatorTx':
      case 'SetAutoRenewedValidatorConfigTx':
      case 'AddAutoRenewedValidatorTx':
        return {};
    }
  }

  /** Of the blockchains that transactions created: their genesis as the bytes have it. */
  genesisData(): [id: string, data: unknown][] {
    return this.truth.ofType('CreateChainTx').map(({ id, genesis }) => [id, genesisOf(genesis)]);
  }

  /** What changed of an L1 validator; its balance then is in no bytes. */
  private changeOf(validationId: string, changed: Row): Row {
    return {
      l1ValidatorDetails: [
        { ...l1Names(validationId, anything, anything), remainingBalance: anything, ...changed },
      ],
    };
  }

  private stakeMembers(one: Extract<PTransaction, { validator: object }>): Row {
    const named = { nodeId: one.validator.nodeId, subnetId: one.subnetId };
    if (!this.truth.begun.has(one.id)) return named;
    const shares = this.truth.sharesOf(one);
    const signer = 'signer' in one ? one.signer : null;
    const said = this.truth.now.get(one.id);
    // One that is not rewarded may still be paid its part of what its delegators were.
    const [own] = this.truth.isRewarded(one.id) ? (this.truth.rewards.get(one.id) ?? []) : [];
    const isDelegation = /Delegator/.test(one.type);
    const estimated = said?.['potentialReward'] ?? (isDelegation || !own ? anything : own.amount);
    return {
      ...named,
      ...this.truth.periodOf(one),
      ...(shares !== null && { delegationFeePercent: shareOf(shares) }),
      rewardAddresses: this.truth.rewardOwners(one),
      ...(signer && { blsCredentials: blsOf(signer) }),
      estimatedReward: one.type === 'AddSubnetValidatorTx' ? undefined : estimated,
      rewardTxHash: this.truth.endOf(one.id),
    };
  }

  /** Of the X-chain. */
  ofX(): Map<string, Row> {
    const vertices = this.truth.verticesOfTransactions();
    return new Map(
      this.all.x.map((one) => {
        const isGenesis = this.truth.isGenesis(one.id);
        const position = isGenesis ? null : this.truth.blockOfX(one.id);
        const [spent, made] = [this.spent(one), this.made(one)];
        const { base, type } = one as unknown as { base: { memo: Uint8Array }; type: string };
        const row = {
          txHash: one.id,
          txType: type,
          timestamp: position?.blockTimestamp ?? anything,
          memo: hexOf(base.memo),
          ...this.chainsOf(one, this.truth.node.genesis.xChainId),
          chainFormat: isGenesis ? anything : position ? 'linear' : 'non-linear',
          blockHeight: isGenesis ? anything : position ? Number(position.blockNumber) : undefined,
          blockHash: isGenesis ? anything : position?.blockHash,
          vertices: isGenesis ? anything : position ? undefined : vertices.get(one.id),
          consumedUtxos: spent.map((each) => this.xUtxo(each)),
          emittedUtxos: made.map((each) => this.xUtxo(each)),
          amountUnlocked: this.assetsOf(amountsOf(spent)),
          amountCreated: this.assetsOf(amountsOf(made)),
        };
        return [one.id, row];
      }),
    );
  }

  /** An output as lists of the X- and C-chain have it. */
  private xUtxo(row: ListedRow): Row {
    const bytes = Buffer.from(row.utxoBytes.slice(2), 'hex');
    // After version, transaction, index and asset.
    const type = bytes.readUInt32BE(70);
    const isNft = type === 10 || type === 11;
    return {
      utxoId: row.utxoId,
      creationTxHash: row['txHash'],
      outputIndex: String(row['outputIndex']),
      timestamp: row['blockTimestamp'],
      addresses: row['addresses'],
      threshold: row['threshold'],
      locktime: row['platformLocktime'] ?? 0,
      asset: this.assetOf(row.assetId, BigInt(row.amount)),
      utxoType: row['utxoType'],
      createdOnChainId: row['createdOnChainId'],
      consumedOnChainId: row['consumedOnChainId'],
      consumingTxHash: row['consumingTxHash'],
      consumingTxTimestamp: row['consumingBlockTimestamp'],
      ...(isNft && { groupId: bytes.readUInt32BE(74) }),
      ...(type === 11 && { payload: hexOf(bytes.subarray(82, 82 + bytes.readUInt32BE(78))) }),
      utxoBytes: row.utxoBytes,
    };
  }

  /** Of the C-chain. */
  ofC(): Map<string, Row> {
    const blocks = new Map(
      this.truth
        .blockRows('c')
        .flatMap((each) => (each['transactions'] as string[]).map((id) => [id, each] as const)),
    );
    return new Map(
      (this.all.c as AtomicTransaction[]).map((one) => {
        const position = blocks.get(one.id)!;
        const [spent, made] = [this.spent(one), this.made(one)];
        const row: Row = {
          txHash: one.id,
          txType: one.type,
          timestamp: position.blockTimestamp,
          memo: '0x',
          ...this.chainsOf(one, this.truth.node.genesis.cChainId),
          blockHeight: Number(position.blockNumber),
          blockHash: position.blockHash,
        };
        const account = ({
          address,
          assetId,
          amount,
        }: {
          address: Uint8Array;
          assetId: string;
          amount: bigint;
        }) => [getAddress(hexOf(address)), this.assetOf(assetId, amount)] as const;
        const sides =
          one.type === 'ExportTx'
            ? {
                evmInputs: one.evmInputs
                  .map(account)
                  .map(([fromAddress, asset]) => ({ fromAddress, asset, credentials: [] })),
                emittedUtxos: made.map((each) => this.xUtxo(each)),
                amountUnlocked: this.assetsOf(sumsOf(one.evmInputs)),
                amountCreated: this.assetsOf(amountsOf(made)),
              }
            : {
                evmOutputs: one.evmOutputs.map(account).map(([toAddress, asset]) => ({ toAddress, asset })),
                consumedUtxos: spent.map((each) => this.xUtxo(each)),
                amountUnlocked: this.assetsOf(amountsOf(spent)),
                amountCreated: this.assetsOf(sumsOf(one.evmOutputs)),
              };
        return [one.id, { ...row, ...sides }];
      }),
    );
  }
}

/** Of an EVM chain some of its members are shown in another form. */
const genesisOf = (genesis: Uint8Array) =>
  evmIdIn(genesis) === null ? Buffer.from(genesis).toString('base64') : anything;

const l1Names = (validationId: string, nodeId: unknown, subnetId: unknown): Row => ({
  validationId,
  validationIdHex: hexOf(decodeCb58(validationId) as Uint8Array),
  nodeId,
  subnetId,
});

function l1BalanceOf(one: PTransaction): bigint {
  if (one.type === 'ConvertSubnetToL1Tx')
    return one.validators.reduce((all, { balance }) => all + balance, 0n);
  return one.type === 'RegisterL1ValidatorTx' || one.type === 'IncreaseL1ValidatorBalanceTx'
    ? one.balance
    : 0n;
}

/** Amounts are texts, all else are numbers. */
const transformationOf = (rules: SubnetTransformation): Row =>
  Object.fromEntries(
    Object.entries(rules).map(([name, value]) => [
      name,
      /Supply|Stake$/.test(name)
        ? String(value)
        : typeof value === 'bigint'
          ? Number(value)
          : (value as unknown),
    ]),
  );
