/** What can ever be done with an unspent output; see the model AddressHolding. */
export type HoldingKind = 'plain' | 'platform' | 'stakeable' | 'staked' | 'in_flight';

/** What can be done with an unspent output at a given time. */
export const utxoStates = [
  'SPENDABLE',
  'LOCKED_PLATFORM',
  'LOCKED_STAKEABLE',
  'STAKED',
  'IN_FLIGHT',
] as const;
export type UtxoState = (typeof utxoStates)[number];

/** A part of the holdings in a state: of one kind, with locks that have or have not ended. */
interface StatePart {
  kind: HoldingKind;
  until?: 'passed' | 'ahead';
  opens?: 'passed' | 'ahead';
}

const parts: Readonly<Record<UtxoState, readonly StatePart[]>> = {
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
 * SQL conditions over a holding `h`, one of which is true if it is in the state. Each is a range of its index.
 *
 * @param at SQL of the time, called only if a lock decides: a statement may have no value that it does not use
 */
export function stateConditions(state: UtxoState, at: () => string): string[] {
  // A lock ends at its time, which is no longer part of it.
  const beyond = { passed: '<=', ahead: '>' };
  return parts[state].map(({ kind, until, opens }) =>
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
