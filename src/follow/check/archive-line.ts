import type { Archives } from '../archive/archives.js';
import { headReader, type HeaderOf } from '../evm/proved-head.js';
import { unlessFailed } from '../node/error.js';
import type { EvmApi, EvmBlock } from '../node/evm-apis.js';

/** How many blocks are searched for one with transactions. */
const LOOK = 64;

/**
 * What the archive of a chain has of its past, as `follow --check` prints it: its first blocks are read and
 * proved. Empty without one, and where the chain's nodes do not answer.
 *
 * @throws the signal's reason
 */
export async function archiveLine(
  archives: Archives,
  evm: Pick<EvmApi, 'chainId' | 'height'>,
  headerOf: HeaderOf,
  signal: AbortSignal,
): Promise<string> {
  const options = { signal, patienceMs: 0 };
  const asked = Promise.all([evm.chainId(options), evm.height(options)]);
  const [evmChainId, head] = await unlessFailed(asked, () => [0n, 0n] as const);
  const archive = archives.of(evmChainId);
  if (archive === null) return '';
  const { first, blocks } = archive.extent;
  const headIn = headReader(headerOf);
  const read = (block: EvmBlock, height: bigint) => ({ ...headIn(block, height), ...block });
  const found = await archive.wholeBlocks(first, LOOK, { signal, read });
  const line = `  ${archive.inWords()}: ${blocks.toLocaleString('en')} of the past ${(head + 1n).toLocaleString('en')} blocks`;
  if (found.length === 0) return `${line}; its first block is not used: see above\n`;
  const used = found.find(({ value }) => value.transactions.length > 0);
  if (!used) return `${line}; its first ${found.length} blocks are proved, and have no transactions\n`;
  const { height } = used.value;
  const has = (part: Promise<unknown>) =>
    unlessFailed(
      part.then(() => 'yes'),
      () => 'no',
    );
  const [receipts, traces] = [await has(archive.receipts(height)), await has(archive.traces(height))];
  return `${line}; its first ${found.length} are proved; receipts: ${receipts}, traces: ${traces}\n`;
}
