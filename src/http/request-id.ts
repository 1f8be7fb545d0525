import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { withoutKeys } from '../access/key.js';

export const REQUEST_ID_HEADER = 'x-request-id';

/** What is accepted of a caller's id: short, and only characters that cannot mislead in a log. */
const WELL_FORMED = /^[\w.:-]{1,64}$/;

/** The id of a request: the caller's own if it is well-formed and contains no key, else a random one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const sent = headers[REQUEST_ID_HEADER];
  const isId = typeof sent === 'string' && WELL_FORMED.test(sent) && withoutKeys(sent) === sent;
  return isId ? sent : randomUUID();
}
