import { decodeAtomicTransaction } from '../../avalanche/codec/c-transaction.js';
import { decodePTransaction } from '../../avalanche/codec/p-transaction.js';
import { decodeUtxo } from '../../avalanche/codec/outputs.js';
import { decodeXTransaction } from '../../avalanche/codec/x-transaction.js';
import type { Genesis, PTransaction, Utxo } from '../../avalanche/codec/types.js';
import type { PrimaryChain } from '../../avalanche/networks.js';
import { majorityOf } from '../node/majority.js';
import type { Nodes } from '../node/nodes.js';
import { ZERO_ID } from '../../avalanche/codec/ids.js';
import type { Wanted } from './outputs.js';
import { proved, transactionReader } from '../node/proof.js';

/** Finds outputs in the transactions that made them, which nodes give by id. */
export class Producers {
  constructor(
    private readonly nodes: Nodes,
    private readonly genesis: Genesis | null,
  ) {}

  /** The wanted outputs that exist; each transaction is asked for once. @throws NodeError */
  async find(wanted: readonly Wanted[], signal: AbortSignal): Promise<Utxo[]> {
    const byMaker = new Map<string, [Wanted, ...Wanted[]]>();
    for (const one of wanted) {
      const maker = `${one.createdOn} ${one.input.txId}`;
      const group = byMaker.get(maker);
      if (group) group.push(one);
      else byMaker.set(maker, [one]);
    }
    const found = await Promise.all(
      [...byMaker.values()].map(async (group) => {
        const [{ createdOn, input }] = group;
        const made = await this.outputsOf(createdOn, input.txId, group, signal);
        const ids = new Set(group.map((one) => one.input.utxoId));
        return made.filter(({ utxoId }) => ids.has(utxoId));
      }),
    );
    return found.flat();
  }

  /** A transaction of the P-chain by its id. @throws NodeError */
  pTransaction(id: string, signal: AbortSignal): Promise<PTransaction> {
    return this.nodes.platform.transaction(id, { signal, read: transactionReader(id, decodePTransaction) });
  }

  /** Whether the bytes of the P-chain's transaction, or the genesis, have an output. @throws NodeError */
  async makes(
    { txId, outputIndex }: Pick<Utxo, 'txId' | 'outputIndex'>,
    signal: AbortSignal,
  ): Promise<boolean> {
    return txId === ZERO_ID || outputIndex < (await this.pTransaction(txId, signal)).outputs.length;
  }

  /**
   * What the end of a staker paid, in the order of the outputs, which follow those of a transaction; null
   * where no node offers to say it.
   *
   * @throws NodeError
   */
  async rewards(
    { id, outputs }: Pick<PTransaction, 'id' | 'outputs'>,
    signal: AbortSignal,
  ): Promise<Utxo[] | null> {
    return this.nodes.platform.rewardUtxos(id, { signal, read: rewardReader(id, outputs.length) });
  }

  /**
   * The same as most nodes say it, where there are several; the others are set aside.
   *
   * @param said what one of them said
   * @returns null where there is no such majority
   */
  async rewardsByMost(
    { id, outputs }: Pick<PTransaction, 'id' | 'outputs'>,
    said: readonly Utxo[],
    signal: AbortSignal,
  ): Promise<readonly Utxo[] | null> {
    const { nodes } = this;
    if (nodes.endpoints().length < 2) return said;
    const read = rewardReader(id, outputs.length);
    const each = await nodes.platform.rewardUtxosOfEach(id, { signal, read });
    if (each.length === 0) return said;
    const most = majorityOf(each, isSame);
    if (!most) return null;
    // One that says nothing may not know the end yet.
    for (const { endpoint, value } of each)
      if (value.length > 0 && most.value.length > 0 && !isSame(value, most.value))
        nodes.setAside(endpoint, `it says another reward of ${id} than most nodes`);
    return most.value;
  }

  private async outputsOf(
    chain: PrimaryChain,
    txId: string,
    wanted: readonly Wanted[],
    signal: AbortSignal,
  ): Promise<readonly Utxo[]> {
    if (chain === 'p') return this.outputsOfP(txId, wanted, signal);
    const { avm, avax } = this.nodes;
    if (chain === 'x') {
      const read = transactionReader(txId, decodeXTransaction);
      return (await avm.transaction(txId, { signal, read })).outputs;
    }
    const readBytes = transactionReader(txId, decodeAtomicTransaction);
    return (await avax.atomicTransaction(txId, { signal, read: ({ bytes }) => readBytes(bytes) })).outputs;
  }

  private async outputsOfP(
    txId: string,
    wanted: readonly Wanted[],
    signal: AbortSignal,
  ): Promise<readonly Utxo[]> {
    if (txId === ZERO_ID) return this.genesis?.utxos ?? [];
    const transaction = await this.pTransaction(txId, signal);
    const { outputs } = transaction;
    const late = wanted.filter(({ input }) => input.outputIndex >= outputs.length);
    if (late.length === 0) return outputs;
    return [...outputs, ...((await this.rewards(transaction, signal)) ?? [])];
  }
}

const rewardReader = (id: string, first: number) => (list: readonly Uint8Array[]) =>
  proved(
    `a reward of ${id}`,
    () => inOrder(list),
    (rewards) => rewardFault(id, first, rewards),
  );

const isSame = (one: readonly Utxo[], other: readonly Utxo[]) =>
  one.length === other.length &&
  one.every(({ bytes }, index) => Buffer.compare(bytes, other[index]!.bytes) === 0);

/** Nodes give rewards in no fixed order. */
const inOrder = (list: readonly Uint8Array[]) =>
  list.map((bytes) => decodeUtxo(bytes)).sort((a, b) => a.outputIndex - b.outputIndex);

/**
 * Why outputs cannot be the rewards of a staker, or null: they follow its own, without a gap, two at most.
 */
function rewardFault(stakingTxId: string, first: number, rewards: readonly Utxo[]): string | null {
  const isRight =
    rewards.length <= 2 &&
    rewards.every(({ txId, outputIndex }, index) => txId === stakingTxId && outputIndex === first + index);
  if (isRight) return null;
  const ids = rewards.map(({ txId, outputIndex }) => `${txId} ${outputIndex}`).join(', ');
  return `rewards of ${stakingTxId} cannot be ${ids}`;
}
