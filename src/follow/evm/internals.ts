import { internalTxRows, type FrameScope } from '../../resources/internal-tx/import.js';
import { FrameOrdinals } from '../../resources/internal-tx/import-row.js';
import { removeOtherFrames } from '../../resources/internal-tx/write.js';
import type { EvmBlock, TransactionTrace } from '../node/evm-apis.js';
import { inOrder } from '../node/in-order.js';
import type { Nodes } from '../node/nodes.js';
import type { Block, Digest, DigestContext, KindRows, Pipeline } from '../pipeline.js';
import { decodedOnce, faultOf, setAside } from '../primary/proof.js';
import { internalsBeginning } from './beginning.js';
import { chainRowsOf, type EvmChain } from './chain.js';
import { framesOf, type FramesOfTrace } from './frames.js';
import { headFault, readHead, type ProvedHead } from './proved-head.js';

/** A block of an EVM chain as `fetch` gives it: what its transactions called and created. */
export interface InternalsItem extends Block {
  readonly time: number;
  readonly transactions: readonly TracedTransaction[];
}

interface TracedTransaction extends FramesOfTrace {
  /** 0x and 64 digits. */
  readonly hash: string;
}

export interface InternalsParts {
  readonly nodes: Nodes;
  readonly chain: EvmChain;
}

/** Bytes that a block and a frame take in memory, about. */
const BLOCK_BYTES = 1000;
const FRAME_BYTES = 600;
/** The internal transactions of an EVM chain as rows. */
export class InternalsPipeline implements Pipeline<InternalsItem> {
  readonly name;
  private knowsChain = false;

  constructor(private readonly parts: InternalsParts) {
    this.name = `internals:${parts.chain.evmChainId}` as const;
  }

  head(signal: AbortSignal): Promise<bigint> {
    return this.parts.nodes.evm.height({ signal });
  }

  beginning(head: bigint, signal: AbortSignal): Promise<bigint | 'now'> {
    return internalsBeginning(this.parts.nodes, head, { signal });
  }

  async fetch(from: bigint, count: number, signal: AbortSignal): Promise<InternalsItem[]> {
    const read = decodedOnce(readHead);
    const { evm } = this.parts.nodes;
    const prove = (block: EvmBlock, height: bigint) => headFault(block, height, read);
    const blocks = await evm.blocks(from, count, { signal, prove });
    return inOrder(
      blocks.length,
      (place, closed) => {
        const { value, endpoint } = blocks[place]!;
        return this.traced({ ...read(value), source: endpoint }, closed);
      },
      signal,
    );
  }

  async digest(items: readonly InternalsItem[], { reader, memo, signal }: DigestContext): Promise<Digest> {
    const { nodes, chain } = this.parts;
    const known = this.knowsChain ? [] : await chainRowsOf(chain, reader, nodes, signal);
    const frames = frameRows(chain, items);
    const transactions = items.flatMap((item) => item.transactions);
    const withoutAddress = transactions.reduce((sum, each) => sum + each.withoutAddress, 0);
    return {
      rows: [...known, frames],
      memo: { withoutAddress: Number(memo?.['withoutAddress'] ?? 0) + withoutAddress },
      state: async (batch) => {
        await removeOtherFrames(batch, String(chain.evmChainId), keptOf(items));
        this.knowsChain = true;
      },
    };
  }

  // Nothing but the chain is remembered, and a batch that was not committed may have had its row.
  forget(): void {
    this.knowsChain = false;
  }

  setAside(source: string, reason: string): boolean {
    return setAside(this.parts.nodes, source, reason);
  }

  /** The block with its traces, of which there are as many as transactions, in their order. */
  private async traced(
    { hashes, ...head }: ProvedHead & { readonly source: string },
    signal: AbortSignal,
  ): Promise<InternalsItem> {
    // A node gives no traces of the genesis, and need not be asked for those of no transactions.
    if (hashes.length === 0) return { ...head, size: BLOCK_BYTES, transactions: [] };
    const read = decodedOnce((traces: readonly TransactionTrace[]) => readTraces(traces, hashes));
    const prove = (traces: readonly TransactionTrace[]) =>
      faultOf(`the traces of block ${head.height}`, () => traceFault(traces, hashes) ?? (read(traces), null));
    const { value } = await this.parts.nodes.evm.traces(head.height, { signal, prove });
    const transactions = read(value);
    const frames = transactions.reduce((sum, each) => sum + each.frames.length, 0);
    const size = BLOCK_BYTES + hashes.length * FRAME_BYTES + frames * FRAME_BYTES;
    return { ...head, size, transactions };
  }
}

/** Why traces cannot be those of these transactions, or null. Nodes of old versions do not name the transactions. */
function traceFault(traces: readonly TransactionTrace[], hashes: readonly string[]): string | null {
  if (traces.length !== hashes.length)
    return `${traces.length} traces were given for the ${hashes.length} transactions of a block`;
  const place = traces.findIndex(({ txHash }, index) => txHash !== null && txHash !== hashes[index]);
  return place < 0 ? null : `the trace of ${hashes[place]} is that of ${traces[place]?.txHash}`;
}

const readTraces = (
  traces: readonly TransactionTrace[],
  hashes: readonly string[],
): readonly TracedTransaction[] =>
  traces.map(({ trace }, place) => ({ hash: hashes[place]!, ...framesOf(trace) }));

function frameRows({ evmChainId }: EvmChain, items: readonly InternalsItem[]): KindRows {
  const rows = items.flatMap(({ height, id, time, transactions }) =>
    transactions.flatMap(({ hash, frames }) =>
      frames.map(({ type, from, to, value, gasUsed, gasLimit, position, isReverted }) => ({
        ...{ blockNumber: String(height), blockTimestamp: time, blockHash: id, txHash: hash },
        ...{ from: { address: from }, to: { address: to }, internalTxType: type, position, isReverted },
        ...{ value: String(value), gasUsed: String(gasUsed), gasLimit: String(gasLimit) },
      })),
    ),
  );
  const scope: FrameScope = { evmChainId: String(evmChainId), ordinals: new FrameOrdinals() };
  return { kind: internalTxRows, scope, rows };
}

/** What is stored of the transactions, and nothing else. */
const keptOf = (items: readonly InternalsItem[]) =>
  items.flatMap(({ height, transactions }) =>
    transactions.map(({ hash, frames }) => ({
      txHash: hash,
      blockNumber: String(height),
      positions: frames.map(({ position }) => position),
    })),
  );
