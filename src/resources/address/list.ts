import type { ValueOf } from '../../lists/list.js';
import { defineList } from '../../lists/read.js';
import type { Network, PrimaryChain } from '../../avalanche/networks.js';
import { fieldsText } from '../../fields/field.js';
import { nodeOfJson } from '../../fields/node.js';
import { assetExists } from '../asset/list.js';
import type { UtxoState } from '../utxo/holding.js';
import { shownOn, stateConditions } from '../utxo/query.js';
import type { BalanceNarrowing } from './arguments.js';
import { balanceFields, type BalanceNode, type BalancePartsNode, type Signatures } from './fields.js';

const allChains = 'enum_range(NULL::primary_chain)';

/** An address's balance of each asset: on one chain, or without one on all chains of its network. */
export interface BalanceQuery {
  network: Network;
  address: string;
  blockchainId: PrimaryChain | null;
  /** The time at which locks are judged: one that ends by then has ended. Unix seconds. */
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

/** SQL of the parts of the page's asset that can and cannot be spent; all null if none is unspent. */
function partSums(value: ValueOf, shown: readonly string[]): string {
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
  const conditions = ['h.address_id = page.owner', 'h.asset_row_id = page.k1', ...shown];
  return `SELECT ${sums.join(', ')} FROM address_holding h WHERE ${conditions.join(' AND ')}`;
}

/**
 * An address's balances, sorted by row id of the asset, like the key of the table: so a page costs its own
 * assets, with their chains and unlock times, whatever the number of assets and outputs. Cursors are these
 * row ids.
 */
export const balanceList = defineList<BalanceQuery, BalanceNode, BalanceNarrowing>({
  name: 'balances',
  values: { network: 'network', address: 'text', blockchainId: 'primary_chain', at: 'numeric' },
  parent: ['network', 'address'],
  ranges: (value, filters) => {
    const owner = `(SELECT id FROM address WHERE network = ${value('network')} AND address = ${value('address')} OFFSET 0) owner`;
    const isOfChain = filters.includes('blockchainId');
    return {
      parts: [{ each: isOfChain ? owner : `${owner} CROSS JOIN unnest(${allChains}) AS part(chain)` }],
      overlap: !isOfChain,
    };
  },
  from: 'address_balance b',
  where: (value, filters) =>
    `b.address_id = owner.id AND b.chain = ${filters.includes('blockchainId') ? value('blockchainId') : 'part.chain'}`,
  filters: { blockchainId: { in: 'ranges' } },
  order: { name: '', direction: 'asc', columns: ['b.asset_row_id'] },
  columns: { id: 'a.id::text', text: fieldsText(balanceFields) },
  toNode: nodeOfJson,
  lookup: {
    keys: { owner: 'b.address_id' },
    from: (value, filters) => {
      // On one chain, a row sums the outputs that the chain's list shows. Over all chains, each output counts
      // once: on the chain that created it.
      const [chains, of, shown] = filters.includes('blockchainId')
        ? [`= ${value('blockchainId')}`, '', [shownOn(value('blockchainId'))]]
        : [`= ANY (${allChains})`, 'created_', []];
      return `asset a
        CROSS JOIN LATERAL (
          SELECT sum(b.${of}unspent) AS unspent, sum(b.${of}received) AS received FROM address_balance b
          WHERE b.address_id = page.owner AND b.chain ${chains} AND b.asset_row_id = page.k1) b
        LEFT JOIN LATERAL (${partSums(value, shown)}) s ON true`;
    },
    on: 'a.id = page.k1',
  },
  exists: assetExists,
});
