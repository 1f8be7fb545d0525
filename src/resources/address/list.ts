import { defineList } from '../../lists/read.js';
import type { Network, PrimaryChain } from '../../avalanche/networks.js';
import { fieldsText } from '../../fields/field.js';
import { assetExists } from '../asset/store.js';
import { shownOn, stateConditions, type UtxoState } from '../utxo/holding.js';
import { balanceFields, type BalancePartsNode, type Signatures } from './fields.js';
import type { AddressBalanceRow } from './row.js';

/** What an address has of each asset: on one chain, or where there is none on all of its network. */
export interface BalanceQuery {
  network: Network;
  address: string;
  blockchainId: PrimaryChain | null;
  /** Which locks have passed by then; Unix seconds. */
  at: string;
}

const signatures: readonly [Signatures, condition: string][] = [
  ['one', 'NOT h.shared'],
  ['several', 'h.shared'],
];
const stateOf: readonly [Exclude<keyof BalancePartsNode, 'total' | 'nextUnlockTimestamp'>, UtxoState][] = [
  ['spendable', 'SPENDABLE'],
  ['lockedPlatform', 'LOCKED_PLATFORM'],
  ['lockedStakeable', 'LOCKED_STAKEABLE'],
  ['staked', 'STAKED'],
  ['inFlight', 'IN_FLIGHT'],
];

/** SQL of what can be done with the outputs of an address `owner`, a row for each asset. */
function partSums(value: (name: string) => string): string {
  const chain = value('blockchainId');
  const inState = (...states: UtxoState[]) =>
    states
      .flatMap((state) => stateConditions(state, () => value('at')).map((each) => `(${each})`))
      .join(' OR ');
  const sums = signatures.flatMap(([name, signed]) => {
    const where = (condition: string) => `FILTER (WHERE ${signed} AND (${condition}))`;
    return [
      `sum(h.amount) FILTER (WHERE ${signed}) AS "${name} total"`,
      ...stateOf.map(([part, state]) => `sum(h.amount) ${where(inState(state))} AS "${name} ${part}"`),
      `min(h.until) ${where(inState('LOCKED_PLATFORM', 'LOCKED_STAKEABLE'))} AS "${name} nextUnlockTimestamp"`,
    ];
  });
  return `
    SELECT h.asset_row_id, ${sums.join(', ')}
    FROM address owner JOIN address_holding h ON h.address_id = owner.id
    WHERE owner.network = ${value('network')} AND owner.address = ${value('address')}
      AND (${chain} IS NULL OR ${shownOn(chain)})
    GROUP BY h.asset_row_id`;
}

/**
 * In code-unit order. Costs what addresses ever had of assets, and the unlock times of what they have, whatever the number
 * of their outputs.
 */
export const balanceList = defineList<BalanceQuery, AddressBalanceRow>({
  name: 'balances',
  values: { network: 'network', address: 'text', blockchainId: 'primary_chain', at: 'numeric' },
  parent: ['network', 'address', 'blockchainId'],
  from: (value) => {
    const chain = value('blockchainId');
    // A row counts where its chain's list has outputs; over all chains, for the outputs that were created on it.
    const sumOf = (column: string) =>
      `sum(CASE WHEN ${chain} IS NULL THEN b.created_${column} ELSE b.${column} END)`;
    return `(
      SELECT b.asset_row_id, ${sumOf('unspent')} AS unspent, ${sumOf('received')} AS received
      FROM address owner JOIN address_balance b ON b.address_id = owner.id
      WHERE owner.network = ${value('network')} AND owner.address = ${value('address')}
        AND (${chain} IS NULL OR b.chain = ${chain})
      GROUP BY b.asset_row_id HAVING ${sumOf('outputs')} > 0) b
    JOIN asset a ON a.id = b.asset_row_id
    LEFT JOIN (${partSums(value)}) s ON s.asset_row_id = b.asset_row_id`;
  },
  where: () => 'true',
  order: {
    name: '',
    direction: 'asc',
    columns: ['a.asset_id COLLATE "C"'],
    position: (alias) => [`${alias}.asset_id`],
  },
  cursor: { table: 'asset', at: (alias, id) => `${alias}.id = ${id}` },
  columns: { id: 'a.id::text', text: fieldsText(balanceFields) },
  exists: assetExists,
});
