import { boolean, int, json, long, moment, network, orNull, plain, text } from './column.js';
import { stateTable } from './table.js';

/*
 * What is followed, how far it is, and what is missing. schema.prisma explains the columns, and has further
 * tables of the follower, which no resource reads.
 */

/**
 * Blocks with gaps that are counted: health checks, metrics and the status of chains count them all the time,
 * and there may be any number. This many stand for as many or more.
 */
export const MOST_COUNTED_GAPS = 1000;

/**
 * A follower that has not asked its nodes for so many milliseconds does not wait for them any longer: it asks
 * each minute.
 */
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
  pastGoal: orNull(long),
  pastBlocksPerHour: orNull(long),
  updatedAt: moment,
});

export const rangeTable = stateTable('follow_range', ['network', 'name', 'firstHeight'], {
  network,
  name: text,
  firstHeight: long,
  nextHeight: long,
  endHeight: long,
  firstParent: orNull(text),
  lastId: orNull(text),
  lastTime: orNull(long),
  memo: orNull(json()),
  counters: json(),
  refusedRows: long,
  note: orNull(text),
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
