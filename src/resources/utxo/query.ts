import type { Shape, ValueOf } from '../../lists/list.js';
import type { UtxoQuery } from './arguments.js';
import type { HoldingKind, UtxoState } from './holding.js';

/** SQL of the row id of a list's asset. */
export function assetRowId(value: ValueOf): string {
  return `(SELECT id FROM asset WHERE network = ${value('network')} AND asset_id = ${value('assetId')})`;
}

// Not a literal that begins with a spread: for each page Node 20 would give it a hidden class of its own, 10
// µs.
export function boundValues<Query extends Omit<UtxoQuery, 'asOf'>>(query: Query) {
  const { addresses, minUtxoAmount, includeSpent } = query;
  return Object.assign({}, query, {
    // The empty address means every output of the network: see the model Address.
    addresses: addresses ?? [''],
    minUtxoAmount: minUtxoAmount.toString(),
    states: includeSpent ? [false, true] : [false],
    several: (addresses?.length ?? 1) > 1 || includeSpent,
  });
}

/** SQL types of the values of a time. */
export const momentValues = { time: 'numeric', block: 'numeric' };
/**
 * The conditions of a past time that the list's own SQL contains, a block's where no time is given: see
 * bounds and wasUnspent.
 */
export const momentFilters = {
  time: { in: 'where' },
  byAmount: { in: 'where' },
  falling: { in: 'where' },
} as const;

/** The time of a query as it is bound, and how its list is sorted. */
export function boundMoment({ asOf, sortBy, sortOrder }: UtxoQuery) {
  return {
    time: asOf && 'time' in asOf ? asOf.time : null,
    block: asOf && 'block' in asOf ? asOf.block : null,
    byAmount: sortBy === 'amount' || null,
    falling: sortOrder === 'desc' || null,
  };
}

/** SQL of the time of the stored block next to the query's; NULL if there is none. */
function timeOf(value: ValueOf, beyond: '<=' | '>'): string {
  const direction = beyond === '>' ? 'ASC' : 'DESC';
  return `(
    SELECT b.block_timestamp FROM transaction b
    WHERE b.network = ${value('network')} AND b.chain = ${value('blockchainId')} AND b.block_number ${beyond} ${value('block')}
    ORDER BY b.block_number ${direction}, b.block_timestamp ${direction} LIMIT 1)`;
}

/**
 * SQL of the part of a past time, and of a minimum, that index ranges of `utxo_owner o` can select: so in a
 * list by time, outputs that were created later are not read.
 */
export function bounds(
  value: ValueOf,
  filters: readonly string[],
  { after, before }: Shape['request'],
): string[] {
  // If a cursor bounds the same side, `+ 0` leaves the index scan only the cursor: see transaction/query.ts.
  const [high, low] = filters.includes('falling') ? [after, before] : [before, after];
  if (filters.includes('byAmount'))
    return filters.includes('minUtxoAmount')
      ? [`o.amount${low === null ? '' : ' + 0'} >= ${value('minUtxoAmount')}`]
      : [];
  const latest = filters.includes('time')
    ? value('time')
    : // On a chain the time of a later block is never before that of an earlier one.
      `coalesce(${timeOf(value, '>')}, 'Infinity')`;
  return [`o.time${high === null ? '' : ' + 0'} <= ${latest}`];
}

/** SQL of whether an output existed and was unspent at the time, over `utxo u`. */
export function wasUnspent(value: ValueOf, filters: readonly string[]): string {
  const [created, spent] = filters.includes('time')
    ? [
        `coalesce(u.block_timestamp, 0) <= ${value('time')}`,
        `u.consuming_block_timestamp <= ${value('time')}`,
      ]
    : [
        happened(value, 'u.created_on', 'u.block_number', 'coalesce(u.block_timestamp, 0)'),
        happened(value, 'u.consumed_on', 'u.consuming_block_number', 'u.consuming_block_timestamp'),
      ];
  const least = filters.includes('minUtxoAmount') ? ` AND u.amount >= ${value('minUtxoAmount')}` : '';
  // Like isSpent of import-merge.ts; the time of spending may be unknown.
  return `${created}
    AND NOT (u.consuming_tx_hash IS NOT NULL AND u.staked IS NOT TRUE AND coalesce(${spent}, true))${least}`;
}

/** By its block if that is on the list's chain, else by time. */
function happened(value: ValueOf, chain: string, block: string, time: string): string {
  return `CASE WHEN ${chain} = ${value('blockchainId')} AND ${block} IS NOT NULL THEN ${block} <= ${value('block')}
    ELSE ${time} <= coalesce(${timeOf(value, '<=')}, 0) END`;
}

/** A part of the holdings in a state: of one kind, with locks that have or have not ended. */
interface StatePart {
  kind: HoldingKind;
  until?: 'passed' | 'ahead';
  opens?: 'passed' | 'ahead';
}

const holdingsByState: Readonly<Record<UtxoState, readonly StatePart[]>> = {
  SPENDABLE: [
    { kind: 'plain' },
    { kind: 'platform', until: 'passed' },
    { kind: 'stakeable', until: 'passed' },
  ],
  LOCKED_PLATFORM: [
    { kind: 'platform', until: 'ahead' },
    { kind: 'stakeable', until: 'ahead', opens: 'ahead' },
  ],
  LOCKED_STAKEABLE: [{ kind: 'stakeable', until: 'ahead', opens: 'passed' }],
  STAKED: [{ kind: 'staked' }],
  IN_FLIGHT: [{ kind: 'in_flight' }],
};

/**
 * SQL conditions over a holding `h`: one of them is true if it is in the state. Each is a range of its index.
 *
 * @param at SQL of the time, called only if a lock decides: a statement may have no value that it does not
 *   use
 */
export function stateConditions(state: UtxoState, at: () => string): string[] {
  // A lock ends at its time, which is no longer part of it.
  const beyond = { passed: '<=', ahead: '>' };
  return holdingsByState[state].map(({ kind, until, opens }) =>
    [
      `h.kind = '${kind}'`,
      ...(until ? [`h.until ${beyond[until]} ${at()}`] : []),
      ...(opens ? [`h.opens ${beyond[opens]} ${at()}`] : []),
    ].join(' AND '),
  );
}

/** SQL that is true for a holding `h` that the list of a chain shows. */
export function shownOn(chain: string): string {
  // Only exports in flight are in the lists of two chains.
  return `(h.created_on = ${chain} OR (h.kind = 'in_flight' AND h.consumed_on = ${chain}))`;
}
