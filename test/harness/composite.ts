import type { TestApp } from './app.js';

export interface SubQueryBody {
  id: string;
  type: string;
  params: Record<string, unknown>;
}

export interface CompositeBody {
  operator: string;
  queries: SubQueryBody[];
  pageSize?: number;
  pageToken?: string;
}

/** The members of a result; of a refusal `message`. */
export interface CompositePage {
  addresses: string[];
  subQueryCounts: Record<string, number>;
  totalCount: number;
  nextPageToken?: string;
  message?: string | string[];
}

const PATH = '/v2/lookingGlass/compositeQuery';
const JSON_TYPE: string | null = 'application/json';

/** Sends a composite query; `body` may be anything, also a text. */
export async function postComposite(
  gateway: Pick<TestApp, 'post'>,
  body: unknown,
  { query = '', contentType = JSON_TYPE } = {},
): Promise<{ status: number; text: string; body: CompositePage }> {
  const headers: Record<string, string> = contentType === null ? {} : { 'content-type': contentType };
  const payload = typeof body === 'string' ? body : JSON.stringify(body);
  const reply = await gateway.post(`${PATH}${query}`, headers, payload);
  return { status: reply.status, text: reply.text, body: reply.body as CompositePage };
}

/** Every page of a composite query, as the published client walks: the whole body again, with pageToken. */
export async function walkComposite(
  gateway: Pick<TestApp, 'post'>,
  body: CompositeBody,
): Promise<CompositePage[]> {
  const pages: CompositePage[] = [];
  for (let pageToken: string | undefined; ;) {
    const { status, text, body: page } = await postComposite(gateway, { ...body, pageToken });
    if (status !== 200) throw new Error(`status ${status}: ${text}`);
    pages.push(page);
    pageToken = page.nextPageToken;
    if (pageToken === undefined) return pages;
  }
}

/** Most tests do not need the checksummed form: an address by its number, in lower case. */
export function addressOf(number: number): string {
  return `0x${number.toString(16).padStart(40, '0')}`;
}

export const FIRST_DAY = Date.UTC(2026, 9, 1) / 86_400_000;

/** `YYYY-MM-DD` of a day counted from 2026-10-01. */
export function dateOf(day: number): string {
  return new Date((FIRST_DAY + day) * 86_400_000).toISOString().slice(0, 10);
}

export type NativeQuestion = [type: string, first: number, last: number, least?: number, id?: string];

/**
 * A sub-query about native balances: of days counted as `dateOf` does, and of the newest for LatestBalance.
 */
export function nativeQuery(chain: number, ...[type, first, last, least = 1, id = 'a']: NativeQuestion) {
  return {
    id,
    type,
    params: {
      evmChainId: String(chain),
      minBalance: String(least),
      ...(type === 'LatestBalance'
        ? { tokenType: 'NATIVE' }
        : { firstDate: dateOf(first), lastDate: dateOf(last) }),
    },
  };
}

/** How many of these statements evaluate a sub-query. */
export const evaluations = (statements: readonly string[]): number =>
  statements.filter((text) => text.includes('string_agg')).length;
