import type { Network, PrimaryChain } from '../avalanche/networks.js';
import { arrayText, bareArrayText } from '../storage/copy.js';
import type { Batch } from '../storage/session.js';

/** What entries of the feed are about: see the model Feed. */
export const feedKinds = [
  'transaction',
  'utxo',
  'spent_utxo',
  'block',
  'icm_message',
  'internal_tx',
  'chain_status',
] as const;
export type FeedKind = (typeof feedKinds)[number];

/** Rows of one kind that a write stored first, or outputs that it spent. */
export interface FirstRows {
  readonly kind: FeedKind;
  /** Null for internal transactions. */
  readonly network: Network | null;
  /** Of transactions and blocks; otherwise null. */
  readonly chain: PrimaryChain | null;
  /** Of internal transactions, decimal digits; otherwise null. */
  readonly evmChainId: string | null;
  /** What identifies each within its network or chain; without spaces. */
  readonly keys: readonly string[];
}

/** The channel on which a commit with entries is announced. */
export const FEED_CHANNEL = 'moraine_feed';

/** Keys in one entry: what a gateway reads and keeps at once. */
const KEYS = 100;
const MOST_BYTES = 256 * 2 ** 20;
const KEPT_HOURS = 24;
/** Of an entry without its keys, with its place in the index. */
const ENTRY_BYTES = 112;
// Any number that nothing else uses as the class or key of an advisory lock.
const FEED_LOCK = 1_836_020_311;

/** Rows of a network. */
export const firstOfNetwork = (kind: FeedKind, network: Network, keys: readonly string[]): FirstRows => ({
  kind,
  network,
  chain: null,
  evmChainId: null,
  keys,
});

/** Rows of a chain of the primary network. */
export const firstOfChain = (
  kind: FeedKind,
  { network, chain }: { readonly network: Network; readonly chain: PrimaryChain },
  keys: readonly string[],
): FirstRows => ({ kind, network, chain, evmChainId: null, keys });

// Each statement removes more than it adds, of the oldest alone, so that none looks at the whole table.
const INSERT = `
  WITH gone AS (
    DELETE FROM feed WHERE id IN (
      SELECT oldest.id FROM (SELECT f.id, f.written_at, f.total FROM feed f ORDER BY f.id LIMIT $8::bigint) oldest
      WHERE oldest.written_at < now() - interval '${KEPT_HOURS} hours'
        OR oldest.total < (SELECT f.total FROM feed f ORDER BY f.id DESC LIMIT 1) - ${MOST_BYTES}))
  INSERT INTO feed (written_at, kind, network, chain, evm_chain_id, is_backfill, keys, total)
  SELECT clock_timestamp(), given.kind, given.network, given.chain, given.evm, $7::boolean, given.keys,
    coalesce((SELECT f.total FROM feed f ORDER BY f.id DESC LIMIT 1), 0)
      + sum(octet_length(given.keys) + ${ENTRY_BYTES}) OVER (ORDER BY given.nth)
  FROM unnest($1::int[], $2::feed_kind[], $3::network[], $4::primary_chain[], $5::bigint[], $6::text[])
    AS given(nth, kind, network, chain, evm, keys)
  ORDER BY given.nth`;

/**
 * Adds entries to the feed. Call it last in a transaction: from here on to its end no other one adds any, so
 * that the numbers of entries rise in the order of the commits, and who has read one has missed none before
 * it. NOTIFY makes commits wait for each other in the same way.
 *
 * @param isBackfill whether the rows are of blocks before the first one that is stored
 */
export async function writeFeed(
  client: Batch,
  rows: readonly FirstRows[],
  isBackfill: boolean,
): Promise<void> {
  const entries = merged(rows).flatMap(inEntries);
  if (entries.length === 0) return;
  const { length } = entries;
  await Promise.all([
    client.query(`SELECT pg_advisory_xact_lock(${FEED_LOCK}), pg_notify('${FEED_CHANNEL}', '')`),
    client.query(INSERT, [
      bareArrayText(entries.map((_entry, index) => index)),
      bareArrayText(entries.map(({ kind }) => kind)),
      bareArrayText(entries.map(({ network }) => network)),
      bareArrayText(entries.map(({ chain }) => chain)),
      bareArrayText(entries.map(({ evmChainId }) => evmChainId)),
      arrayText(entries.map(({ keys }) => keys.join(' '))),
      isBackfill,
      2 * length + 16,
    ]),
  ]);
}

/** Several kinds of rows may write the same: a block of transactions and of its own. */
function merged(rows: readonly FirstRows[]): FirstRows[] {
  const byScope = new Map<string, FirstRows>();
  for (const each of rows) {
    if (each.keys.length === 0) continue;
    const { kind, network, chain, evmChainId, keys } = each;
    const scope = [kind, network, chain, evmChainId].join(' ');
    const known = byScope.get(scope);
    byScope.set(scope, known ? { ...known, keys: [...new Set([...known.keys, ...keys])] } : each);
  }
  return [...byScope.values()];
}

function inEntries(rows: FirstRows): FirstRows[] {
  const count = Math.ceil(rows.keys.length / KEYS);
  return Array.from({ length: count }, (_, index) => ({
    ...rows,
    keys: rows.keys.slice(index * KEYS, (index + 1) * KEYS),
  }));
}
