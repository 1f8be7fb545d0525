import { EVM_MAX, toBytea, type EvmChainName } from '../../avalanche/evm.js';
import { networks } from '../../avalanche/networks.js';
import type { Filter, Filters, Range, Ranges, ValueOf } from '../../lists/list.js';
import { timeFilters } from '../transaction/query.js';
import type { IcmMessageNarrowing, IcmMessageQuery } from './arguments.js';

export const ends = ['source', 'destination'] as const;
export type End = (typeof ends)[number];

/** The values of since and until, for bounds. */
export const times = { since: 'bigint', until: 'bigint' };
export const boundTimes = ({ since, until }: Record<keyof typeof times, string | null>) => ({
  since: since && (BigInt(since) > EVM_MAX ? EVM_MAX : since).toString(),
  // No message is later than the largest time that can be stored.
  until: until && BigInt(until) <= EVM_MAX ? until : null,
});

/** SQL types of the values of a list with every filter. */
export const filteredValues = {
  networks: 'network[]',
  sourceId: 'text',
  sourceEvm: 'numeric',
  destinationId: 'text',
  destinationEvm: 'numeric',
  either: 'text',
  from: 'bytea',
  to: 'bytea',
  status: 'text',
  ...times,
};

const byChain = { in: 'ranges' } as const;

/** Filters by chain are over `icm_chain c`, the others over `icm_message m`. */
export const filters = {
  network: { as: 'networks' },
  sourceBlockchainId: { as: ['sourceId', 'sourceEvm'] },
  destinationBlockchainId: { as: ['destinationId', 'destinationEvm'] },
  blockchainId: { as: 'either' },
  ...timeFilters,
  sourceId: byChain,
  sourceEvm: byChain,
  destinationId: byChain,
  destinationEvm: byChain,
  either: byChain,
  from: { sql: (value) => `m.from_address = ${value('from')}` },
  to: { sql: (value) => `m.to_address = ${value('to')}` },
  status: { sql: (value) => `m.details->>'status' = ${value('status')}` },
} satisfies Record<Exclude<IcmMessageNarrowing, 'txHash' | 'address'>, Filter> & Filters;

/** What the arguments bind. */
export function boundFilters({ network, from, to, ...query }: Omit<IcmMessageQuery, 'txHash' | 'address'>) {
  return {
    networks: network ? [network] : networks,
    ...endOf('source', query.sourceBlockchainId),
    ...endOf('destination', query.destinationBlockchainId),
    either: query.blockchainId,
    from: from && toBytea(from),
    to: to && toBytea(to),
    status: query.status,
    ...boundTimes(query),
  };
}

function endOf(end: End, chain: EvmChainName | null) {
  return {
    [`${end}Id`]: chain && 'blockchainId' in chain ? chain.blockchainId : null,
    [`${end}Evm`]: chain && 'evmChainId' in chain ? chain.evmChainId : null,
  };
}

/** The conditions under which the chain `c` is the one that a filter names. */
export function chainTests(end: End, value: ValueOf, filters: readonly string[]): string[] {
  const [id, evm] = [`${end}Id`, `${end}Evm`];
  if (filters.includes(id)) return [`c.blockchain_id = ${value(id)}`];
  return filters.includes(evm) ? [nameTest(value(evm))] : [];
}

/**
 * The condition that the chain `c` has an EVM id, according to messages or the list of chains. That list has
 * none above EVM_MAX, and its index takes only numbers of its own type.
 *
 * @param id SQL of a numeric
 */
export const nameTest = (id: string) => `(c.evm_chain_id = ${id} OR c.blockchain_id = ANY (ARRAY(
  SELECT known.blockchain_id FROM chain known
  WHERE known.evm_chain_id = CASE WHEN ${id} <= ${EVM_MAX} THEN ${id}::bigint END)))`;

/** The ranges of the chains that filters name. @param column SQL of the chain at an end of a message */
export function rangesWith(column: (end: End) => string) {
  return (value: ValueOf, filters: readonly string[]): Ranges => {
    const source = chainTests('source', value, filters);
    const destination = chainTests('destination', value, filters);
    if (!filters.includes('either'))
      return { parts: [rangeOf(value, { source, destination }, column)], overlap: false };
    const either = `c.blockchain_id = ${value('either')}`;
    return {
      parts: [
        rangeOf(value, { source: [...source, either], destination }, column),
        rangeOf(value, { source, destination: [...destination, either] }, column),
      ],
      // A message from a chain to itself has the chain on both sides.
      overlap: true,
    };
  };
}

/** The messages of each network between the chains that match the tests; any if there are none. */
export function rangeOf(
  value: ValueOf,
  tests: Readonly<Partial<Record<End, readonly string[]>>>,
  column = (end: End) => `m.${end}_id`,
): Range {
  const tested = Object.entries(tests).filter(([, conditions]) => conditions.length > 0);
  const chains = tested.map(
    ([end, conditions]) => `CROSS JOIN LATERAL (
      SELECT c.id FROM icm_chain c WHERE c.network = n.network AND ${conditions.join(' AND ')} OFFSET 0) ${end}`,
  );
  return {
    each: [`unnest(${value('networks')}) AS n(network)`, ...chains].join(' '),
    where: tested.map(([end]) => `${column(end as End)} = ${end}.id`).join(' AND '),
  };
}
