import { decodePBlock } from '../../avalanche/codec/block.js';
import type { Genesis, PBlock } from '../../avalanche/codec/types.js';
import { transactionRows } from '../../resources/transaction/import.js';
import { utxoRows } from '../../resources/utxo/import.js';
import type { Reader } from '../../storage/reader.js';
import type { Answer, EachOptions } from '../node/apis.js';
import type { Nodes } from '../node/nodes.js';
import { PipelineStopped } from '../errors.js';
import { NodePipeline } from '../node-pipeline.js';
import type { Digest, DigestContext, KindRows } from '../pipeline.js';
import { pBlockRows } from './block-rows.js';
import { genesisRows, withoutGenesis } from './genesis.js';
import { applyBlocks, type Applied, type PItem } from './p-blocks.js';
import { endedRow, lateEstimates, leftOut } from './p-estimates.js';
import { paidRewards, payer } from './p-paid.js';
import { isRenewal } from './p-rewards.js';
import { timeOfBlockBefore } from './p-time.js';
import { pDraft } from './p-drafts.js';
import type { Producers } from './producers.js';
import type { Proposers } from './proposers.js';
import { blockReader, decodedSize, idReader } from '../node/proof.js';
import { takeBackOthers } from './replaced-blocks.js';
import { consumedRow, type Row } from './rows.js';
import type { HeadCheck } from '../staking/head-check.js';
import type { StakingMachine } from '../staking/machine.js';
import { memoOf, seededDayOf, type Seeding } from '../staking/seeding.js';
import type { Staking } from '../staking/staking.js';
import { writtenOverTo } from '../watermark.js';
import { StoredTransactions } from './stored.js';
import { transactionRowsOf, type RowTools } from './transaction-rows.js';

/** What the P-chain's pipeline works with. */
export interface PDeps extends RowTools {
  readonly nodes: Nodes;
  readonly producers: Producers;
  readonly proposers: Proposers;
  readonly storage: Reader;
  readonly staking: Staking;
  readonly check: HeadCheck;
  readonly seeding: Seeding;
  /** Null when the pipeline does not begin with block 0. */
  readonly genesis: Genesis | null;
}

/** The P-chain's blocks as rows: transactions, outputs, and changes of stakes when they end. */
export class PPipeline extends NodePipeline<PItem, PDeps> {
  readonly name = 'p';
  protected readonly source = this.deps.nodes.platform;
  protected override readonly isBytesAlone = true;
  private readonly stored = new StoredTransactions(this.deps.network, 'p');

  async fetch(from: bigint, count: number, signal: AbortSignal): Promise<PItem[]> {
    const read = blockReader(decodePBlock);
    const [answers, proposers] = await Promise.all([
      this.source.blocks(from, count, { signal, read }),
      this.deps.proposers.from(from, count, signal),
    ]);
    return Promise.all(
      answers.map(async ({ value, endpoint }) => ({
        ...(await this.itemOf(value, endpoint, signal)),
        proposer: proposers.get(value.id) ?? null,
      })),
    );
  }

  protected idsAt(height: bigint, options: EachOptions): Promise<Answer<string>[]> {
    return this.source.blockOfEach(height, { ...options, read: idReader(decodePBlock) });
  }

  async digest(items: readonly PItem[], context: DigestContext): Promise<Digest> {
    const { genesis, staking, network } = this.deps;
    const [first] = items;
    if (!first) return { rows: [] };
    const beginning = { height: first.height, time: () => this.timeBefore(first, context.signal) };
    const machine = await staking.open(context.reader, beginning);
    const rows: KindRows[] = [];
    if (first.height === 0n) {
      if (genesis === null) throw new PipelineStopped(withoutGenesis);
      rows.push(...(await genesisRows(this.deps, genesis, { hash: first.id, machine }, context)));
    }
    const missed = leftOut(machine);
    const { applied: raw, promoted, times } = applyBlocks(items, machine);
    rows.push(pBlockRows(network, items, times));
    const applied = await paidRewards(raw, machine, this.deps, context.signal);
    const drafts = applied.map((one) => pDraft(network, one, machine.isTrusted));
    const own = await transactionRowsOf('p', drafts, this.deps, context);
    const { unlocked, late } = await this.endedStakes(applied, context);
    // In one list, so that a transaction of this batch is written once.
    const known = lateEstimates(machine, applied, [...missed, ...promoted]);
    const estimates = await this.ofStored(known, [...rows, own], context);
    rows.push({ ...own, rows: [...own.rows, ...late, ...estimates] });
    rows.push({ kind: utxoRows, scope: own.scope, rows: unlocked });
    const end = writtenOverTo(context.memo);
    const isPast = end !== null && (items.at(-1)?.height ?? 0n) + 1n < end;
    const written = staking.take(isPast, seededDayOf(context.memo));
    rows.push(...written.rows);
    this.stored.note(rows);
    const memo = isPast ? context.memo : memoOf(written.seededDay);
    const state = await takeBackOthers(network, 'p', items, context.reader, written.state);
    return { rows, state, memo };
  }

