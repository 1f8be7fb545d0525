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
