import { bloomBits } from '../../avalanche/codec/bloom.js';
import type { EvmBlock } from '../node/evm-apis.js';
import type { Block, Digest, DigestContext } from '../pipeline.js';
import { logsBeginning } from './beginning.js';
import { BLOCK_BYTES, EvmPipeline, type EvmParts } from './evm-pipeline.js';
import { FollowedMessages, type MessageLog, type MessageParts } from './followed-messages.js';
import { nftRows, nftTopics, nftTransfersOf, type NftTransfer, type TransferPlace } from './nft-transfers.js';
import { provedReceipts, readReceiptsHead, type ReceiptsHead } from './proved-receipts.js';
import { messageTopics } from './teleporter-events.js';

/** A block of an EVM chain as `fetch` gives it: what its logs say of tokens and messages. */
export interface LogsItem extends Block {
  readonly time: number;
  readonly transfers: readonly (NftTransfer & TransferPlace)[];
  readonly messages: readonly MessageLog[];
}

/** Bytes that an event takes in memory without its data, about. */
const EVENT_BYTES = 400;

const wanted = [...Object.values(nftTopics), ...messageTopics].map(bloomBits);

/** What the logs of an EVM chain say, as rows. */
export class LogsPipeline extends EvmPipeline<LogsItem, ReceiptsHead, EvmParts & MessageParts> {
  readonly name = `logs:${this.parts.chain.evmChainId}` as const;
  private readonly messages = new FollowedMessages(this.parts);

  beginning(head: bigint): Promise<bigint | 'now'> {
    return Promise.resolve(logsBeginning(head));
  }

  async digest(items: readonly LogsItem[], context: DigestContext): Promise<Digest> {
    const known = await this.chainRows(context);
    const tokens = nftRows(
      this.parts.chain.evmChainId,
      items.flatMap(({ transfers }) => transfers),
    );
    const messages = await this.messages.rowsOf(
      items.flatMap((item) => item.messages),
      context,
    );
    return {
      rows: [...known, tokens, ...messages],
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

  protected readHead(block: EvmBlock): ReceiptsHead {
    return readReceiptsHead(block, [[wanted]], this.parts.chain.headerOf);
  }

  /** The block with what its logs say. Where the filter of its header excludes all of it, no receipts are asked for. */
  protected async complete(
    { hashes, receiptsRoot: root, mayCount, ...head }: ReceiptsHead,
    source: string,
    signal: AbortSignal,
  ): Promise<LogsItem> {
    if (!mayCount) return { ...head, source, size: BLOCK_BYTES, transfers: [], messages: [] };
    const { height, time } = head;
    const receipts = await provedReceipts(this.parts.nodes, { height, hashes, receiptsRoot: root }, signal);
    const transfers = receipts.flatMap(({ transactionHash: txHash, logs }) =>
      logs.flatMap(nftTransfersOf).map((each) => ({ ...each, ...{ height, time, txHash } })),
    );
    const messages = await this.messages.logsIn(receipts, { height, time }, signal);
    const bytes = messages.reduce((sum, { log }) => sum + log.data.length, 0);
    const size = BLOCK_BYTES + (transfers.length + messages.length) * EVENT_BYTES + bytes;
    return { ...head, source, size, transfers, messages };
  }
}
