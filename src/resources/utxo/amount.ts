import { outputTypes } from '../../avalanche/codec/outputs.js';
import type { UtxoColumns } from './fields.js';

type Counted = Pick<UtxoColumns, 'utxo_bytes'> & { readonly amount: string };

/**
 * Where the type of the output stands in its bytes: after codec version, transaction id, index and asset id.
 */
const TYPE_AT = 2 + 32 + 4 + 32;
const nft = outputTypes.nftTransfer.toString(16).padStart(8, '0');

/**
 * What an output adds to sums of its asset: its amount, and 1 for an NFT, whose bytes have none. The right to
 * mint, and outputs of an asset's properties, do not count: 0.
 */
export function countedAmount({ amount, utxo_bytes: bytes }: Counted): bigint {
  if (amount !== '0') return BigInt(amount);
  const from = '\\x'.length + 2 * TYPE_AT;
  return bytes?.slice(from, from + nft.length) === nft ? 1n : 0n;
}

/** SQL of the same, over `utxo u`. */
export const countedAmountSql = `CASE
  WHEN u.amount = 0 AND substr(u.utxo_bytes, ${TYPE_AT + 1}, 4) = '\\x${nft}' THEN 1 ELSE u.amount END`;
