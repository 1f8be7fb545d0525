import { AppError } from '../errors.js';

/** Whether a request names its document by a hash alone, as clients with persisted queries do at first. */
export function namesDocument(parameters: unknown): boolean {
  const { query, extensions } = (parameters ?? {}) as { query?: unknown; extensions?: unknown };
  const { persistedQuery } = (extensions ?? {}) as { persistedQuery?: unknown };
  return !query && typeof persistedQuery === 'object' && persistedQuery !== null;
}

/**
 * The refusal of such a request: no document is remembered by its hash. The text is what clients wait for, to send the
 * document then. That persisted queries are not supported would spare them asking, but Apollo's clients for Android and iOS
 * fail at that (docs/decisions/0041-persisted-queries.md).
 */
export function documentNotFound(): AppError {
  return new AppError('PERSISTED_QUERY_NOT_FOUND', 'PersistedQueryNotFound');
}
