import { bloomBits } from '../../avalanche/codec/bloom.js';
import { dayOf } from '../../avalanche/seconds.js';
import { ALL_TOKENS } from '../../config/follow-settings.js';
import { nftHoldingImport } from '../../resources/evm-holding/import.js';
import type { EvmScope } from '../../write/scope.js';
import type { EvmBlock } from '../node/evm-apis.js';
import type { Block, Digest, DigestContext } from '../pipeline.js';
import { unionOf, unionOfIds } from './balance-rows.js';
import { balancesBeginning } from './beginning.js';
import type { BlockCredits, ReadCredits } from './block-credits.js';
import { DayBalances, type Touching } from './day-balances.js';
import { EvmPipeline } from './evm-pipeline.js';
import { BLOCK_BYTES, type EvmDeps } from './evm-stream-pipeline.js';
import { FollowedTokens } from './followed-tokens.js';
import { mintedBits, mintedIn } from './native-minter.js';
import { NodeAgreement } from './node-agreement.js';
import type { ProvedBlock } from './proved-block.js';
import type { BlockHead } from './proved-head.js';
import { mayLog, type Receipts } from './proved-receipts.js';
import { idsIn, ownersIn, touchingTopics, type TouchedId, type TouchedOwner } from './touched.js';
import { SilentTouches } from './silent-touches.js';

/** A block of an EVM chain as `fetch` gives it: whose balances it may have changed. */
export interface BalancesItem extends Block {
  readonly time: number;
  /** 0x and 40 digits in lower case, each once. */
  readonly accounts: readonly string[];
  readonly owners: readonly TouchedOwner[];
  readonly ids: readonly TouchedId[];
  /** Contracts that it created, of those that are followed. */
  readonly created: readonly string[];
}

export interface BalancesDeps extends EvmDeps {
  readonly credits: ReadCredits;
  /**
   * Contracts of ERC-20, ERC-721 and ERC-1155 tokens, in lower case; among them ALL_TOKENS for every one of
   * the first two.
   */
  readonly tokens: readonly string[];
  /**
   * More contracts of ERC-20 and ERC-721, whose ERC-1155 tokens are not counted: `verify` gives those here
   * that the database has because of ALL_TOKENS.
   */
  readonly ownersOf?: readonly string[];
  /** Whether its blocks are of the past, while the newest ones are read by another pipeline of this chain. */
  readonly isPast?: true;
}

interface Head extends BlockHead {
  /** Whether there can be a log that counts. */
  readonly mayCount: boolean;
  readonly feeRecipient: string;
  readonly credits: BlockCredits;
}

const noReceipts: Receipts = { receipts: [], missing: null };
/** Bytes that an address takes in memory, about. */
const ADDRESS_BYTES = 200;

/**
 * The daily balances of addresses as rows: for each address that a block touches, the balance after the last
 * block of its day. Every change of a balance is a touch, so other addresses keep theirs.
 */
export class BalancesPipeline extends EvmPipeline<BalancesItem, Head, BalancesDeps> {
  readonly name = `balances:${this.deps.chain.evmChainId}` as const;
  private readonly agreement = new NodeAgreement(this.deps.nodes);
  private readonly times = (height: bigint, signal: AbortSignal) => this.timeOf(height, signal);
  private readonly silent = new SilentTouches({ ...this.deps, name: this.name, timeOf: this.times });
  private readonly days = new DayBalances({
    ...this.deps,
    name: this.name,
    agreement: this.agreement,
    isPast: this.deps.isPast === true,
    timeOf: this.times,
  });
  private readonly isEvery = this.deps.tokens.includes(ALL_TOKENS);
  private readonly contracts = this.deps.tokens.filter((each) => each !== ALL_TOKENS);
  private readonly followed = new FollowedTokens({ ...this.deps, tokens: this.contracts, name: this.name });
  private readonly tokens: ReadonlySet<string> = new Set(this.contracts);
  private readonly named = new Set([...this.contracts, ...(this.deps.ownersOf ?? [])]);
  private readonly owned = this.isEvery ? { has: () => true } : this.named;
  private readonly wanted = [
    this.isEvery ? [touchingTopics] : [touchingTopics, [...this.named].map(bloomBits)],
    mintedBits,
  ];
  /**
   * The C-chain has no minter, and some headers do not say what a block logs: no receipts are asked for
   * without need.
   */
  private readonly readsLogs = this.isEvery || this.named.size > 0 || this.deps.chain.headerOf !== 'c-chain';

