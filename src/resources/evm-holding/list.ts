import { parseEvmAddress, storedEvmAddress, toBytea } from '../../avalanche/evm.js';
import { fieldsText } from '../../fields/field.js';
import { nodeOfJson } from '../../fields/node.js';
import type { ValueOf } from '../../lists/list.js';
import { sortedBy } from '../../lists/order.js';
import { defineList } from '../../lists/read.js';
import { defineFind } from '../../lists/find.js';
import type {
  CollectionOwnerQuery,
  DailyBalanceNarrowing,
  DailyBalanceQuery,
  TokenBalanceNarrowing,
  TokenBalanceQuery,
} from './arguments.js';
import { LAST_DAY } from './day.js';
import { collectionOwnerFields, dailyBalanceFields, tokenBalanceFields } from './fields.js';
import type { CollectionOwnerNode, DailyBalanceNode, TokenBalanceNode } from './fields.js';

/** The rows of an address's balances of a holding. */
const balancesOf = (alias: string, value: ValueOf) => `${alias}.holding_id = (
    SELECT id FROM evm_holding WHERE evm_chain_id = ${value('evmChainId')} AND kind = ${value('kind')}
      AND contract = ${value('contract')})
  AND ${alias}.address_id = (SELECT id FROM evm_address WHERE address = ${value('address')})`;

/**
 * Addresses' balances on each day of a range, by rising day; no rows for days before the first that is known.
 * A balance that began before the range is found by one step back. Cursors are day numbers.
 */
export const dailyBalanceList = defineList<DailyBalanceQuery, DailyBalanceNode, DailyBalanceNarrowing>({
  name: 'evm_daily_balances',
  values: {
    evmChainId: 'bigint',
    address: 'bytea',
    kind: 'evm_holding_kind',
    contract: 'bytea',
    firstDate: 'int',
    lastDate: 'int',
  },
  parent: ['evmChainId', 'address'],
  bind: ({ address, contract, ...query }) => ({
    ...query,
    address: toBytea(address),
    kind: contract === null ? 'native' : 'erc20',
    contract: contract === null ? '\\x' : toBytea(contract),
  }),
  ofParent: storedEvmAddress,
  from: (value) => `(
    SELECT each.day, b.balance FROM evm_balance b
    CROSS JOIN LATERAL generate_series(
      greatest(b.day, ${value('firstDate')}), least(b.until_day, ${value('lastDate')})) AS each(day)
    WHERE ${balancesOf('b', value)} AND b.day <= ${value('lastDate')} AND b.day >= coalesce((
      SELECT p.day FROM evm_balance p WHERE ${balancesOf('p', value)} AND p.day <= ${value('firstDate')}
      ORDER BY p.day DESC LIMIT 1), ${value('firstDate')})) d`,
  where: () => 'true',
  filters: { firstDate: { as: 'firstDate' }, lastDate: { as: 'lastDate' } },
  order: { name: '', direction: 'asc', columns: ['d.day'] },
  columns: { id: 'd.day::text', text: fieldsText(dailyBalanceFields) },
  toNode: nodeOfJson,
});

/** The newest rows of a collection's owners: the index evm_balance_holder_idx sorts them by count. */
const ownedNow = (alias: string, value: ValueOf) => `${alias}.holding_id = (
    SELECT id FROM evm_holding WHERE evm_chain_id = ${value('evmChainId')} AND kind = 'nft'
      AND contract = ${value('address')})
  AND ${alias}.until_day = ${LAST_DAY} AND ${alias}.balance > 0`;

