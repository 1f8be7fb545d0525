import { gapTable, pipelineTable } from '../state/following.js';
import type { Connection } from '../storage/session.js';
import type { Sides } from './compare-tables.js';
import { notCompared, type Outcome } from './finding.js';
import { readKnownGaps, type KnownGap } from './known-gaps.js';
import type { Scope } from './tables.js';

/** A row that differs between the two sides. */
export interface Differing {
  readonly key: string;
  /** Null for a row that is missing, or should not exist. */
  readonly column: string | null;
  /** The values of the row by column, on each side; null where it does not exist. */
  readonly stored: ReadonlyMap<string, unknown> | null;
  readonly proved: ReadonlyMap<string, unknown> | null;
}

/** The side whose gap is why. */
export type SideName = keyof Sides;

/** Transactions of a block that are named. */
const MOST_SHOWN = 5;

const hexOf = (bytes: unknown) => String(bytes).replace(String.raw`\x`, '0x');

/** Says which differing rows of the C-chain are missing, or are older, because one of the sides has a gap. */
export class RowsOfGaps {
  private readonly known = new Map<string, boolean>();
  private newest: { readonly of: string; readonly transactions: readonly string[] } | null = null;

  /**
   * @param touched addresses whose balances the transactions of stored gaps may have changed, in lower case,
   *   as far as a node says it. Balances of others are compared as if there were no gap
   */
  constructor(
    private readonly sides: Sides,
    private readonly scope: NonNullable<Scope>,
    private readonly touched: ReadonlySet<string>,
  ) {}

  /** The side whose gap explains that a row of a table differs; null for none. */
  async whose(table: string, row: Differing): Promise<SideName | null> {
    switch (table) {
      case 'internal_tx':
        return this.ofFrame(row);
      case 'evm_balance':
        return this.ofBalance(row);
      case 'evm_address':
        return row.stored === null && this.touched.has(hexOf(row.proved?.get('address'))) ? 'stored' : null;
      case 'nft_token':
        return this.sideWithGaps(`nfts:${this.scope.cEvmChainId}`);
      case 'icm_message':
        return this.sideWithGaps(`messages:${this.scope.cEvmChainId}`);
      // It counts failed creations.
      case pipelineTable.name:
        return row.column?.startsWith('memo') ? this.sideWithGaps(row.key.split(' ')[1] ?? '') : null;
      default:
        return null;
    }
  }

  /** The blocks with gaps on the proving side alone: the stored rows are compared with nothing. */
  async notProved(by: string): Promise<Outcome[]> {
    const { gaps } = await readKnownGaps(this.sides.proved, this.scope);
    const missing = new Map<string, KnownGap[]>();
    for (const gap of gaps) {
      const ours = new Set(await this.missingOf('stored', gap.name, gap.height));
      const transactions = gap.transactions.filter((hash) => !ours.has(hash));
      if (transactions.length > 0)
        missing.set(gap.name, [...(missing.get(gap.name) ?? []), { ...gap, transactions }]);
    }
    return [...missing].map(([name, [first, ...others]]) =>
      notCompared(`what was refused of ${name}`, by, inWords(first!, others.length)),
    );
  }

  /** A transaction of a gap has no frame on that side. */
  private async ofFrame({ stored, proved }: Differing): Promise<SideName | null> {
    const side = stored === null ? 'stored' : proved === null ? 'proved' : null;
    const row = stored ?? proved;
    if (side === null || row === null) return null;
    const height = BigInt(String(row.get('block_number')));
    const hashes = await this.missingOf(side, `internals:${this.scope.cEvmChainId}`, height);
    return hashes.includes(hexOf(row.get('tx_hash'))) ? side : null;
  }

  /** A row contains the balance before and its last day, so a missing day is in other rows too. */
  private async ofBalance({ stored, proved }: Differing): Promise<SideName | null> {
    const row = stored ?? proved;
    if (String(row?.get('holding_id')).split(' ')[1] !== 'native')
      return this.sideWithGaps(`balances:${this.scope.cEvmChainId}`);
    if (this.touched.has(hexOf(row?.get('address_id')))) return 'stored';
    // The node does not say which accounts the transaction touches.
    return (await this.hasGaps('proved', `balances:${this.scope.cEvmChainId}`)) ? 'proved' : null;
  }

  private async sideWithGaps(name: string): Promise<SideName | null> {
    if (await this.hasGaps('stored', name)) return 'stored';
    return (await this.hasGaps('proved', name)) ? 'proved' : null;
  }

  private async hasGaps(side: SideName, name: string): Promise<boolean> {
    const key = `${side} ${name}`;
    const before = this.known.get(key);
    if (before !== undefined) return before;
    const { rows } = await this.connection(side).query(
      `SELECT 1 FROM ${gapTable.name} WHERE network = $1::network AND name = $2 LIMIT 1`,
      [this.scope.network, name],
    );
    this.known.set(key, rows.length > 0);
    return rows.length > 0;
  }

  /** The transactions of a block that are missing on a side. Rows of one block come together. */
  private async missingOf(side: SideName, name: string, height: bigint): Promise<readonly string[]> {
    if (!(await this.hasGaps(side, name))) return [];
    const of = `${side} ${name} ${height}`;
    if (this.newest?.of === of) return this.newest.transactions;
    const { rows } = await this.connection(side).query<{ transactions: string[] }>(
      `SELECT transactions FROM ${gapTable.name} WHERE network = $1::network AND name = $2 AND height = $3`,
      [this.scope.network, name, height],
    );
    const transactions = rows[0]?.transactions ?? [];
    this.newest = { of, transactions };
    return transactions;
  }

  private connection(side: SideName): Connection {
    return this.sides[side];
  }
}

function inWords({ height, transactions, reason }: KnownGap, others: number): string {
  const hashes = transactions.slice(0, MOST_SHOWN).join(', ');
  const more = others > 0 ? `; and ${others.toLocaleString('en')} more blocks` : '';
  return `the node refuses block ${height.toLocaleString('en')}, transaction ${hashes}: ${reason}${more}`;
}
