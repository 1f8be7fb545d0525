import { decodePBlock } from '../../avalanche/codec/block.js';
import type { Genesis, PBlock } from '../../avalanche/codec/types.js';
import { transactionRows } from '../../resources/transaction/import.js';
import { utxoRows } from '../../resources/utxo/import.js';
import type { PrimaryScope } from '../../write/scope.js';
import type { Nodes } from '../node/nodes.js';
import { PipelineStopped } from '../errors.js';
import type { Digest, DigestContext, KindRows, Pipeline } from '../pipeline.js';
import { genesisRows } from './genesis.js';
import { changedValidations, type L1State } from './l1-state.js';
import type { L1Validators } from './l1-validators.js';
import { applyBlocks, type Applied, type PItem } from './p-blocks.js';
import { timeOfBlockBefore } from './p-time.js';
import { pDraft } from './p-drafts.js';
import type { Producers } from './producers.js';
import { decodedOnce, decodedSize, proveBlock, setAside } from './proof.js';
import { consumedRow, type Row } from './rows.js';
import { storedHashes } from './stored.js';
import { transactionRowsOf, type RowTools } from './transaction-rows.js';

/** What the P-chain's pipeline works with. */
export interface PParts extends RowTools {
  readonly nodes: Nodes;
  readonly producers: Producers;
  readonly l1Validators: L1Validators;
  readonly l1State: L1State;
  /** Null when the pipeline does not begin with block 0. */
  readonly genesis: Genesis | null;
}

const withoutGenesis =
  'the first outputs of the P-chain are in its genesis, not in a block: give the genesis file of the network with --genesis or FOLLOW_GENESIS; avalanchego has those of mainnet and fuji in its folder genesis/';

/** How often it is asked again what a committed end of a staker paid, when the answer was: nothing. */
const ASKED_AGAIN = 4;

/** The P-chain's blocks as rows: transactions, outputs, and what a staker's end changes in the rows of its stake. */
export class PPipeline implements Pipeline<PItem> {
  readonly name = 'p';

  constructor(private readonly parts: PParts) {}

  head(signal: AbortSignal): Promise<bigint> {
    return this.parts.nodes.platform.height({ signal });
  }

  async fetch(from: bigint, count: number, signal: AbortSignal): Promise<PItem[]> {
    const read = decodedOnce(decodePBlock);
    const answers = await this.parts.nodes.platform.blocks(from, count, { signal, prove: proveBlock(read) });
    return Promise.all(answers.map(({ value, endpoint }) => this.itemOf(read(value), endpoint, signal)));
  }

  async digest(items: readonly PItem[], context: DigestContext): Promise<Digest> {
    const { genesis, l1State, l1Validators } = this.parts;
    const [first] = items;
    const rows: KindRows[] = [];
    if (first?.height === 0n) {
      if (genesis === null) throw new PipelineStopped(withoutGenesis);
      rows.push(...(await genesisRows(this.parts, genesis, first.id, context)));
    }
    const begin = await this.timeBefore(items, context);
    const named = items.flatMap(({ block }) => block.transactions.flatMap(changedValidations));
    await l1Validators.prepare(named, context.reader);
    const isComplete = first?.height === 0n || (first?.time ?? begin) < this.parts.network.etnaTime;
    l1State.resume(context.memo, isComplete);
    const asked = await this.askedAgain(items, context.signal);
    const { applied, time } = applyBlocks(asked, begin, l1State);
    const drafts = applied.map((one) => pDraft(this.parts.network, one));
    rows.push(await transactionRowsOf('p', drafts, this.parts, context));
    rows.push(...(await this.endedStakes(applied, context)));
    const state = l1Validators.takeChanges();
    return { rows, memo: { time, ...l1State.memo }, ...(state ? { state } : {}) };
  }

