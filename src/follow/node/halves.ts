import { BatchRefused, NodeError } from './error.js';
import { halvesOf } from './error-row.js';
import { rowNamed } from './error-table.js';
import type { Failed } from './failed.js';
import type { Failures } from './failures.js';
import { endReasons } from './in-order.js';
import type { NodeRequest } from './question.js';

/** Whether no endpoint is asked for this batch again as it is. */
export function isForHalves({ calls }: NodeRequest, { row }: Failed, { count }: Failures): boolean {
  const when = halvesOf(row);
  return calls.length > 1 && (when === 'at once' || (when === 'later' && count > 1));
}

/**
 * Whether the batch as such was refused: some of its calls were answered, or there are too many for a limit.
 */
export const isWhole = ({ row, failure }: Failed): boolean =>
  !endReasons.has(row.name) && (failure.isOfOneCall !== true || halvesOf(row) === 'later');

/** What no endpoint answers of a batch, one may answer in parts. */
export function asBatch({ calls }: NodeRequest, error: unknown, { patienceLeftMs }: Failures): unknown {
  if (calls.length === 1 || !(error instanceof NodeError)) return error;
  const row = rowNamed(error.reason);
  return row && halvesOf(row) !== 'never' ? new BatchRefused(error, false, patienceLeftMs) : error;
}

/**
 * Whether a refused batch is asked in halves: then their answers decide whether the endpoint gets a cooldown.
 */
export const isOfBatch = ({ calls }: NodeRequest, { row }: Failed): boolean =>
  calls.length > 1 && row.endpoint !== 'slower' && halvesOf(row) === 'at once';
