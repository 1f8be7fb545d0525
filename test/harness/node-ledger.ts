import type {
  AtomicTransaction,
  PTransaction,
  Transaction,
  XTransaction,
} from '../../src/avalanche/codec/types.js';
import type { NodeTruth } from './node-truth.js';

/** An amount of one asset. */
interface Part {
  assetId: string;
  amount: bigint;
}

/** Sums by asset. */
export class Sums {
  private readonly sums = new Map<string, bigint>();

  add(parts: Iterable<Part>, sign: 1n | -1n = 1n): this {
    for (const { assetId, amount } of parts)
      this.sums.set(assetId, (this.sums.get(assetId) ?? 0n) + sign * amount);
    return this;
  }

  /** Without assets whose sum is 0. */
  entries(): [string, bigint][] {
    return [...this.sums].filter(([, amount]) => amount !== 0n).sort();
  }

  of(assetId: string): bigint {
    return this.sums.get(assetId) ?? 0n;
  }
}

const parts = (outputs: Transaction['outputs']): Part[] =>
  outputs.map(({ assetId, output: { amount } }) => ({ assetId, amount }));

/** What a network made and moved to and from other places than outputs, as its node's own bytes say. */
export class NodeLedger {
  private readonly all;

  constructor(private readonly truth: NodeTruth) {
    this.all = truth.allTransactions();
  }

  /** By asset: genesis, new assets, mints, rewards of stakers. */
  get created(): Sums {
    const { genesis } = this.truth;
    const x = this.all.x as XTransaction[];
    return new Sums()
      .add(parts(genesis.utxos as Transaction['outputs']))
      .add(genesis.validators.flatMap(({ outputs }) => parts(outputs)))
      .add(
        x
          .filter(({ type }) => type === 'CreateAssetTx')
          .flatMap(({ outputs }) => parts(outputs.filter(({ role }) => role === 'asset'))),
      )
      .add(
        x
          .filter(({ type }) => type === 'OperationTx')
          .flatMap(({ outputs }) => parts(outputs.filter(({ role }) => role === 'operation'))),
      )
      .add(
        [...this.truth.rewards().values()]
          .flat()
          .map(({ assetId, amount }) => ({ assetId, amount: BigInt(amount) })),
      );
  }

  /** What imports credited to accounts of the EVM, less what exports debited. */
  get evm(): Sums {
    const sums = new Sums();
    for (const one of this.all.c as AtomicTransaction[])
      if (one.type === 'ImportTx') sums.add(one.evmOutputs);
      else sums.add(one.evmInputs, -1n);
    return sums;
  }

  /** nAVAX that went to balances of L1 validators. */
  get deposited(): bigint {
    let sum = 0n;
    for (const one of this.all.p as PTransaction[])
      if (one.type === 'ConvertSubnetToL1Tx') for (const { balance } of one.validators) sum += balance;
      else if (one.type === 'RegisterL1ValidatorTx' || one.type === 'IncreaseL1ValidatorBalanceTx')
        sum += one.balance;
    return sum;
  }

  /**
   * nAVAX that came back from them: outputs that the node listed, or an input consumed, and no transaction's
   * bytes have.
   */
  get returned(): bigint {
    const all = Object.values(this.all).flat();
    const made = new Set([
      ...this.truth.genesis.utxos.map(({ utxoId }) => utxoId),
      ...all.flatMap(({ outputs }) => outputs.map(({ utxoId }) => utxoId)),
      ...[...this.truth.rewards().values()].flat().map(({ utxoId }) => utxoId),
    ]);
    const seen = new Map<string, bigint>();
    for (const { utxoId, amount } of [...this.truth.unspent().values()].flat())
      seen.set(utxoId, BigInt(amount));
    for (const { utxoId, amount } of all.flatMap(({ inputs }) => inputs)) seen.set(utxoId, amount ?? 0n);
    return [...seen].filter(([utxoId]) => !made.has(utxoId)).reduce((sum, [, amount]) => sum + amount, 0n);
  }
}
