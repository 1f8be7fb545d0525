import { arrayText, bareArrayText } from '../../storage/copy.js';
import type { Batch } from '../../storage/session.js';

/** What identifies a stored frame of a chain, in the order of its index. */
export interface StoredKey {
  tx_hash: string;
  position: number;
  tie: string;
  block_number: string;
}

/** A text that differs between frames of a chain. */
export const keyOf = ({ tx_hash, position, tie, block_number }: StoredKey) =>
  [tx_hash, position, tie, block_number].join(' ');

/** Removes frames of a chain. */
export async function removeStored(
  client: Batch,
  evmChainId: string,
  keys: readonly StoredKey[],
): Promise<void> {
  if (keys.length === 0) return;
  await client.query(
    `DELETE FROM internal_tx old
     USING unnest($2::bytea[], $3::integer[], $4::bigint[], $5::bigint[]) AS gone(tx_hash, position, tie, block_number)
     WHERE old.evm_chain_id = $1 AND old.tx_hash = gone.tx_hash AND old.position = gone.position AND old.tie = gone.tie
       AND old.block_number = gone.block_number`,
    [
      evmChainId,
      arrayText(keys.map(({ tx_hash }) => tx_hash)),
      bareArrayText(keys.map(({ position }) => position)),
      bareArrayText(keys.map(({ tie }) => tie)),
      bareArrayText(keys.map(({ block_number }) => block_number)),
    ],
  );
}
