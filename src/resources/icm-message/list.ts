import { EVM_MAX, toBytea, type EvmChainName } from '../../avalanche/evm.js';
import { networks, type Network } from '../../avalanche/networks.js';
import { eitherList } from '../../lists/either.js';
import { defineFind } from '../../lists/find.js';
import type { Filter, ListDeclaration, Range, Shape, ValueOf } from '../../lists/list.js';
import { defineList } from '../../lists/read.js';
import type { IcmMessageQuery, PartyMessageQuery } from './arguments.js';
import { icmMessageRows } from './fields.js';
import type { IcmMessageRow } from './row.js';

const ends = ['source', 'destination'] as const;
type End = (typeof ends)[number];

const order = ['timestamp', 'message_id', 'id'];
const of = (alias: string) => order.map((column) => `${alias}.${column}`);

/** What every list of messages has: cursors are row ids. */
const newestFirst = {
  from: 'icm_message m',
  order: { name: '', direction: 'desc', columns: of('m'), position: of },
  cursor: { table: 'icm_message', at: (alias: string, id: string) => `${alias}.id = ${id}` },
  columns: icmMessageRows.columns,
  lookup: { from: icmMessageRows.from, on: 'm.id = page.k3' },
} satisfies Partial<ListDeclaration<never>>;

/** The values of since and until, for bounds. */
const times = { since: 'bigint', until: 'bigint' };
const timeFilters = { since: {}, until: {} };
const boundTimes = ({ since, until }: Record<keyof typeof times, string | null>) => ({
  since: since && (BigInt(since) > EVM_MAX ? EVM_MAX : since).toString(),
  // No message is later than what can be stored.
  until: until && BigInt(until) <= EVM_MAX ? until : null,
});

/** The times. As the blocks of internal transactions are, a time is hidden beside a cursor. */
function timeTests(value: ValueOf, filters: readonly string[], { after, before }: Shape['request']) {
  const time = (isBare: boolean) => (isBare ? 'm.timestamp' : 'm.timestamp + 0');
  return [
    ...(filters.includes('since') ? [`${time(before === null)} >= ${value('since')}`] : []),
    ...(filters.includes('until') ? [`${time(after === null)} < ${value('until')}`] : []),
  ];
}

const bounds: ListDeclaration<never>['where'] = (...list) =>
  ['m.network = n.network', ...timeTests(...list)].join(' AND ');

const filteredValues = {
  networks: 'network[]',
  ...{ sourceId: 'text', sourceEvm: 'numeric', destinationId: 'text', destinationEvm: 'numeric' },
  ...{ either: 'text', from: 'bytea', to: 'bytea' },
  ...times,
};

const filters: Readonly<Record<string, Filter>> = {
  ...timeFilters,
  ...{ sourceId: {}, sourceEvm: {}, destinationId: {}, destinationEvm: {}, either: {} },
  from: { sql: (value) => `m.from_address = ${value('from')}` },
  to: { sql: (value) => `m.to_address = ${value('to')}` },
};

function boundFilters({ network, from, to, ...query }: Omit<IcmMessageQuery, 'txHash'>) {
  return {
    networks: network ? [network] : networks,
    ...endOf('source', query.sourceBlockchainId),
    ...endOf('destination', query.destinationBlockchainId),
    either: query.blockchainId,
    from: from && toBytea(from),
    to: to && toBytea(to),
    ...boundTimes(query),
  };
}

/**
 * Messages, newest first. Whatever is filtered by, the page's keys come from one range of one index for each network and
 * chain that the filters name, merged; then the rows.
 */
const filteredList = defineList<IcmMessageQuery, IcmMessageRow>({
  name: 'icm',
  values: filteredValues,
  bind: boundFilters,
  ...newestFirst,
  where: bounds,
  filters,
  ranges: (value, filters) => {
    const source = chainTests('source', value, filters);
    const destination = chainTests('destination', value, filters);
    if (!filters.includes('either'))
      return { parts: [rangeOf(value, { source, destination })], overlap: false };
    const either = `c.blockchain_id = ${value('either')}`;
    return {
      parts: [
        rangeOf(value, { source: [...source, either], destination }),
        rangeOf(value, { source, destination: [...destination, either] }),
      ],
      // A message from a chain to itself has the chain on both sides.
      overlap: true,
    };
  },
});

/**
 * The messages of a transaction, likewise: as many as it has room for, found by its hash and then filtered and sorted. The
 * fences keep the planner from walking all messages by time in search of the few.
 */
