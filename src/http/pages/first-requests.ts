import type { LedgerRows, TrialRequest } from '../../resource.js';
import type { Holdings } from './holdings.js';

/** A request to copy into a shell. */
export interface FirstRequest {
  title: string;
  command: string;
}

const limits: TrialRequest = {
  title: 'The limits of this gateway (GraphQL)',
  query: '{ serviceConfig { maxPageSize maxCost maxDepth } }',
};

/**
 * Requests that return data that is stored; for an empty database, requests that return the limits.
 *
 * @param base address of the service, without a slash at the end
 */
export function firstRequests(
  base: string,
  kinds: readonly LedgerRows[],
  holdings: Holdings | null,
): FirstRequest[] {
  const requests = kinds.flatMap((kind) => {
    const ledger = holdings?.ledgers.find(({ counts }) => (counts.get(kind)?.rows ?? 0) > 0);
    return ledger ? kind.request(ledger) : [];
  });
  return (requests.length > 0 ? requests : [limits]).map((request) => ({
    title: request.title,
    command: 'path' in request ? `curl '${base}${request.path}'` : graphqlCommand(base, request.query),
  }));
}

function graphqlCommand(base: string, query: string): string {
  return `curl '${base}/graphql' -H 'content-type: application/json' -d '${JSON.stringify({ query })}'`;
}
