import type { PrimaryChain } from '../../avalanche/networks.js';
import { takeBackBlocks } from '../../resources/transaction/import-removed.js';
import type { Batch } from '../../storage/session.js';
import type { Reader } from '../../storage/reader.js';
import type { Statement } from '../../storage/statement.js';
import type { Block } from '../pipeline.js';
import type { PrimaryNetwork } from './network.js';

const otherBlocks: Statement = {
  name: 'follow.other_blocks',
  text: `SELECT hash FROM block WHERE network = $1::network AND chain = $2::primary_chain
    AND number BETWEEN $3::numeric AND $4::numeric AND hash <> ALL($5::text[])`,
};

/**
 * Blocks that are stored at the heights of others: an only node gave them as its newest, and the chain has
 * others there. They are found when a stream is written again.
 *
 * @param state what else is written in that transaction
 * @returns the same with what takes back what they brought, in the transaction that writes the others
 */
export async function takeBackOthers(
  { network }: PrimaryNetwork,
  chain: PrimaryChain,
  blocks: readonly Block[],
  reader: Reader,
  state?: (batch: Batch) => Promise<void>,
): Promise<((batch: Batch) => Promise<void>) | undefined> {
  const [first, last] = [blocks[0], blocks.at(-1)];
  if (!first || !last) return state;
  const ids = blocks.map(({ id }) => id);
  const given = [network, chain, String(first.height), String(last.height), ids];
  const others = await reader.read<{ hash: string }>(otherBlocks, given);
  if (others.length === 0) return state;
  const hashes = others.map(({ hash }) => hash);
  return async (batch) => {
    await takeBackBlocks(batch, { network, chain }, hashes);
    await state?.(batch);
  };
}
