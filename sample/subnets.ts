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

/** Subnets and their chains before L1s and next to them. */
export class Subnets {
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
    this.transact('TransformSubnetTx', creationFee, { subnetId });
  }

  addValidator(subnetId: string, number: number): void {
    const startTimestamp = this.ledger.now + this.random.int(60, 900);
    this.transact('AddSubnetValidatorTx', baseFee, {
      startTimestamp,
      endTimestamp: startTimestamp + days(this.random.int(20, 200)),
      nodeId: nodeIdOf(`validator ${number}`),
      subnetId,
    });
  }

  removeValidator(subnetId: string, number: number): void {
    this.transact('RemoveSubnetValidatorTx', baseFee, { nodeId: nodeIdOf(`validator ${number}`), subnetId });
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
