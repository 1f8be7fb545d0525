import type { PrimaryChain } from '../../avalanche/networks.js';
import type { Reader } from '../../storage/reader.js';
import type { Statement } from '../../storage/read.js';
import type { PrimaryNetwork } from './network.js';

const storedTransactions: Statement = {
  name: 'follow.transactions',
  text: `SELECT tx_hash AS "txHash" FROM transaction
    WHERE network = $1::network AND chain = $2::primary_chain AND tx_hash = ANY($3::text[])`,
};

/** Which of these transactions are stored. */
export async function storedHashes(
  reader: Reader,
  { network }: PrimaryNetwork,
  chain: PrimaryChain,
  hashes: readonly string[],
): Promise<Set<string>> {
  if (hashes.length === 0) return new Set();
  const rows = await reader.read<{ txHash: string }>(storedTransactions, [network, chain, hashes]);
  return new Set(rows.map(({ txHash }) => txHash));
}
