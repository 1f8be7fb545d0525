import { createContextCache } from '@pothos/core';
import type { Services } from './context.js';

/** The present in the form of time arguments: whole Unix seconds in decimal digits. */
export const presentMoment = ({ now }: Pick<Services, 'now'>): string => Math.floor(now() / 1000).toString();

/**
 * The present of an operation, the same for all of its fields, so that lists of several parents are read at
 * one time.
 */
export const presentOf = createContextCache((context: Pick<Services, 'now'>) => ({
  moment: presentMoment(context),
}));

/**
 * The query of a list, with the present if its time was omitted.
 *
 * @param name of the time among the query's values; undefined if the list has none
 */
export function atPresent<Query extends object>(
  query: Query,
  name: string | undefined,
  present: () => string,
): Query {
  if (name === undefined || (query as Record<string, unknown>)[name] !== null) return query;
  return { ...query, [name]: present() };
}
