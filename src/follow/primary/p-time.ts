import { decodePBlock } from '../../avalanche/codec/block.js';
import type { Genesis, PBlock } from '../../avalanche/codec/types.js';
import { contradiction } from '../node/error.js';
import type { Nodes } from '../node/nodes.js';
import { proved } from '../node/proof.js';
import type { Block } from '../pipeline.js';

/** Blocks that are looked at; mainnet's clock moved every few blocks. */
const MOST_BLOCKS = 10_000n;

/**
 * The P-chain's time before a block older than Banff, which has no time itself: that of the last committed
 * AdvanceTimeTx. Read backward if the chain was started at a later block: each block is the parent of the one
 * after it.
 *
 * @param genesis null where it is not known
 * @returns Unix seconds
 * @throws NodeError, also when no such transaction is near
 */
export async function timeOfBlockBefore(
  nodes: Nodes,
  { height, parent }: Pick<Block, 'height' | 'parent'>,
  genesis: Genesis | null,
  signal: AbortSignal,
): Promise<number> {
  let after: PBlock | null = null;
  for (let at = height - 1n; at >= 0n && height - at <= MOST_BLOCKS; at -= 1n) {
    const id: string = after?.parent ?? parent;
    const read = (bytes: Uint8Array): PBlock =>
      proved(
        `block ${at}`,
        () => decodePBlock(bytes),
        (block) =>
          block.id === id ? null : `it is block ${block.id}, and the block after it has the parent ${id}`,
      );
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