  beginning(head: bigint, signal: AbortSignal): Promise<bigint | 'now'> {
    return balancesBeginning(this.deps.nodes, head, { signal });
  }

  another(): BalancesPipeline {
    return new BalancesPipeline({ ...this.deps, isPast: true });
  }

  reached(first: bigint): Digest {
    const scope: EvmScope<bigint> = { evmChainId: this.deps.chain.evmChainId };
    return {
      rows: [{ kind: nftHoldingImport.rows, scope, rows: [] }],
      state: (batch) => this.followed.reach(batch, first),
    };
  }

  async digest(items: readonly BalancesItem[], context: DigestContext): Promise<Digest> {
    const known = await this.chainRows(context);
    const silent = await this.silent.in(items, context);
    const touched: readonly Touching[] = [...silent.blocks, ...items];
    const said = [];
    for (const day of new Set(touched.map(({ time }) => dayOf(time))))
      said.push(
        await this.days.of(
          day,
          touched.filter(({ time }) => dayOf(time) === day),
          context,
        ),
      );
    const created = items.flatMap((item) =>
      item.created.map((contract) => ({ contract, height: item.height })),
    );
    const balances = said.flatMap(({ ids }) => ids);
    return {
      rows: [...known, ...said.flatMap(({ rows }) => rows)],
      ...(silent.memo !== undefined && { memo: silent.memo }),
      state: async (batch) => {
        await this.followed.write(batch, { created, balances });
        this.noteChain();
      },
    };
  }

  override forget(): void {
    super.forget();
    this.days.forget();
    this.silent.forget();
    this.followed.forget();
  }

  protected readHead(block: EvmBlock, head: BlockHead): Head {
    return {
      ...head,
      mayCount: this.readsLogs && mayLog(block, this.wanted),
      feeRecipient: block.header['miner']?.toLowerCase() ?? '',
      credits: this.deps.credits(block, head),
    };
  }

  protected override faultOf({ credits }: Head): string | null {
    return credits.fault;
  }

  /**
   * The block with the accounts that its transactions, its fees and its credits touch, and with the accounts
   * that its logs name.
   */
  protected async complete(
    { mayCount, feeRecipient, credits, ...head }: Head,
    block: ProvedBlock,
    signal: AbortSignal,
  ): Promise<BalancesItem> {
    const [traced, { receipts, missing }, credited] = await Promise.all([
      block.traces(signal),
      mayCount ? block.receipts(signal) : noReceipts,
      credits.accounts(signal),
    ]);
    const said = traced.traces.map((each) => each.said);
    const logs = receipts.flatMap((receipt) => receipt.logs);
    const called = said.flatMap((each) => [...each.accounts]);
    const accounts = [...new Set([feeRecipient, ...credited, ...called, ...logs.flatMap(mintedIn)])];
    const owners = unionOf(logs.flatMap((log) => ownersIn(log, this.owned)));
    const ids = unionOfIds(logs.flatMap((log) => idsIn(log, this.tokens)));
    const created = [...new Set(said.flatMap((each) => each.created))].filter((each) =>
      this.tokens.has(each),
    );
    const size = BLOCK_BYTES + (accounts.length + 2 * owners.length + 2 * ids.length) * ADDRESS_BYTES;
    const { source } = block;
    return { ...head, source, size, accounts, owners, ids, created, missing: missing ?? traced.missing };
  }
}
