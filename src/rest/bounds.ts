import type { ArgumentValues } from '../arguments/argument.js';
import type { timeBounds } from '../arguments/common.js';

/** Before which time the rows of a list are, Unix seconds; undefined for one that goes on. */
export const endOf = ({ endTimestamp }: { readonly endTimestamp: string | null }): number | undefined =>
  endTimestamp === null ? undefined : Number(endTimestamp);

/** The same where bounds are days since 1970. */
export const endOfDays = ({ endTimestamp }: Readonly<Record<string, unknown>>): number | undefined =>
  typeof endTimestamp === 'number' ? endTimestamp * 86_400 : undefined;

/** Bounds of time under their names in GraphQL. */
export const boundsOf = ({
  startTimestamp,
  endTimestamp,
}: ArgumentValues<ReturnType<typeof timeBounds>>) => ({
  since: startTimestamp,
  until: endTimestamp,
});
