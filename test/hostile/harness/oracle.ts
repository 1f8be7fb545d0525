import { STATUS_CODES } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { unavailablePaths } from '../../../src/rest/unavailable.js';
import type { Outcome } from './connection.js';
import type { Expectation } from './expectation.js';
import { graphqlProblems } from './graphql-oracle.js';
import type { Input } from './input.js';
import { show, type Response } from './response-parser.js';

/** What of an outcome breaks a promise. */
export interface Problem {
  /** `refusal` for a refusal of HTTP's own without the contract's body, else `answer`. */
  kind: 'answer' | 'refusal';
  text: string;
}

/** Most characters of one message, whatever it quotes. */
const LONGEST_MESSAGE = 2000;

// Words that only our inside would say; no generated input holds one of them.
const inside =
  /\n\s+at |node_modules|file:\/\/|\/(?:src|dist|work|home|tmp|usr)\/|\.[jt]s:\d+|prisma|postgres|\bpg[_-]|\bSELECT\b|\bINSERT\b|\bUPDATE\b|\bFROM\b|relation "|syntax error at or near|utxo_owner|address_balance|address_holding|holding_output|address_transaction|subnet_transaction|validator_transaction|subnet_validator|reward_transaction|api_key\b|ECONN|EPIPE|ENOENT/;

/** Judges answers by what holds for every one of them, and by what is known of each. */
export class Oracle {
  /** @param secrets texts that no answer may hold */
  constructor(private readonly secrets: readonly string[]) {}

  judge(input: Input, { responses, closed, broken }: Outcome): Problem[] {
    const problems: Problem[] = [];
    const add = (text: string, kind: Problem['kind'] = 'answer') => problems.push({ kind, text });
    if (broken !== null) add(broken);
    if (input.exact && responses.length < input.methods.length && !responses.at(-1)?.closes)
      add(
        `${responses.length} of ${input.methods.length} answers came${closed ? ', then the connection ended' : ''}`,
      );
    for (const [index, response] of responses.entries()) {
      const known = input.expectations[index] ?? null;
      const method = input.methods[index] ?? 'GET';
      if (isOwnRefusal(response)) add(`${response.status} without a body`, 'refusal');
      else for (const text of this.#problemsOf(response, known, { method, long: input.long })) add(text);
    }
    return problems;
  }

  #problemsOf(
    response: Response,
    known: Expectation | null,
    { method, long }: { method: string; long?: string },
  ): string[] {
    const { status, headers, body } = response;
    const problems = statusProblems(response, known);
    const text = body.toString('utf8');
    const isHtml = headers['content-type']?.startsWith('text/html') ?? false;
    // A browser gets errors of pages as pages.
    const page = status < 400 ? known?.door === 'page' || isHtml : known?.door === 'page' && isHtml;
    if (!page) {
      const leak = inside.exec(text) ?? inside.exec(JSON.stringify(headers));
      if (leak) problems.push(`shows internals: ${show(body.subarray(Math.max(0, leak.index - 60)))}`);
    }
    if (this.secrets.some((secret) => text.includes(secret))) problems.push('tells a secret');
    // A reply may: counts of sub-queries come under the names that the client gave them.
    if (status >= 400 && long && text.includes(long)) problems.push('repeats a long name whole');
    if (method === 'HEAD' || page) return problems;
    // Of a raw request the door is not known; /graphql answers in its own form.
    const door = known?.door ?? (text.startsWith('{"errors":') ? 'graphql' : 'rest');
    if (door === 'graphql') return [...problems, ...graphqlProblems(response, known ?? { door })];
    return [...problems, ...restProblems(response, known)];
  }
}

/** Whether it comes from Node's own HTTP, which never saw a request. */
function isOwnRefusal({ status, headers, body }: Response): boolean {
  return status >= 400 && body.length === 0 && headers['content-type'] === undefined;
}

/** Whether it refuses a path of the published API for which there is no data. */
const isUnavailable = ({ status, body }: Response) =>
  status === 501 && unavailablePaths.some(({ why }) => body.includes(why));

function statusProblems(response: Response, known: Expectation | null): string[] {
  const { status, headers } = response;
  const waits = /^[1-9]\d*$/.test(headers['retry-after'] ?? '');
  if (status === 503 || status === 429) return waits ? [] : [`${status} without a time to wait`];
  if (status >= 500 && !isUnavailable(response)) return [`status ${status}`];
  if (known?.statuses && !known.statuses.includes(status))
    return [`status ${status} in place of ${known.statuses.join(', ')}`];
  return [];
}

function restProblems({ status, headers, body }: Response, known: Expectation | null): string[] {
  if (body.length === 0) return status >= 400 ? [`${status} without a body`] : [];
  if (known === null && status < 400) return [];
  if (!/^application\/json\s*(;|$)/.test(headers['content-type'] ?? ''))
    return [`content-type is ${headers['content-type']}`];
  const value = parse(body);
  if (value === undefined) return [`the body is no JSON: ${show(body)}`];
  const nulls = holdsNull(value) ? ['holds a null'] : [];
  if (status >= 400) return [...nulls, ...errorProblems(status, value, body)];
  const { operation, page, body: whole } = known ?? {};
  if (operation && status !== operation.status) return [`status ${status} in place of ${operation.status}`];
  if (operation?.fits && !operation.fits(value))
    return [...nulls, `does not fit the schema: ${JSON.stringify(operation.fits.errors).slice(0, 300)}`];
  if (whole !== undefined && !isDeepStrictEqual(value, whole))
    return [...nulls, 'is not what was read before'];
  return [...nulls, ...(page ? pageProblems(value as Record<string, unknown>, page) : [])];
}

/**
 * A refusal has exactly three members; as every operation, so an unreadable health check has its own reply.
 */
function errorProblems(status: number, value: unknown, body: Buffer): string[] {
  const { message, error, statusCode, ...others } = value as Record<string, unknown>;
  const messages = [message].flat();
  const right =
    statusCode === status &&
    error === STATUS_CODES[status] &&
    Object.keys(others).length === 0 &&
    messages.length > 0 &&
    messages.every((each) => typeof each === 'string' && each !== '');
  if (!right) return [`is no error of the contract: ${show(body)}`];
  const longest = Math.max(...messages.map((each) => (each as string).length));
  return longest > LONGEST_MESSAGE ? [`a message has ${longest} characters`] : [];
}

function pageProblems(
  value: Record<string, unknown>,
  { field, rows, more }: NonNullable<Expectation['page']>,
): string[] {
  const got = value[field] as unknown[] | undefined;
  if (!isDeepStrictEqual(got, rows)) {
    const at = rows.findIndex((row, index) => !isDeepStrictEqual(row, got?.[index]));
    return [`wrong rows: ${got?.length} in place of ${rows.length}, the first that differs is ${at}`];
  }
  return 'nextPageToken' in value === more ? [] : [`${more ? 'no' : 'a'} next page`];
}

export function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}

/** Members that docs/contract.md excepts, or that have some. */
const mayBeNull: ReadonlySet<string> = new Set(['genesisData', 'geolocation', 'tokenReputation']);

function holdsNull(value: unknown): boolean {
  if (value === null) return true;
  if (typeof value !== 'object') return false;
  return Object.entries(value).some(([key, each]) => !mayBeNull.has(key) && holdsNull(each));
}