const transactionList = defineList<IcmMessageQuery, IcmMessageRow>({
  name: 'icm_of_transaction',
  values: { ...filteredValues, txHash: 'text' },
  bind: ({ txHash, ...query }) => ({ ...boundFilters(query), txHash }),
  ...newestFirst,
  from: (value) => {
    const is = (side: string) => `x.details #>> '{${side}Transaction,txHash}'`;
    const read = (tests: string) => `(
      SELECT x.id, x.network, x.message_id, x.timestamp, x.source_id, x.destination_id, x.from_address, x.to_address
      FROM icm_message x WHERE ${tests} OFFSET 0)`;
    return `(${read(`${is('source')} = ${value('txHash')}`)} UNION ALL ${read(
      `${is('destination')} = ${value('txHash')} AND ${is('source')} IS DISTINCT FROM ${value('txHash')}`,
    )}) m`;
  },
  where: (value, filters, request) => {
    const isAny = (end: End, tests: readonly string[]) =>
      `m.${end}_id IN (SELECT c.id FROM icm_chain c WHERE ${['c.network = m.network', ...tests].join(' AND ')})`;
    const either = filters.includes('either') ? [`c.blockchain_id = ${value('either')}`] : [];
    return [
      `m.network = ANY (${value('networks')})`,
      ...ends.map((end) => isAny(end, chainTests(end, value, filters))),
      `(${ends.map((end) => isAny(end, either)).join(' OR ')})`,
      ...timeTests(value, filters, request),
    ].join(' AND ');
  },
  filters,
});

/** All messages that pass the filters. */
export const icmMessageList = eitherList<IcmMessageQuery, IcmMessageRow>('icm_messages', ({ txHash }) =>
  txHash === null ? filteredList : transactionList,
);

/** The messages of addresses on chains: a range of what each sent and one of what it received, merged. */
export const partyMessageList = defineList<PartyMessageQuery, IcmMessageRow>({
  name: 'icm_of_party',
  values: {
    networks: 'network[]',
    ...{ evmChainId: 'numeric', address: 'bytea', sent: 'boolean', received: 'boolean' },
    ...times,
  },
  parent: ['evmChainId', 'address'],
  bind: ({ evmChainId, address, direction, ...query }) => ({
    ...{ networks, evmChainId, address: toBytea(address) },
    sent: direction === 'received' ? null : true,
    received: direction === 'sent' ? null : true,
    ...boundTimes(query),
  }),
  ...newestFirst,
  where: bounds,
  filters: { sent: {}, received: {}, ...timeFilters },
  ranges: (value, filters) => {
    const chain = [nameTest(value('evmChainId'))];
    const sides = { sent: ['source', 'from'], received: ['destination', 'to'] } as const;
    const parts = (['sent', 'received'] as const)
      .filter((side) => filters.includes(side))
      .map((side): Range => {
        const [end, party] = sides[side];
        const { each, where } = rangeOf(value, { [end]: chain });
        return { each, where: `${where} AND m.${party}_address = ${value('address')}` };
      });
    // A message of an address to itself is in both.
    return { parts, overlap: parts.length > 1 };
  },
});

function endOf(end: End, chain: EvmChainName | null) {
  return {
    [`${end}Id`]: chain && 'blockchainId' in chain ? chain.blockchainId : null,
    [`${end}Evm`]: chain && 'evmChainId' in chain ? chain.evmChainId : null,
  };
}

/** The conditions under which the chain `c` is the one that a filter names. */
function chainTests(end: End, value: ValueOf, filters: readonly string[]): string[] {
  const [id, evm] = [`${end}Id`, `${end}Evm`];
  if (filters.includes(id)) return [`c.blockchain_id = ${value(id)}`];
  return filters.includes(evm) ? [nameTest(value(evm))] : [];
}

/** The condition under which the chain `c` has an EVM id, by what messages or the list of chains say of it. @param id SQL */
const nameTest = (id: string) => `(c.evm_chain_id = ${id} OR c.blockchain_id IN (
  SELECT held.blockchain_id FROM chain held WHERE held.evm_chain_id = ${id}))`;

/** The messages of each network between the chains of which the tests hold; any, where there are none. */
function rangeOf(value: ValueOf, tests: Readonly<Partial<Record<End, readonly string[]>>>): Range {
  const tested = Object.entries(tests).filter(([, conditions]) => conditions.length > 0);
  const chains = tested.map(
    ([end, conditions]) => `CROSS JOIN LATERAL (
      SELECT c.id FROM icm_chain c WHERE c.network = n.network AND ${conditions.join(' AND ')} OFFSET 0) ${end}`,
  );
  return {
    each: [`unnest(${value('networks')}) AS n(network)`, ...chains].join(' '),
    where: tested.map(([end]) => `m.${end}_id = ${end}.id`).join(' AND '),
  };
}

/** What identifies a message. */
export interface IcmMessageKey {
  network: Network;
  /** 64 hexadecimal digits in lower case. */
  messageId: string;
}

export const findIcmMessages = defineFind<IcmMessageKey, IcmMessageRow>('icm_by_key', icmMessageRows, {
  network: ['network', 'm.network'],
  messageId: ['bytea', 'm.message_id', (digits) => `\\x${digits}`],
});