  /** The chain's time before the first of these blocks. Before Banff only earlier blocks say it. */
  private async timeBefore([first]: readonly PItem[], { memo, signal }: DigestContext): Promise<number> {
    const known = memo?.['time'];
    if (typeof known === 'number') return known;
    if (!first || first.height === 0n) return this.parts.genesis?.time ?? 0;
    if (first.time !== null) return first.time;
    return timeOfBlockBefore(this.parts.nodes, first.height, this.parts.genesis, signal);
  }

  forget(): void {
    this.parts.l1Validators.forget();
  }

  setAside(source: string, reason: string): boolean {
    return setAside(this.parts.nodes, source, reason);
  }

  private async itemOf(block: PBlock, source: string, signal: AbortSignal): Promise<PItem> {
    const ending = await this.endingOf(block, signal);
    const rewards = ending?.rewards.length ?? 0;
    return {
      height: block.height,
      id: block.id,
      parent: block.parent,
      size: decodedSize(block.bytes) + rewards * 1000,
      time: block.time,
      mayEndBatch: block.type !== 'proposal',
      source,
      block,
      ending,
    };
  }

  private async endingOf({ proposal }: PBlock, signal: AbortSignal): Promise<PItem['ending']> {
    if (proposal === null || !('stakingTxId' in proposal)) return null;
    const { producers } = this.parts;
    const { stakingTxId } = proposal;
    const staking = await producers.pTransaction(stakingTxId, signal);
    return { staking, rewards: await producers.rewards(staking, signal) };
  }

  /**
   * An empty list is also what a node says that does not know the end of the staker yet, and nothing proves it. So it is
   * asked again: often for a committed end, of which nearly all are paid, and once for another, which may have earned a fee.
   */
  private askedAgain(items: readonly PItem[], signal: AbortSignal): Promise<PItem[]> {
    const { producers } = this.parts;
    return Promise.all(
      items.map(async (item, place) => {
        const { ending } = item;
        const most = items[place + 1]?.block.type === 'commit' ? ASKED_AGAIN : 1;
        for (let times = 0; ending?.rewards.length === 0 && times < most; times += 1) {
          const rewards = await producers.rewards(ending.staking, signal);
          if (rewards.length > 0) return { ...item, ending: { ...ending, rewards } };
        }
        return item;
      }),
    );
  }

  /** The staking transactions name what ended them, and their stake can be spent again. */
  private async endedStakes(
    applied: readonly Applied[],
    { reader, signal }: DigestContext,
  ): Promise<KindRows[]> {
    const ended = applied.filter(({ ending }) => ending !== null);
    if (ended.length === 0) return [];
    const { network, assets } = this.parts;
    const stakes = ended.flatMap(
      ({ ending }) => ending?.staking.outputs.filter(({ role }) => role === 'stake') ?? [],
    );
    await assets.prepare(
      stakes.map(({ assetId }) => assetId),
      signal,
    );
    const unlocked = stakes.map((utxo) =>
      consumedRow(network.network, utxo, assets.get(utxo.assetId), { createdOn: 'p', consumedOn: 'p' }),
    );
    const ids = ended.map(({ ending }) => ending?.staking.id as string);
    const stored = await storedHashes(reader, network, 'p', ids);
    for (const { transaction } of applied) stored.add(transaction.id);
    const staked = ended.filter(({ ending }) => stored.has(ending?.staking.id ?? ''));
    const scope: PrimaryScope = { network: network.network, chain: 'p' };
    return [
      { kind: utxoRows, scope, rows: unlocked },
      { kind: transactionRows, scope, rows: staked.map(endedRow) },
    ];
  }
}

/** Without a block, so that the block of the stored row stays: see mergeTransaction. */
function endedRow({ transaction, block, ending }: Applied): Row {
  return {
    txHash: ending?.staking.id,
    txType: ending?.staking.type,
    blockTimestamp: block.time,
    rewardTxHash: transaction.id,
    consumedUtxos: [],
    emittedUtxos: [],
  };
}
