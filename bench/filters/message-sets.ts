import type { Network } from '../../src/avalanche/networks.js';
import { readArguments } from '../../src/arguments/argument.js';
import { icmMessageListArguments } from '../../src/resources/icm-message/arguments.js';
import { icmMessageList } from '../../src/resources/icm-message/list.js';
import { addressAt, chainAt, CHAINS, evmIdAt } from '../../test/harness/generated-evm.js';
import type { FilteredList, FilterSet } from './measure.js';
import { few, hot, type Ends } from './message-data.js';

/**
 * Those that name ends: times are bounds of the same ranges, and a transaction has few. A status has indexes
 * of its own.
 */
type Filter = Exclude<
  keyof typeof icmMessageListArguments,
  'since' | 'until' | 'txHash' | 'status' | 'address'
>;
type Values = Partial<Record<Filter, string>>;
type Group = keyof typeof hot;

const filters: Filter[] = [
  'sourceBlockchainId',
  'destinationBlockchainId',
  'blockchainId',
  'from',
  'to',
  'network',
];
const ends: (keyof Ends)[] = ['source', 'destination', 'from', 'to'];
const sets = filters.flatMap((one, index) => [
  [one],
  ...filters.slice(index + 1).map((other) => [one, other]),
]);

const evmIds = new Map(
  Array.from({ length: CHAINS }, (_, index) => [chainAt(index + 1), evmIdAt(index + 1)]),
);

/** Whether a filter takes the EVM id of a chain too. */
const takesEvmId = (filter: Filter) =>
  filter === 'sourceBlockchainId' || filter === 'destinationBlockchainId';

/** Every filter and pair of filters of messages, and those again that can name a chain by its EVM id. */
export function messageSets(): FilterSet[] {
  const named = sets.map((set) => filterSet(set, false));
  return [...named, ...sets.filter((set) => set.some(takesEvmId)).map((set) => filterSet(set, true))];
}

function filterSet(set: Filter[], byEvmId: boolean): FilterSet {
  const spell = (values: Values) => (byEvmId ? withEvmIds(values) : values);
  const sparse = set.length === 1 ? set.flatMap(fewAlone) : fewTogether(set);
  return {
    filters: set.map((name) => (byEvmId && takesEvmId(name) ? `${name} (EVM id)` : name)).join(' + '),
    dense: list(spell(valuesOf(set, ['B', 'B']))),
    sparse: sparse.map((values) => ({ list: list(spell(values)), parts: parts(spell(values)) })),
  };
}

function fewAlone(filter: Filter): Values[] {
  if (filter === 'network') return few.network.map((network) => ({ network }));
  const end = filter === 'blockchainId' ? 'either' : endOf(filter, []);
  return few[end].map((index) => ({ [filter]: spelled(filter, index) }));
}

/** Values for two filters under which each alone matches many messages, and both match 0, 1 and 10. */
function fewTogether(set: Filter[]): Values[] {
  if (set.includes('network'))
    return [
      { ...valuesOf(set, ['A', 'A']), network: 'fuji' },
      { ...valuesOf(set, ['B', 'B']), network: 'fuji' },
      { ...valuesOf(set, ['C', 'C']), network: 'mainnet' },
    ];
  const inOrder = [...set].sort((a, b) => ends.indexOf(endOf(a, set)) - ends.indexOf(endOf(b, set)));
  return [valuesOf(inOrder, ['A', 'A']), valuesOf(inOrder, ['A', 'B']), valuesOf(inOrder, ['B', 'A'])];
}

function valuesOf(set: readonly Filter[], groups: readonly Group[]): Values {
  return Object.fromEntries(
    set.map((filter, index) => [
      filter,
      filter === 'network' ? 'mainnet' : spelled(filter, hot[groups[index] ?? 'A'][endOf(filter, set)]),
    ]),
  );
}

/**
 * The end of a message that a filter is about; of blockchainId, the one that the other filter is not about.
 */
function endOf(filter: Filter, set: readonly Filter[]): keyof Ends {
  if (filter === 'from' || filter === 'to') return filter;
  if (filter === 'blockchainId') return set.includes('sourceBlockchainId') ? 'destination' : 'source';
  return filter === 'sourceBlockchainId' ? 'source' : 'destination';
}

function spelled(filter: Filter, index: number): string {
  return filter === 'from' || filter === 'to' ? addressAt(index) : chainAt(index);
}

function withEvmIds(values: Values): Values {
  const { sourceBlockchainId: source, destinationBlockchainId: destination, ...others } = values;
  return {
    ...others,
    ...(source && { sourceBlockchainId: evmIds.get(source) }),
    ...(destination && { destinationBlockchainId: evmIds.get(destination) }),
  };
}

/** Lists by one of the filters. */
function parts(values: Values): FilteredList[] {
  const pairs = Object.entries(values);
  return pairs.length === 1 ? [] : pairs.map(([filter, value]) => list({ [filter]: value }));
}

const conditions: Record<Filter, (value: string) => string> = {
  sourceBlockchainId: (value) => `${value} IN (s.blockchain_id, s.evm_chain_id::text)`,
  destinationBlockchainId: (value) => `${value} IN (d.blockchain_id, d.evm_chain_id::text)`,
  blockchainId: (value) => `${value} IN (s.blockchain_id, d.blockchain_id)`,
  from: (value) => `m.from_address = decode(substr(${value}, 3), 'hex')`,
  to: (value) => `m.to_address = decode(substr(${value}, 3), 'hex')`,
  network: (value) => `m.network = ${value}::network`,
};

function list({ network, ...values }: Values): FilteredList {
  // Not read like the others: some networks here are of this bench alone.
  const query = {
    ...readArguments(icmMessageListArguments, values),
    network: (network ?? null) as Network | null,
  };
  const given = Object.entries({ ...values, ...(network && { network }) });
  const tests = given.map(([filter], index) => conditions[filter as Filter](`$${index + 1}`));
  if (!network) tests.push(`m.network IN ('mainnet', 'fuji')`);
  return {
    read: (storage, request) => icmMessageList.read(storage, query, request),
    plain: {
      text: `FROM icm_message m JOIN icm_chain s ON s.id = m.source_id JOIN icm_chain d ON d.id = m.destination_id
        WHERE ${tests.join(' AND ')}`,
      id: 'm.id',
      order: 'm.timestamp DESC, m.message_id DESC, m.id DESC',
      values: given.map(([, value]) => value),
    },
  };
}
