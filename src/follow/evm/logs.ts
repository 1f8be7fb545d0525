import { bloomBits, mayHave } from '../../avalanche/codec/bloom.js';
import { readReceipt, receiptsRoot, type EvmReceipt } from '../../avalanche/codec/evm-receipt.js';
import type { EvmBlock } from '../node/evm-apis.js';
import type { Block, Digest, DigestContext } from '../pipeline.js';
import { decodedOnce, faultOf } from '../primary/proof.js';
import { logsBeginning } from './beginning.js';
import { BLOCK_BYTES, EvmPipeline } from './evm-pipeline.js';
import { nftRows, nftTopics, nftTransfersOf, type NftTransfer, type TransferPlace } from './nft-transfers.js';
import { readHead, type HeaderOf, type ProvedHead } from './proved-head.js';

/** A block of an EVM chain as `fetch` gives it: what its logs say of tokens. */
export interface LogsItem extends Block {
  readonly time: number;
  readonly transfers: readonly (NftTransfer & TransferPlace)[];
}

/** What a block's header says of its receipts. */
interface Head extends ProvedHead {
  /** Null where the header is that of a chain that runs transactions later (ACP-194): it has the root of other blocks. */
  readonly receiptsRoot: string | null;
  /** Whether there can be a log that counts. */
  readonly mayCount: boolean;
}

/** Bytes that an event takes in memory, about. */
const EVENT_BYTES = 400;

const wanted = Object.values(nftTopics).map(bloomBits);

/** What the logs of an EVM chain say, as rows. */
export class LogsPipeline extends EvmPipeline<LogsItem, Head> {
  readonly name = `logs:${this.parts.chain.evmChainId}` as const;

  beginning(head: bigint): Promise<bigint | 'now'> {
    return Promise.resolve(logsBeginning(head));
  }

  async digest(items: readonly LogsItem[], context: DigestContext): Promise<Digest> {
    const known = await this.chainRows(context);
    const tokens = nftRows(
      this.parts.chain.evmChainId,
      items.flatMap(({ transfers }) => transfers),
    );
    return {
      rows: [...known, tokens],
      state: () => {
        this.noteChain();
        return Promise.resolve();
      },
    };
  }

  protected readHead(block: EvmBlock): Head {
    return readLogsHead(block, this.parts.chain.headerOf);
  }

  /** The block with what its logs say. Where the filter of its header excludes all of it, no receipts are asked for. */
  protected async complete(
    { hashes, receiptsRoot: root, mayCount, ...head }: Head,
    source: string,
    signal: AbortSignal,
  ): Promise<LogsItem> {
    if (!mayCount) return { ...head, source, size: BLOCK_BYTES, transfers: [] };
    const { height, time } = head;
    const read = decodedOnce((receipts: readonly unknown[]) => receipts.map(readReceipt));
    const prove = (receipts: readonly unknown[]) =>
      faultOf(`the receipts of block ${height}`, () => receiptsFault(read(receipts), hashes, root));
    const { value } = await this.parts.nodes.evm.receipts(height, { signal, prove });
    const transfers = read(value).flatMap(({ transactionHash: txHash, logs }) =>
      logs.flatMap(nftTransfersOf).map((each) => ({ ...each, ...{ height, time, txHash } })),
    );
    return { ...head, source, size: BLOCK_BYTES + transfers.length * EVENT_BYTES, transfers };
  }
}

function readLogsHead(block: EvmBlock, of: HeaderOf): Head {
  const head = readHead(block, of);
  const { logsBloom, receiptsRoot: root, settledHeight = null } = block.header;
  if (settledHeight !== null) return { ...head, receiptsRoot: null, mayCount: head.hashes.length > 0 };
  const bloom = Buffer.from(logsBloom?.slice(2) ?? '', 'hex');
  return { ...head, receiptsRoot: root?.toLowerCase() ?? '', mayCount: mayHave(bloom, wanted) };
}

/** Why receipts cannot be those of a block, or null. */
function receiptsFault(
  receipts: readonly EvmReceipt[],
  hashes: readonly string[],
  root: string | null,
): string | null {
  if (receipts.length !== hashes.length)
    return `${receipts.length} receipts were given for its ${hashes.length} transactions`;
  const given = root === null ? null : receiptsRoot(receipts);
  if (given !== root) return `their root is ${given}, and its header says ${root}`;
  const place = receipts.findIndex(
    ({ transactionHash }, at) => transactionHash !== hashes[at]?.toLowerCase(),
  );
  return place < 0 ? null : `the receipt of ${hashes[place]} is that of ${receipts[place]?.transactionHash}`;
}
