import { bloomBits } from '../../avalanche/codec/bloom.js';
import { tokenTopics } from '../../avalanche/evm-events.js';
import type { EvmBlock } from '../node/evm-apis.js';
import type { Block, Digest, DigestContext } from '../pipeline.js';
import { logsBeginning } from './beginning.js';
import { BLOCK_BYTES, EvmPipeline, type EvmDeps } from './evm-pipeline.js';
import { FollowedMessages, type MessageLog, type MessageDeps } from './followed-messages.js';
import { nftRows, nftTransfersIn } from './nft-transfers.js';
import type { CutRange, NftTransfer, TransferContext } from './nft-transfers.js';
import { provedReceipts, readReceiptsHead, type ReceiptsHead } from './proved-receipts.js';
import { messageTopics } from './teleporter-events.js';

/** A block of an EVM chain as `fetch` gives it: what its logs say of tokens and messages. */
export interface LogsItem extends Block {
  readonly time: number;
  readonly transfers: readonly (NftTransfer & TransferContext)[];
  readonly cut: readonly CutRange[];
  readonly messages: readonly MessageLog[];
}

/** Bytes that an event takes in memory without its data, about. */
const EVENT_BYTES = 400;

const wanted = [...Object.values(tokenTopics), ...messageTopics].map(bloomBits);

type LogsDeps = EvmDeps & MessageDeps;

/** What the logs of an EVM chain say, as rows. */
export class LogsPipeline extends EvmPipeline<LogsItem, ReceiptsHead, LogsDeps> {
  readonly name = `logs:${this.deps.chain.evmChainId}` as const;
  private readonly messages = new FollowedMessages(this.deps);

  beginning(head: bigint, signal: AbortSignal): Promise<bigint | 'now'> {
    return logsBeginning(this.deps.nodes, head, { signal });
  }

  another(): LogsPipeline {
    return new LogsPipeline(this.deps);
  }

  async digest(items: readonly LogsItem[], context: DigestContext): Promise<Digest> {
    const known = await this.chainRows(context);
    const tokens = nftRows(
      this.deps.chain.evmChainId,
      items.flatMap(({ transfers }) => transfers),
    );
    const messages = await this.messages.rowsOf(
      items.flatMap((item) => item.messages),
      context,
    );
    const cut = items.reduce((sum, item) => sum + item.cut.length, 0);
    return {
      rows: [...known, tokens, ...messages],
      ...(cut > 0 && { memo: { rangesCut: Number(context.memo?.['rangesCut'] ?? 0) + cut } }),
      state: () => {
        items.forEach((item) => this.tellCut(item));
        this.noteChain();
        this.messages.note();
        return Promise.resolve();
      },
    };
  }

  override forget(): void {
    super.forget();
    this.messages.forget();
  }

  protected readHead(block: EvmBlock): ReceiptsHead {
    return readReceiptsHead(block, [[wanted]], this.deps.chain.headerOf);
  }

  /** The block with what its logs say. If its header's filter excludes all, no receipts are requested. */
  protected async complete(
    { transactions, receiptsRoot: root, mayCount, ...head }: ReceiptsHead,
    source: string,
    signal: AbortSignal,
  ): Promise<LogsItem> {
    if (!mayCount) return { ...head, source, size: BLOCK_BYTES, transfers: [], cut: [], messages: [] };
    const { height, time } = head;
    const asked = { height, transactions, receiptsRoot: root };
    const { receipts, missing } = await provedReceipts(this.deps.nodes, asked, signal);
    const said = nftTransfersIn(receipts);
    const transfers = said.transfers.map((each) => ({ ...each, height, time }));
    // Where transactions are run later (ACP-194), the base fee is not yet that of the header.
    const priced = root === null ? null : transactions.map(({ gasPrice }) => gasPrice(head.baseFee));
    const messages = await this.messages.logsIn(receipts, priced, { height, time }, signal);
    const bytes = messages.reduce((sum, { log }) => sum + log.data.length, 0);
    const size = BLOCK_BYTES + (transfers.length + messages.length) * EVENT_BYTES + bytes;
    return { ...head, source, size, transfers, cut: said.cut, messages, missing };
  }

  /** One line for a block: strangers may fill it with such logs. */
  private tellCut({ height, cut: [first, ...others] }: LogsItem): void {
    if (!first) return;
    const { address, first: from, last, stored } = first;
    const more = others.length === 0 ? '' : `; ${others.length} more of its logs do the same`;
    this.deps.log.warn(
      { pipeline: this.name },
      `${this.name}: block ${height} transfers the tokens ${from} to ${last} of ${address} in one log: ` +
        `${stored === null ? 'none of them' : `those up to ${stored}`} are stored; the others are stored when they are transferred one by one${more}`,
    );
  }
}
