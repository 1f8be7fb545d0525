import { decodePBlock } from '../../avalanche/codec/block.js';
import type { Genesis, PBlock } from '../../avalanche/codec/types.js';
import { contradiction } from '../node/error.js';
import type { Nodes } from '../node/nodes.js';
import { blockReader } from '../node/proof.js';

/** Blocks that are looked at; mainnet's clock moved every few blocks. */
const MOST_BLOCKS = 10_000n;

/**
 * The P-chain's time before a block older than Banff, which has no time itself: that of the last committed
 * AdvanceTimeTx. Read backward if the chain was started at a later block.
 *
 * @param genesis null where it is not known
 * @returns Unix seconds
 * @throws NodeError, also when no such transaction is near
 */
export async function timeOfBlockBefore(
  nodes: Nodes,
  height: bigint,
  genesis: Genesis | null,
  signal: AbortSignal,
): Promise<number> {
  const read = blockReader(decodePBlock);
  let after: PBlock | null = null;
  for (let at = height - 1n; at >= 0n && height - at <= MOST_BLOCKS; at -= 1n) {
    const { value: block } = await nodes.platform.blockByHeight(at, { signal, read });
    if (block.proposal?.type === 'AdvanceTimeTx' && after?.type === 'commit')
      return Number(block.proposal.time);
    if (at === 0n && genesis !== null) return genesis.time;
    after = block;
  }
  throw contradiction(
    `the P-chain cannot be begun at ${height}: the blocks before it do not contain the time of the chain. Begin at an earlier or a later height, or give the genesis file`,
  );
}
