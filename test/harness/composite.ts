import type { RestReply, TestApp } from './app.js';

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

const PATH = '/v2/lookingGlass/compositeQuery';

/** Asks a composite query; `body` may be anything, as text too. */
export async function postComposite(
  { app }: Pick<TestApp, 'app'>,
  body: unknown,
  { query = '', contentType = 'application/json' as string | undefined } = {},
): Promise<Omit<RestReply, 'headers'>> {
  const reply = await app.inject({
    method: 'POST',
    url: `${PATH}${query}`,
    headers: contentType === undefined ? {} : { 'content-type': contentType },
    payload: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: reply.statusCode, text: reply.body, body: JSON.parse(reply.body) as unknown };
}

/** Every page of a composite query, as the published client walks: the whole body again, with pageToken. */
export async function walkComposite(app: Pick<TestApp, 'app'>, body: CompositeBody) {
  const pages: { addresses: string[]; subQueryCounts: Record<string, number>; totalCount: number }[] = [];
  for (let pageToken: string | undefined; ;) {
    const { status, body: page } = await postComposite(app, { ...body, pageToken });
    if (status !== 200) throw new Error(`status ${status}: ${JSON.stringify(page)}`);
    pages.push(page as (typeof pages)[number]);
    pageToken = (page as { nextPageToken?: string }).nextPageToken;
    if (pageToken === undefined) return pages;
  }
}

/** The checksummed form is of no interest to most tests: an address by its number, in lower case. */
export function addressOf(number: number): string {
  return `0x${number.toString(16).padStart(40, '0')}`;
}

export const FIRST_DAY = Date.UTC(2026, 9, 1) / 86_400_000;

/** `YYYY-MM-DD` of a day counted from 2026-10-01. */
export function dateOf(day: number): string {
  return new Date((FIRST_DAY + day) * 86_400_000).toISOString().slice(0, 10);
}