/** The owners of collections by newest count, largest first. Cursors are row ids of addresses. */
export const collectionOwnerList = defineList<CollectionOwnerQuery, CollectionOwnerNode, never>({
  name: 'evm_collection_owners',
  values: { evmChainId: 'bigint', address: 'bytea' },
  parent: ['evmChainId', 'address'],
  bind: ({ evmChainId, address }) => ({ evmChainId, address: toBytea(address) }),
  from: 'evm_balance b',
  where: (value) => ownedNow('b', value),
  order: sortedBy('b', 'desc', ['balance', 'address_id'], { moves: [0] }),
  cursor: {
    table: 'evm_balance',
    at: (alias, id, value) => `${alias}.address_id = ${id} AND ${ownedNow(alias, value)}`,
  },
  columns: { id: 'a.id::text', text: fieldsText(collectionOwnerFields) },
  toNode: nodeOfJson,
  lookup: {
    from: 'evm_address a CROSS JOIN evm_holding h',
    on: 'a.id = page.k2 AND h.id = page.holding',
    keys: { day: 'b.day', holding: 'b.holding_id' },
  },
});

/** SQL of the newest balances `b` of an address that has any of them. */
const heldBy = (alias: string, address: string) =>
  `${alias}.address_id = (SELECT id FROM evm_address WHERE address = ${address}) AND ${alias}.until_day = ${LAST_DAY}`;

/**
 * What addresses have of tokens now, in the order in which the installation first met the tokens: a range of
 * the index evm_balance_address_idx. Cursors are row ids of holdings.
 */
export const tokenBalanceList = defineList<TokenBalanceQuery, TokenBalanceNode, TokenBalanceNarrowing>({
  name: 'evm_token_balances',
  values: { evmChainId: 'bigint', address: 'bytea', contracts: 'bytea[]' },
  parent: ['evmChainId', 'address'],
  bind: ({ address, contractAddresses, ...query }) => ({
    ...query,
    address: toBytea(address),
    contracts: contractAddresses && contractAddresses.map(toBytea),
  }),
  ofParent: storedEvmAddress,
  // Of some contracts each is looked up: an address may have any number of other tokens.
  from: (value, filters) =>
    filters.includes('contracts')
      ? `(SELECT h.id, h.evm_chain_id, h.kind, h.contract FROM evm_holding h WHERE h.evm_chain_id = ${value('evmChainId')}
           AND h.kind = 'erc20' AND h.contract = ANY(${value('contracts')}) OFFSET 0) h
         CROSS JOIN LATERAL (SELECT * FROM evm_balance b WHERE b.holding_id = h.id AND ${heldBy('b', value('address'))} AND b.balance > 0
           OFFSET 0) b`
      : 'evm_balance b JOIN evm_holding h ON h.id = b.holding_id',
  where: (value) => `${heldBy('b', value('address'))} AND b.balance > 0
    AND h.evm_chain_id = ${value('evmChainId')} AND h.kind = 'erc20'`,
  filters: { contractAddresses: { as: 'contracts' }, contracts: { in: 'from' } },
  order: { name: '', direction: 'asc', columns: ['b.holding_id'] },
  columns: { id: 'b.holding_id::text', text: fieldsText(tokenBalanceFields) },
  toNode: ({ text }: { text: string }) => {
    const node = nodeOfJson<TokenBalanceNode>({ text });
    node.contract = parseEvmAddress(node.contract) ?? node.contract;
    return node;
  },
});

/** An address on a chain. */
interface AddressOnChain {
  evmChainId: string;
  address: string;
}

/** What addresses have of the coins of chains now; null for a chain of whose coin no balance is known. */
export const findCoinBalances = defineFind<AddressOnChain, string>(
  'evm_coin_balances',
  {
    from: `evm_holding h CROSS JOIN LATERAL (SELECT decode(substr(wanted.address, 3), 'hex') AS bytes) asked`,
    columns: {
      balance: `coalesce((
        SELECT b.balance FROM evm_balance b WHERE b.holding_id = h.id AND ${heldBy('b', 'asked.bytes')}), 0)::text`,
    },
    toNode: ({ balance }: { balance: string }) => balance,
  },
  {
    evmChainId: ['bigint', 'h.evm_chain_id'],
    address: ['text', "CASE WHEN h.kind = 'native' THEN wanted.address END"],
  },
);
