import type { Network, PrimaryChain } from '../../avalanche/networks.js';
import { fieldsText } from '../../fields/field.js';
import { parseJson } from '../../json.js';
import { defineFind } from '../../lists/find.js';
import type { Reader } from '../../storage/reader.js';
import { bind, statement } from '../../storage/statement.js';
import type { UtxoState } from '../utxo/holding.js';
import { shownOn, stateConditions } from '../utxo/query.js';
import type { AddressNode } from './row.js';
import { chainsSql, heldFields, type ChainBalancesNode, type HeldKind, type HeldRow } from './fields.js';

/** The blockchain ids of the chains that have outputs of stored addresses. */
export const findChainsOfAddresses = defineFind<AddressNode, string[]>(
  'chains_of_addresses',
  {
    from: 'address o',
    columns: { text: chainsSql },
    toNode: ({ text }: { text: string }) => parseJson(text) as string[],
  },
  { network: ['network', 'o.network'], address: ['text', 'o.address'] },
);

const AT = ':at::numeric';
const CHAIN = ':blockchainId::primary_chain';
const inState = (state: UtxoState) =>
  stateConditions(state, () => AT)
    .map((each) => `(${each})`)
    .join(' OR ');

/** The first whose condition is true is the kind of a holding `h`. */
const kinds: readonly [HeldKind, condition: string][] = [
  ['unlockedUnstaked', inState('SPENDABLE')],
  ['lockedPlatform', inState('LOCKED_PLATFORM')],
  ['lockedStakeable', inState('LOCKED_STAKEABLE')],
  ['pendingStaked', `h.kind = 'staked' AND h.opens > ${AT}`],
  ['lockedStaked', `h.kind = 'staked' AND h.until > ${AT}`],
  ['unlockedStaked', `h.kind = 'staked'`],
  ['atomicMemoryLocked', `h.until > ${AT}`],
  ['atomicMemoryUnlocked', 'true'],
];

const sums = statement(
  'chain_balances',
  `SELECT s.kind, s.direction, ${fieldsText(heldFields)} AS text
   FROM (
     SELECT kind, asset_row_id, sum(outputs) AS outputs, sum(amount) AS amount,
       CASE WHEN created_on = consumed_on THEN NULL WHEN created_on = ${CHAIN} THEN consumed_on ELSE created_on END AS shared_with,
       CASE WHEN created_on = consumed_on THEN NULL WHEN created_on = ${CHAIN} THEN 'outgoing' ELSE 'incoming' END AS direction
     FROM (
       -- What the same owners have together is in a holding of each: once.
       SELECT DISTINCT CASE WHEN h.owner_set = 0 THEN h.address_id END AS owner, h.owner_set, h.shared, h.until, h.opens,
         CASE ${kinds.map(([kind, condition]) => `WHEN ${condition} THEN '${kind}'`).join(' ')} END AS kind,
         h.created_on, h.consumed_on, h.asset_row_id, h.outputs, h.amount
       FROM (SELECT id FROM address WHERE network = :network::network AND address = ANY(:addresses::text[]) OFFSET 0) owner
       JOIN address_holding h ON h.address_id = owner.id
       WHERE ${shownOn(CHAIN)}) held
     GROUP BY kind, created_on, consumed_on, asset_row_id) s
   JOIN asset a ON a.id = s.asset_row_id
   ORDER BY s.kind, a.asset_id COLLATE "C", s.shared_with, s.direction`,
);

/**
 * What addresses have on a chain, several as one owner: a sum of their holdings, however many outputs these
 * are of.
 */
export async function readChainBalances(
  storage: Reader,
  query: { network: Network; blockchainId: PrimaryChain; addresses: readonly string[]; at: string },
): Promise<ChainBalancesNode> {
  return { chain: query.blockchainId, rows: await storage.read<HeldRow>(sums, bind(sums, query)) };
}
