import { bloomBits } from '../../avalanche/codec/bloom.js';
import { inOrder } from '../node/in-order.js';
import type { Block, Digest, DigestContext } from '../pipeline.js';
import { receiptsBeginning } from './beginning.js';
import { BLOCK_BYTES, EvmStreamPipeline, type EvmDeps } from './evm-stream-pipeline.js';
import { FollowedMessages, type MessageDeps, type MessageLog } from './followed-messages.js';
import { receiptsRootOf, type HeadBlock } from './proved-block.js';
import { mayLog } from './proved-receipts.js';
import { messageTopics } from './teleporter-events.js';

/** A block of an EVM chain as `fetch` gives it: what its messengers log. */
export interface MessagesItem extends Block {
  readonly time: number;
  readonly messages: readonly MessageLog[];
}

/** Bytes that an event takes in memory without its data, about. */
const EVENT_BYTES = 400;

/**
 * What the messengers of an EVM chain log, as rows. The filter of each header proves which blocks have no
 * such log: of these nothing but the header is read.
 */
export class MessagesPipeline extends EvmStreamPipeline<MessagesItem, EvmDeps & MessageDeps> {
  readonly name = `messages:${this.deps.chain.evmChainId}` as const;
  private readonly messages = new FollowedMessages(this.deps);
  private readonly wanted = [[messageTopics.map(bloomBits), this.deps.teleporters.map(bloomBits)]];

  beginning(head: bigint, signal: AbortSignal): Promise<bigint | 'now'> {
    return receiptsBeginning(this.deps.nodes, head, { signal });
  }

  another(): MessagesPipeline {
    return new MessagesPipeline(this.deps);
  }

  async fetch(from: bigint, count: number, signal: AbortSignal): Promise<MessagesItem[]> {
    const heads = await this.deps.blocks.headsFor(this, from, count, signal);
    return inOrder(heads.length, (index, closed) => this.complete(heads[index]!, closed), signal);
  }

  async digest(items: readonly MessagesItem[], context: DigestContext): Promise<Digest> {
    const known = await this.chainRows(context);
    const messages = await this.messages.rowsOf(
      items.flatMap((item) => item.messages),
      context,
    );
    return {
      rows: [...known, ...messages],
      state: () => {
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

  private async complete(given: HeadBlock, signal: AbortSignal): Promise<MessagesItem> {
    const { source } = given;
    if (!mayLog(given.block, this.wanted)) return { ...given.head, source, size: BLOCK_BYTES, messages: [] };
    const whole = await this.deps.blocks.wholeOf(given, signal);
    const { head, transactions } = whole;
    const { receipts, missing } = await whole.receipts(signal);
    // Where transactions are run later (ACP-194), the base fee is not yet that of the header.
    const isLater = receiptsRootOf(whole.block) === null;
    const priced = isLater ? null : transactions.map(({ gasPrice }) => gasPrice(head.baseFee));
    const messages = await this.messages.logsIn(receipts, priced, head, signal);
    const bytes = messages.reduce((sum, { log }) => sum + log.data.length, 0);
    const size = BLOCK_BYTES + messages.length * EVENT_BYTES + bytes;
    return { ...head, source: whole.source, size, messages, missing };
  }
}
