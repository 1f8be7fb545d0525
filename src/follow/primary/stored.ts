import type { PrimaryChain } from '../../avalanche/networks.js';
import { transactionRows } from '../../resources/transaction/import.js';
import type { Reader } from '../../storage/reader.js';
import type { Statement } from '../../storage/statement.js';
import type { KindRows } from '../pipeline.js';
import type { PrimaryNetwork } from './network.js';
import type { Row } from './rows.js';

const storedTransactions: Statement = {
  name: 'follow.transactions',
  text: `SELECT tx_hash AS "txHash" FROM transaction
    WHERE network = $1::network AND chain = $2::primary_chain AND tx_hash = ANY($3::text[])`,
};

/** The transactions of a chain that are stored, or will be before the next batch: see Pipeline.digest. */
export class StoredTransactions {
  /** Of the batch before. */
  private written: ReadonlySet<unknown> = new Set();

  constructor(
    private readonly network: PrimaryNetwork,
    private readonly chain: PrimaryChain,
  ) {}

  /** Which of these there are. */
  async among(hashes: readonly string[], reader: Reader): Promise<Set<string>> {
    const found = new Set(hashes.filter((hash) => this.written.has(hash)));
    const others = hashes.filter((hash) => !found.has(hash));
    if (others.length === 0) return found;
    const given = [this.network.network, this.chain, others];
    for (const { txHash } of await reader.read<{ txHash: string }>(storedTransactions, given))
      found.add(txHash);
    return found;
  }

  /** Notes the rows of a batch, which are written next. */
  note(sets: readonly KindRows[]): void {
    const own = sets.filter(({ kind }) => kind === transactionRows);
    this.written = new Set(own.flatMap(({ rows }) => rows.map((row) => (row as Row)['txHash'])));
  }

  /** What was noted may not be written. */
  forget(): void {
    this.written = new Set();
  }
}
