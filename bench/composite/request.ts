import { CHAIN, FIRST, HIGH, LAST, SPIKE } from './data.js';

export const PATH = '/v2/lookingGlass/compositeQuery';

export type Operator = 'AND' | 'OR';

export interface Page {
  addresses: string[];
  totalCount: number;
  subQueryCounts: Record<string, number>;
  nextPageToken?: string;
}

export interface PageRequest {
  operator: Operator;
  pageSize: number;
  pageToken?: string;
  /** Subtracted from both balances, so that no cached set fits; the addresses are the same. */
  apart?: number;
}

/** The body of a request for a page. */
export function bodyOf({ operator, pageSize, pageToken, apart = 0 }: PageRequest): string {
  const params = { evmChainId: String(CHAIN), firstDate: dateOf(FIRST), lastDate: dateOf(LAST) };
  const from = (balance: string) => String(BigInt(balance) - BigInt(apart));
  const queries = [
    { id: 'every day', type: 'AllTimeNativeBalance', params: { ...params, minBalance: from(HIGH) } },
    { id: 'some day', type: 'AnyTimeNativeBalance', params: { ...params, minBalance: from(SPIKE) } },
  ];
  return JSON.stringify({ operator, queries, pageSize, pageToken });
}

const dateOf = (day: number) => new Date(day * 86_400_000).toISOString().slice(0, 10);
