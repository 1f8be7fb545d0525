import { bloomBits } from '../../avalanche/codec/bloom.js';
import type { EvmBlock } from '../node/evm-apis.js';
import type { ForkTimes } from '../node-facts.js';
import type { Block, Digest, DigestContext, KindRows } from '../pipeline.js';
import { balanceRows, unionOf } from './balance-rows.js';
import { balancesBeginning } from './beginning.js';
import type { Nodes } from '../node/nodes.js';
import { genesisAccounts } from './chain.js';
import { dayOf, DayEnds } from './day-end.js';
import { BLOCK_BYTES, EvmPipeline, type EvmParts } from './evm-pipeline.js';
import { extraDataFault, proveById, readExtraData, type ExtraData } from './extra-data.js';
import { addressesOf } from './frames.js';
import { checkAmongNodes } from './node-agreement.js';
import { provedReceipts, readReceiptsHead, type ReceiptsHead } from './proved-receipts.js';
import { provedTraces } from './proved-traces.js';
import { accountsOf, ownersIn, touchingTopics, type TouchedOwner } from './touched.js';

/** A block of an EVM chain as `fetch` gives it: whose balances it may have changed. */
export interface BalancesItem extends Block {
  readonly time: number;
  /** 0x and 40 digits in lower case, each once. */
  readonly accounts: readonly string[];
  readonly owners: readonly TouchedOwner[];
}

export interface BalancesParts extends EvmParts {
  /** Of the C-chain, with its atomic transactions. */
  readonly nodes: Nodes;
  /** CB58: the transaction that made the chain. */
  readonly blockchainId: string;
  readonly forks: Pick<ForkTimes, 'apricotPhase1Time' | 'apricotPhase5Time'>;
  /** Contracts of ERC-20 and ERC-721 tokens, in lower case. */
  readonly tokens: readonly string[];
}

interface Head extends ReceiptsHead {
  readonly feeRecipient: string;
  readonly extra: ExtraData;
}

/** Bytes that an address takes in memory, about. */
const ADDRESS_BYTES = 200;

/**
 * What addresses have on each day, as rows: of those that a block touches, the balance after the last block of its day. All that
 * changes a balance touches it, so that the others keep theirs.
 */
export class BalancesPipeline extends EvmPipeline<BalancesItem, Head, BalancesParts> {
  readonly name = `balances:${this.parts.chain.evmChainId}` as const;
  private readonly dayEnds = new DayEnds(this.parts.nodes);
  private readonly tokens: ReadonlySet<string> = new Set(this.parts.tokens);
  private readonly wanted = [touchingTopics, this.parts.tokens.map(bloomBits)];

  beginning(head: bigint, signal: AbortSignal): Promise<bigint | 'now'> {
    return balancesBeginning(this.parts.nodes, head, { signal });
  }

  async digest(items: readonly BalancesItem[], context: DigestContext): Promise<Digest> {
    const known = await this.chainRows(context);
    const rows: KindRows[] = [];
    for (const day of new Set(items.map(({ time }) => dayOf(time)))) {
      const blocks = items.filter(({ time }) => dayOf(time) === day);
      rows.push(...(await this.rowsOfDay(blocks, context)));
    }
    return {
      rows: [...known, ...rows],
      state: () => {
        this.noteChain();
        return Promise.resolve();
      },
    };
  }

  override forget(): void {
    super.forget();
    this.dayEnds.forget();
  }

  protected readHead(block: EvmBlock): Head {
    const head = readReceiptsHead(block, this.wanted, this.parts.chain.headerOf);
    return {
      ...head,
      mayCount: head.mayCount && this.tokens.size > 0,
      feeRecipient: block.header['miner']?.toLowerCase() ?? '',
      extra: readExtraData(block, head.time, this.parts.forks),
    };
  }

  protected override faultOf({ extra, ...head }: Head): string | null {
    return extraDataFault({ ...extra, ...head }, this.parts.forks);
  }

  /** The block with whom its transactions, its atomic transactions and its fees touch, and whom its logs name. */
  protected async complete(
    { hashes, receiptsRoot, mayCount, feeRecipient, extra, ...head }: Head,
    source: string,
    signal: AbortSignal,
  ): Promise<BalancesItem> {
    const { nodes, platform, blockchainId } = this.parts;
    const { height } = head;
    if (!extra.isCommitted) await proveById(nodes, { height, ...extra }, signal);
    const [traced, receipts, allocated] = await Promise.all([
      provedTraces(nodes, { height, hashes }, addressesOf, signal),
      mayCount ? provedReceipts(nodes, { height, hashes, receiptsRoot }, signal) : [],
      height === 0n ? genesisAccounts(blockchainId, platform, signal) : [],
    ]);
    const touched = [
      feeRecipient,
      ...allocated,
      ...traced.traces.flatMap(({ said }) => said),
      ...accountsOf(extra.transactions),
    ];
    const accounts = [...new Set(touched)];
    const owners = unionOf(receipts.flatMap(({ logs }) => logs.flatMap((log) => ownersIn(log, this.tokens))));
    const size = BLOCK_BYTES + (accounts.length + 2 * owners.length) * ADDRESS_BYTES;
    return { ...head, source, size, accounts, owners, lacks: traced.lacks };
  }

  private async rowsOfDay(blocks: readonly BalancesItem[], { head, signal }: DigestContext) {
    const { nodes, chain } = this.parts;
    const last = blocks.at(-1)!;
    const height = await this.dayEnds.after(last, head, signal);
    const accounts = [...new Set(blocks.flatMap((block) => block.accounts))];
    const owners = unionOf(blocks.flatMap((block) => block.owners));
    const [balances, counts] = await Promise.all([
      nodes.evm.balances(accounts, height, { signal }),
      nodes.evm.tokenBalances(owners, height, { signal }),
    ]);
    await checkAmongNodes(nodes, { accounts, balances }, height, signal);
    return balanceRows(chain.evmChainId, last.time, { accounts, balances, owners, counts });
  }
}
