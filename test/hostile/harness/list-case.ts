import type { Random } from './random.js';
import { listPaths, readPage, type Chain, type Reading, type Row } from './reading.js';

/** A list with filters, and all its rows by the rules of the contract. */
export interface ListCase {
  path: string;
  query: readonly (readonly [name: string, value: string])[];
  /** The member of the reply that holds the rows. */
  field: string;
  rows: readonly Row[];
  largestPage: number;
  /** The same as a GraphQL field, its arguments left open, and the leaf that tells its rows apart. */
  graphql?: { field: string; key: string };
}

/** A page token that the gateway gave out, and where in its list it stands. */
export interface IssuedToken {
  list: ListCase;
  token: string;
  offset: number;
}

/** Any list of the reading under any filters. */
export function anyList(random: Random, reading: Reading): ListCase {
  const make = random.weighted([
    [6, utxoList],
    [1, vertexList],
    [2, messageList],
    [2, internalList],
    [1, metricList],
  ]);
  return make(random, reading);
}

function utxoList(random: Random, reading: Reading): ListCase {
  const chain = random.pick<Chain>(['p', 'p', 'x', 'c']);
  const all = reading.utxos[chain];
  const owners = random.chance(0.6)
    ? Array.from({ length: random.whole(1, 4) }, () => random.pick(random.pick(all)['addresses'] as string[]))
    : [];
  const asset = random.chance(0.2) ? (random.pick(all)['assetId'] as string) : null;
  const least = random.chance(0.4)
    ? random.pick(['0', '1', '0.5', random.pick(all)['amount'] as string])
    : null;
  const spent = random.chance(0.5);
  const sort = {
    by: random.pick(['timestamp', 'amount'] as const),
    order: random.pick(['asc', 'desc'] as const),
  };
  const rows = all
    .filter(
      (row) => owners.length === 0 || owners.some((owner) => (row['addresses'] as string[]).includes(owner)),
    )
    .filter((row) => chain !== 'x' || asset === null || row['assetId'] === asset)
    .filter((row) => BigInt(row['amount'] as string) >= BigInt(least === '0.5' ? '1' : (least ?? '0')))
    .filter((row) => spent || row['consumingTxHash'] === undefined);
  const key = (row: Row) => BigInt((sort.by === 'amount' ? row['amount'] : row['blockTimestamp']) as string);
  const query: [string, string][] = [
    ...(owners.length > 0 ? [['addresses', owners.join(',')] as [string, string]] : []),
    ...(asset ? [['assetId', asset] as [string, string]] : []),
    ...(least ? [['minUtxoAmount', least] as [string, string]] : []),
    ['includeSpent', String(spent)],
    ['sortBy', sort.by],
    ['sortOrder', sort.order],
  ];
  const literals = query.map(([name, value]) => {
    if (name === 'addresses') return `addresses: ${JSON.stringify(owners)}`;
    return `${name}: ${['assetId', 'minUtxoAmount'].includes(name) ? JSON.stringify(value) : value}`;
  });
  return {
    path: listPaths.utxos(chain),
    query,
    field: 'utxos',
    rows: sorted(rows, key, 'utxoId', sort.order),
    largestPage: 100,
    graphql: {
      field: `utxos(network: fuji, blockchainId: "${chain}-chain", ${literals.join(', ')}`,
      key: 'utxoId',
    },
  };
}

function sorted(rows: readonly Row[], key: (row: Row) => bigint, tie: string, order: 'asc' | 'desc'): Row[] {
  const direction = order === 'asc' ? 1 : -1;
  return rows.toSorted((a, b) => {
    const [left, right] = [key(a), key(b)];
    const less = left === right ? (a[tie] as string) < (b[tie] as string) : left < right;
    return less ? -direction : direction;
  });
}

function vertexList(_random: Random, { vertices }: Reading): ListCase {
  return {
    path: listPaths.vertices,
    query: [],
    field: 'vertices',
    rows: vertices,
    largestPage: 100,
    graphql: { field: 'vertices(network: fuji, blockchainId: "x-chain"', key: 'vertexHash' },
  };
}

function messageList(random: Random, { messages }: Reading): ListCase {
  const some = random.pick(messages);
  const filters = random.some(['sourceBlockchainId', 'destinationBlockchainId', 'from', 'to'] as const, 0.3);
  const query = filters.map((name) => [name, some[name] as string] as const);
  return {
    path: listPaths.messages,
    query,
    field: 'messages',
    rows: messages.filter((row) => filters.every((name) => row[name] === some[name])),
    largestPage: 100,
    graphql: {
      field: `icmMessages(network: null${query.map(([name, value]) => `, ${name}: ${JSON.stringify(value)}`).join('')}`,
      key: 'messageId',
    },
  };
}

function internalList(random: Random, { internals }: Reading): ListCase {
  const block = () => random.pick(internals)['blockNumber'] as string;
  const [from, to] = [random.chance(0.5) ? block() : null, random.chance(0.5) ? block() : null];
  return {
    path: listPaths.internals,
    query: [...(from ? [['startBlock', from] as const] : []), ...(to ? [['endBlock', to] as const] : [])],
    field: 'transactions',
    rows: internals.filter(
      ({ blockNumber }) =>
        BigInt(blockNumber as string) >= BigInt(from ?? '0') &&
        (to === null || BigInt(blockNumber as string) < BigInt(to)),
    ),
    largestPage: 100,
  };
}

function metricList(random: Random, { metrics }: Reading): ListCase {
  const [name, all] = random.pick([...metrics]);
  const moment = () => random.pick(all)['timestamp'] as number;
  const [after, before] = [random.chance(0.5) ? moment() : null, random.chance(0.5) ? moment() : null];
  return {
    path: listPaths.metric(name),
    query: [
      ...(after === null ? [] : [['startTimestamp', String(after)] as const]),
      ...(before === null ? [] : [['endTimestamp', String(before)] as const]),
    ],
    field: 'results',
    rows: all.filter(
      ({ timestamp }) =>
        (after === null || (timestamp as number) > after) &&
        (before === null || (timestamp as number) < before),
    ),
    largestPage: 10_000,
  };
}

/** Asks for the first pages of `count` lists, and keeps their tokens. */
export async function collectTokens(
  url: string,
  random: Random,
  { reading, count }: { reading: Reading; count: number },
): Promise<IssuedToken[]> {
  const issued: IssuedToken[] = [];
  while (issued.length < count) {
    const list = anyList(random, reading);
    const pageSize = random.whole(1, 20);
    const path = `${list.path}?${new URLSearchParams(list.query.map(([name, value]) => [name, value])).toString()}`;
    let token = '';
    for (let offset = pageSize; offset < list.rows.length && offset <= 3 * pageSize; offset += pageSize) {
      token = (await readPage(url, path, { pageSize, token }))['nextPageToken'] as string;
      if (!token) throw new Error(`${path}: no page token after ${offset} of ${list.rows.length} rows`);
      issued.push({ list, token, offset });
    }
  }
  return issued;
}
