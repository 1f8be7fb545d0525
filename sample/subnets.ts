import { priorities } from '../src/avalanche/chain/staker-order.js';
import type { TransactionTypeName } from '../src/avalanche/chain/transactions.js';
import type { TransactionLine } from '../src/resources/transaction/import-row.js';
import { SUBNET_EVM } from './chains.js';
import { creationFee, baseFee } from './fees.js';
import { evmGenesis } from './genesis.js';
import { idOf, nodeIdOf } from './ids.js';
import { days } from './clock.js';
import type { Ledger, TransactionDetails } from './ledger.js';
import type { L1Description } from './l1s.js';
import type { Owner, Owners } from './owners.js';
import type { Random } from './random.js';
import type { StakerRow, StateRows } from '../src/state/staking.js';

/** Rewards of the elastic subnet: parts of a million, and the cap of its supply. */
/** What exists of the asset that a subnet stakes, in its smallest unit. */
const SUPPLY = 10_000_000n;
const RATES = { min: 100_000n, max: 120_000n, cap: 20_000_000n };

/** Subnets and their chains before L1s and next to them. */
export class Subnets {
  /** What exists of the assets of elastic subnets. */
  readonly supplies: StateRows['supplies'][number][] = [];
  private readonly validators: StakerRow[] = [];

  constructor(
    private readonly ledger: Ledger,
    private readonly owners: Owners,
    private readonly random: Random,
  ) {}

  /** The id of a new subnet, which is its transaction's hash. */
  create(): string {
    const row = this.transact('CreateSubnetTx', creationFee, {
      subnetOwnershipInfo: ownershipOf(this.random.pick(this.owners.wallets)),
    });
    row.subnetId = row.txHash;
    return row.txHash;
  }

  /** The id of a new EVM chain of the subnet. */
  createEvmChain(subnetId: string, chain: L1Description, complete: boolean): string {
    const genesisData = evmGenesis(chain, this.ledger.now, complete);
    return this.transact('CreateChainTx', creationFee, {
      subnetId,
      blockchainInfo: { chainName: chain.chainName, vmId: SUBNET_EVM, genesisData },
    }).txHash;
  }

  /** A chain that is no EVM: only its virtual machine can read its genesis. */
  createTimestampChain(subnetId: string): void {
    const genesisData = Buffer.from('{"message":"first light","interval":600}').toString('base64');
    this.transact('CreateChainTx', creationFee, {
      subnetId,
      blockchainInfo: { chainName: 'Varve', vmId: idOf('virtual machine that keeps time'), genesisData },
    });
  }

  transfer(subnetId: string): void {
    this.transact('TransferSubnetOwnershipTx', baseFee, {
      subnetId,
      subnetOwnershipInfo: ownershipOf(this.random.pick(this.owners.multisigs)),
    });
  }

  transform(subnetId: string): void {
    const { min, max, cap } = RATES;
    this.transact('TransformSubnetTx', creationFee, {
      subnetId,
      subnetTransformation: {
        assetId: idOf(`asset that ${subnetId} stakes`),
        initialSupply: SUPPLY.toString(),
        maximumSupply: cap.toString(),
        minConsumptionRate: Number(min),
        maxConsumptionRate: Number(max),
        minValidatorStake: '2000',
        maxValidatorStake: '1000000',
        minStakeDuration: days(14),
        maxStakeDuration: days(365),
        minDelegationFee: 20_000,
        minDelegatorStake: '25',
        maxValidatorWeightFactor: 5,
        uptimeRequirement: 800_000,
      },
    });
    this.supplies.push({ subnetId, supply: SUPPLY, rates: RATES });
  }

  addValidator(subnetId: string, number: number): void {
    const startTimestamp = this.ledger.now + this.random.int(60, 900);
    const endTimestamp = startTimestamp + days(this.random.int(20, 200));
    const nodeId = nodeIdOf(`validator ${number}`);
    const { txHash, txType } = this.transact('AddSubnetValidatorTx', baseFee, {
      startTimestamp,
      endTimestamp,
      nodeId,
      subnetId,
    });
    this.validators.push({
      txId: txHash,
      txType,
      subnetId,
      nodeId,
      priority: priorities.permissioned,
      startTime: startTimestamp,
      endTime: endTimestamp,
      weight: 100n,
      potentialReward: 0n,
      delegateeReward: 0n,
      shares: 0,
      feeOwner: null,
      renewal: null,
    });
  }

  /** The validators of subnets whose time is not over. */
  stakers(): StakerRow[] {
    return this.validators.filter(({ endTime }) => endTime > this.ledger.now);
  }

  removeValidator(subnetId: string, number: number): void {
    const nodeId = nodeIdOf(`validator ${number}`);
    this.transact('RemoveSubnetValidatorTx', baseFee, { nodeId, subnetId });
    const index = this.validators.findIndex((one) => one.nodeId === nodeId && one.subnetId === subnetId);
    this.validators.splice(index, 1);
  }

  private transact(txType: TransactionTypeName, fee: bigint, details: TransactionDetails): TransactionLine {
    const { wallets } = this.owners;
    const first = this.random.int(0, wallets.length - 1);
    for (let offset = 0; offset < wallets.length; offset++) {
      const payer = wallets[(first + offset) % wallets.length];
      const funds = payer && this.ledger.fund('p', payer, fee);
      if (funds)
        return this.ledger.transact('p', {
          txType,
          inputs: funds.inputs,
          outputs: funds.change,
          details: { memo: '0x', ...details },
        }).row;
    }
    throw new Error(`No wallet of the sample can pay for a ${txType}.`);
  }
}

function ownershipOf({ addresses, threshold }: Owner) {
  return { locktime: 0, threshold, addresses };
}
