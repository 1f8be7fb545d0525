import type { Operation } from './operations.js';

/** What is known beforehand of an answer. */
export interface Expectation {
  /** Whose rules the answer follows. */
  door: 'rest' | 'graphql' | 'page';
  /** The operation whose schema a success has to fit. */
  operation?: Operation;
  /**
   * The statuses that are right, in addition to 429 and 503 with the time to wait; if absent, any clear one.
   */
  statuses?: readonly number[];
  /** The page of a REST list. */
  page?: { field: string; rows: readonly unknown[]; more: boolean };
  /** The whole body as JSON. */
  body?: unknown;
  /** The GraphQL data, whole and without errors. */
  data?: unknown;
}
