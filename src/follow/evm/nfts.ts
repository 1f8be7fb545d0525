import { bloomBits } from '../../avalanche/codec/bloom.js';
import { tokenTopics } from '../../avalanche/evm-events.js';
import type { EvmBlock } from '../node/evm-apis.js';
import type { Block, Digest, DigestContext } from '../pipeline.js';
import { receiptsBeginning } from './beginning.js';
import { EvmPipeline } from './evm-pipeline.js';
import { BLOCK_BYTES } from './evm-stream-pipeline.js';
import { nftRows, nftTransfersIn } from './nft-transfers.js';
import type { CutRange, NftTransfer, TransferContext } from './nft-transfers.js';
import type { ProvedBlock } from './proved-block.js';
import type { BlockHead } from './proved-head.js';
import { mayLog } from './proved-receipts.js';

/** A block of an EVM chain as `fetch` gives it: what its logs say of tokens. */
export interface NftsItem extends Block {
  readonly time: number;
  readonly transfers: readonly (NftTransfer & TransferContext)[];
  readonly cut: readonly CutRange[];
}

interface Head extends BlockHead {
  /** Whether there can be a log that counts. */
  readonly mayCount: boolean;
}

/** Bytes that a transfer takes in memory, about. */
const TRANSFER_BYTES = 400;

const wanted = [[Object.values(tokenTopics).map(bloomBits)]];

/** The NFTs that the logs of an EVM chain say were transferred, as rows. */
export class NftsPipeline extends EvmPipeline<NftsItem, Head> {
  readonly name = `nfts:${this.deps.chain.evmChainId}` as const;

  beginning(head: bigint, signal: AbortSignal): Promise<bigint | 'now'> {
    return receiptsBeginning(this.deps.nodes, head, { signal });
  }

  another(): NftsPipeline {
    return new NftsPipeline(this.deps);
  }

  async digest(items: readonly NftsItem[], context: DigestContext): Promise<Digest> {
    const known = await this.chainRows(context);
    const transfers = items.flatMap((item) => item.transfers);
    const cut = items.reduce((sum, item) => sum + item.cut.length, 0);
    return {
      rows: [...known, nftRows(this.deps.chain.evmChainId, transfers)],
      ...(cut > 0 && { memo: { rangesCut: Number(context.memo?.['rangesCut'] ?? 0) + cut } }),
      state: () => {
        items.forEach((item) => this.tellCut(item));
        this.noteChain();
        return Promise.resolve();
      },
    };
  }

  protected readHead(block: EvmBlock, head: BlockHead): Head {
    return { ...head, mayCount: mayLog(block, wanted) };
  }

  /** The block with what its logs say. If its header's filter excludes all, no receipts are requested. */
  protected async complete(
    { mayCount, ...head }: Head,
    block: ProvedBlock,
    signal: AbortSignal,
  ): Promise<NftsItem> {
    const { source } = block;
    if (!mayCount) return { ...head, source, size: BLOCK_BYTES, transfers: [], cut: [] };
    const { height, time } = head;
    const { receipts, missing } = await block.receipts(signal);
    const said = nftTransfersIn(receipts);
    const transfers = said.transfers.map((each) => ({ ...each, height, time }));
    const size = BLOCK_BYTES + transfers.length * TRANSFER_BYTES;
    return { ...head, source, size, transfers, cut: said.cut, missing };
  }

  /** One line for a block: strangers may fill it with such logs. */
  private tellCut({ height, cut: [first, ...others] }: NftsItem): void {
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
