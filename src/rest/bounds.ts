import type { ArgumentValues } from '../arguments/argument.js';
import type { timeBounds } from '../arguments/common.js';

/** Bounds of time under their names in GraphQL. */
export const boundsOf = ({
  startTimestamp,
  endTimestamp,
}: ArgumentValues<ReturnType<typeof timeBounds>>) => ({
  since: startTimestamp,
  until: endTimestamp,
});
