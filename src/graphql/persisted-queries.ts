import { AppError } from '../errors.js';

/** Whether a request names its document only by a hash, as clients with persisted queries do first. */
export function namesDocument(parameters: unknown): boolean {
  const { query, extensions } = (parameters ?? {}) as { query?: unknown; extensions?: unknown };
  const { persistedQuery } = (extensions ?? {}) as { persistedQuery?: unknown };
  return !query && typeof persistedQuery === 'object' && persistedQuery !== null;
}

/**
 * The refusal of such a request: documents are never found by hash. On this text clients send the document.
 * The error "persisted queries are not supported" would spare them the next attempts, but Apollo's clients
 * for Android and iOS fail on it (docs/decisions/0041-persisted-queries.md).
 */
export function documentNotFound(): AppError {
  return new AppError('PERSISTED_QUERY_NOT_FOUND', 'PersistedQueryNotFound');
}
