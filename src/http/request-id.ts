import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { withoutKeys } from '../access/key.js';

export const REQUEST_ID_HEADER = 'x-request-id';

/** What is taken over from a caller: short, and nothing that could be read as more than a name in a log. */
const WELL_FORMED = /^[\w.:-]{1,64}$/;

/** The id of a request: the caller's own where it is well-formed and holds no key, else a random one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const sent = headers[REQUEST_ID_HEADER];
  const isId = typeof sent === 'string' && WELL_FORMED.test(sent) && withoutKeys(sent) === sent;
  return isId ? sent : randomUUID();
}
