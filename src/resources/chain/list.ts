import { EVM_MAX } from '../../avalanche/evm.js';
import type { FindSource, SelectSource } from '../../graphql/sql-source.js';
import { defineFind, type Find } from '../../lists/find.js';
import { sortedBy } from '../../lists/order.js';
import { defineList } from '../../lists/read.js';
import type { ChainNarrowing, ChainQuery } from './arguments.js';
import { chainRows, type ChainNode } from './fields.js';

/** The chains by rising EVM id. Cursors are row ids. */
export const chainList = defineList<ChainQuery, ChainNode, ChainNarrowing>({
  name: 'chains',
  values: { network: 'network', feature: 'text' },
  ...chainRows,
  where: () => 'true',
  filters: {
    network: { sql: (value) => `c.is_testnet = (${value('network')} = 'fuji')` },
    feature: { sql: (value) => `${value('feature')} = ANY(c.enabled_features)` },
  },
  order: sortedBy('c', 'asc', ['evm_chain_id']),
  cursor: { table: 'chain' },
  count: ({ prisma }, { network, feature }, most) =>
    prisma.chain.count({
      where: {
        ...(network !== null && { isTestnet: network === 'fuji' }),
        ...(feature !== null && { enabledFeatures: { has: feature } }),
      },
      take: most,
    }),
  exists: (storage, id) =>
    storage.holds(({ chain }) => chain.findUnique({ where: { id: Number(id) }, select: { id: true } })),
});

/** A chain by one of its names. */
export interface ChainKey {
  evmChainId?: string;
  blockchainId?: string;
}

const findByEither = defineFind<ChainKey, ChainNode>(
  'chains_by_name',
  chainRows,
  { evmChainId: ['bigint', 'c.evm_chain_id'], blockchainId: ['text', 'c.blockchain_id'] },
  { firstBy: 'c.evm_chain_id' },
);

/** A stored chain, in SQL. */
export const storedChain: FindSource = {
  source: chainRows,
  key: { rowId: ['int', 'c.id'] },
  isFirst: false,
};

/** The chain of an EVM id, in SQL. */
export const evmId: SelectSource = {
  as: 'c',
  types: { evmChainId: 'bigint' },
  select: (value) => `
    SELECT stored.* FROM chain stored
    WHERE stored.id = (SELECT named.id FROM chain named WHERE named.evm_chain_id = ${value('evmChainId')})`,
};

/** The chain with one of its names, in SQL: see findChains. */
export const eitherName: SelectSource = {
  as: 'c',
  types: { evmChainId: 'bigint', blockchainId: 'text' },
  select: (value) => `
    SELECT named.* FROM chain named
    WHERE named.evm_chain_id = ${value('evmChainId')} OR named.blockchain_id = ${value('blockchainId')}
    ORDER BY named.evm_chain_id LIMIT 1`,
};

/** The chain that has both names, in SQL; the EVM id may have any size. */
export const bothNames: SelectSource = {
  as: 'c',
  types: { blockchainId: 'text', evmChainId: 'numeric' },
  select: (value) => `
    SELECT named.* FROM chain named
    WHERE named.blockchain_id = ${value('blockchainId')} OR (named.blockchain_id IS NULL
      AND named.evm_chain_id = CASE WHEN ${value('evmChainId')} <= ${EVM_MAX} THEN (${value('evmChainId')})::bigint END)
    ORDER BY named.blockchain_id IS NULL, named.evm_chain_id LIMIT 1`,
};

/** The key as it is compared: empty for an EVM id that is too large for any stored chain. */
export const keyOfChain = (name: ChainKey): ChainKey =>
  name.evmChainId !== undefined && BigInt(name.evmChainId) > EVM_MAX ? {} : name;

/** Chains by EVM or blockchain id. Several with one blockchain id: the smallest EVM id. */
export const findChains: Find<ChainKey, ChainNode> = (storage, names) =>
  findByEither(storage, names.map(keyOfChain));
findChains.otherKey = ({ chainId }) => ({ evmChainId: chainId });
