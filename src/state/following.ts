import { boolean, bytes, int, json, long, moment, network, orNull, plain, sum, text } from './column.js';
import { stateTable } from './table.js';

/*
 * What is followed, how far it is, and what is missing. schema.prisma explains the columns.
 */

/**
 * Blocks with gaps that are counted: health checks, metrics and the status of chains count them all the time, and there may be
 * any number. This many stand for as many or more.
 */
export const MOST_COUNTED_GAPS = 1000;

/** A follower that has not asked its nodes for so many milliseconds does not wait for them any longer: it asks each minute. */
export const WAITER_GONE_MS = 300_000;

export const networkTable = stateTable('follow_network', ['network'], {
  network,
  networkId: long,
  genesis: text,
  xChainId: text,
  cChainId: text,
  avaxAssetId: text,
  cEvmChainId: long,
  hrp: text,
  importing: orNull(text),
});

export const pipelineTable = stateTable('follow_pipeline', ['network', 'name'], {
  network,
  name: text,
  firstHeight: long,
  nextHeight: long,
  firstParent: orNull(text),
  lastId: orNull(text),
  lastTime: orNull(long),
  memo: orNull(json()),
  head: orNull(long),
  currentAt: orNull(moment),
  state: plain('follow_state'),
  note: orNull(text),
  counters: json(),
  refusedRows: long,
  updatedAt: moment,
});

export const waitingTable = stateTable('follow_waiting', ['nodes'], {
  nodes: text,
  network: orNull(network),
  isL1: boolean,
  note: text,
  since: moment,
  seenAt: moment,
});

export const leftOutTable = stateTable('follow_left_out', ['network', 'name'], {
  network,
  name: text,
  note: text,
});

export const endpointTable = stateTable('follow_endpoint', ['name'], {
  name: text,
  state: text,
  reason: orNull(text),
  since: moment,
  updatedAt: moment,
});

export const requestTable = stateTable('follow_request', ['network', 'method', 'outcome'], {
  network,
  method: text,
  outcome: text,
  count: long,
});

export const gapTable = stateTable('follow_gap', ['network', 'name', 'height'], {
  network,
  name: text,
  height: long,
  blockId: text,
  transactions: plain('text[]'),
  reason: text,
  since: moment,
  tries: int,
  nextTry: moment,
});

export const tokenTable = stateTable('follow_token', ['evmChainId', 'contract'], {
  evmChainId: long,
  contract: bytes,
  since: long,
  created: orNull(long),
});

export const tokenIdTable = stateTable(
  'follow_token_id',
  ['evmChainId', 'contract', 'owner', 'tokenId', 'day'],
  { evmChainId: long, contract: bytes, owner: bytes, tokenId: sum, day: int, balance: sum },
);

export const tokenCountTable = stateTable('follow_token_count', ['evmChainId', 'contract', 'owner', 'day'], {
  evmChainId: long,
  contract: bytes,
  owner: bytes,
  day: int,
  count: plain('numeric'),
});