  /** The chain's time before the first block that is followed. Before Banff only earlier blocks say it. */
  private timeBefore(first: PItem, signal: AbortSignal): Promise<number> {
    if (first.height === 0n) return Promise.resolve(this.deps.genesis?.time ?? 0);
    if (first.time !== null) return Promise.resolve(first.time);
    return timeOfBlockBefore(this.deps.nodes, first, this.deps.genesis, signal);
  }

  /** Compares the state of stakers with the node's, now and then. */
  async atHead(height: bigint, signal: AbortSignal): Promise<void> {
    const { staking, check, storage } = this.deps;
    const machine = (await staking.stored(storage)) ?? (await this.seed(null, height, signal));
    if (machine) await check.run((await this.seed(machine, height, signal)) ?? machine, height, signal);
  }

  /** A chain that was started at a later block takes its state from a node at the newest block. */
  private async seed(
    known: StakingMachine | null,
    height: bigint,
    signal: AbortSignal,
  ): Promise<StakingMachine | null> {
    if (known?.state.stakers && known.state.l1.isKnown) return null;
    const { nodes, network, producers, staking, seeding } = this.deps;
    const state = await seeding.take(height, {
      platform: nodes.platform,
      durangoTime: network.durangoTime,
      options: { signal, patienceMs: 0 },
      transaction: (id) => producers.pTransaction(id, signal),
    });
    return state && staking.seed(state);
  }

  override forget(): void {
    this.deps.check.reset();
    this.deps.staking.forget();
    this.stored.forget();
  }

  private async itemOf(block: PBlock, source: string, signal: AbortSignal): Promise<Omit<PItem, 'proposer'>> {
    const ending = await this.endingOf(block, signal);
    const rewards = ending?.rewards?.length ?? 0;
    const { height, id, parent, time } = block;
    const size = decodedSize(block.bytes) + rewards * 1000;
    return { height, id, parent, size, time, mayEndBatch: block.type !== 'proposal', source, block, ending };
  }

  private async endingOf({ proposal }: PBlock, signal: AbortSignal): Promise<PItem['ending']> {
    if (proposal === null || !('stakingTxId' in proposal)) return null;
    const { producers } = this.deps;
    const staking = await producers.pTransaction(proposal.stakingTxId, signal);
    return { staking, rewards: await producers.rewards(payer(proposal, staking), signal) };
  }

  /** Rows of transactions that are stored or made now; earlier ones may be missing. */
  private async ofStored(late: Row[], made: readonly KindRows[], { reader }: DigestContext): Promise<Row[]> {
    if (late.length === 0) return late;
    const idOf = (row: Row) => String(row['txHash']);
    const known = await this.stored.among(late.map(idOf), reader);
    for (const { kind, rows } of made)
      if (kind === transactionRows) for (const row of rows) known.add(idOf(row as Row));
    return late.filter((row) => known.has(idOf(row)));
  }

  /** Staking transactions name what ended them (`late`); their stake is spendable again (`unlocked`). */
  private async endedStakes(
    applied: readonly Applied[],
    { reader, signal }: DigestContext,
  ): Promise<{ unlocked: Row[]; late: Row[] }> {
    const ended = applied.filter((one) => one.ending !== null && !goesOn(one));
    if (ended.length === 0) return { unlocked: [], late: [] };
    const { network, assets } = this.deps;
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
    const stored = await this.stored.among(ids, reader);
    for (const { transaction } of applied) stored.add(transaction.id);
    const staked = ended.filter(({ ending }) => stored.has(ending?.staking.id ?? ''));
    return { unlocked, late: staked.map(endedRow) };
  }
}

/** Whether the end of a period is not the end of the stake (ACP-236). */
const goesOn = ({ transaction, committed, ended }: Applied): boolean =>
  isRenewal(transaction) && committed && (ended === null || ended.goesOn !== null);
