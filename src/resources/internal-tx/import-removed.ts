import { toBytea } from '../../avalanche/evm.js';
import { arrayText } from '../../storage/copy.js';
import type { Batch } from '../../storage/session.js';

/**
 * Removes the frames of other blocks than those of the chain at consecutive heights: an only node gave them
 * as its newest. Must run under the chain's import lock.
 *
 * @param evmChainId decimal digits
 * @param blocks their hashes, 0x and 64 digits
 */
export async function removeFramesOfOthers(
  client: Batch,
  evmChainId: string,
  blocks: readonly { readonly height: bigint; readonly id: string }[],
): Promise<void> {
  const [first, last] = [blocks[0], blocks.at(-1)];
  if (!first || !last) return;
  await client.query(
    `DELETE FROM internal_tx
     WHERE evm_chain_id = $1 AND block_number BETWEEN $2 AND $3 AND block_hash <> ALL($4::bytea[])`,
    [evmChainId, String(first.height), String(last.height), arrayText(blocks.map(({ id }) => toBytea(id)))],
  );
}
