import { expect } from 'vitest';
import { readSample } from '../../harness/sample.js';
import { send, type Answer, type Sent } from './send.js';
import { report } from './table.js';

/** A request, and the body that answers it when all is well. */
export interface Probe extends Sent {
  body: string;
}

const list = '/v1/networks/fuji/blockchains/p-chain/utxos?includeSpent=true&sortBy=amount&pageSize=25';
const fields = 'nodes { utxoId amount creatingTransaction { txHash txType } }';

function requests(): Sent[] {
  const sample = readSample();
  const [owner] = sample.utxosOf('x')[0]?.addresses ?? [];
  const transactions = sample.transactionsOf('p').slice(0, 4);
  return [
    { path: list },
    { path: `/v1/networks/fuji/blockchains/x-chain/utxos?addresses=X-${owner}&includeSpent=true` },
    ...transactions.map(({ txHash }) => ({
      path: `/v1/networks/fuji/blockchains/p-chain/transactions/${txHash}`,
    })),
    { path: '/v1/networks/fuji/blockchains/x-chain/vertices?pageSize=5' },
    { path: '/v1/chains' },
    query(`{ utxos(network: fuji, blockchainId: "p-chain", first: 20) { ${fields} } }`),
    query(`{ utxos(network: fuji, blockchainId: "x-chain", first: 5) { totalCount ${fields} } }`),
  ];
}

function query(text: string): Sent {
  return { path: '/graphql', post: JSON.stringify({ query: text }) };
}

/**
 * Requests to REST and GraphQL with the bodies that a gateway answers while nothing is wrong: answers under a
 * fault are compared with them, byte for byte. One of them continues from a page token.
 */
export async function knownGood(url: string): Promise<Probe[]> {
  const probes: Probe[] = [];
  for (const each of requests()) probes.push({ ...each, body: await goodBody(url, each) });
  const first = await send(url, { path: list });
  const { nextPageToken } = JSON.parse(first.text) as { nextPageToken: string };
  const next = { path: `${list}&pageToken=${nextPageToken}` };
  return [...probes, { ...next, body: await goodBody(url, next) }];
}

async function goodBody(url: string, request: Sent): Promise<string> {
  const answer = await send(url, request);
  if (answer.status !== 200 || answer.text.includes('"errors"'))
    throw new Error(`${request.path}: ${answer.status} ${answer.text.slice(0, 300)}`);
  return comparable(answer.text);
}

/** Page tokens differ, and the rest of a limit changes with each request. */
export function comparable(text: string): string {
  return text
    .replace(/"nextPageToken":"[0-9a-f-]{36}"/, '"nextPageToken":""')
    .replace(/,"extensions":\{"cost":\{[^}]*\}(,"rateLimit":\{[^}]*\})?\}\}$/, '}');
}

export type Verdict = 'right' | 'refused' | 'cut' | 'wrong';

/** The verdict on an answer. */
export function judge(probe: Probe, answer: Answer): Verdict {
  if (answer.broke) return 'cut';
  if (answer.status === 200 && comparable(answer.text) === probe.body) return 'right';
  return isClearRefusal(probe, answer) ? 'refused' : 'wrong';
}

/** Whether a refusal has the contract's form and says when to try again. */
export function isClearRefusal({ post }: Sent, { status, headers, text }: Answer): boolean {
  const body = parse(text);
  const sayWhen = /^[1-9]\d*$/.test(String(headers['retry-after'] ?? ''));
  if (status === 503 || status === 429) {
    const title = status === 503 ? 'Service Unavailable' : 'Too Many Requests';
    if (sayWhen && body?.['statusCode'] === status && body['error'] === title && body['message']) return true;
  }
  if (post === undefined) return false;
  // A GraphQL result says it in the errors.
  const errors = (body?.['errors'] ?? []) as { extensions?: { code?: string } }[];
  const codes = errors.map(({ extensions }) => extensions?.code);
  return codes.length > 0 && codes.every((code) => code === 'SERVICE_UNAVAILABLE' || code === 'RATE_LIMITED');
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

/** Adds the row of a load: the answers that were right, those that were clear refusals, and all others. */
export function reportRight(
  row: { fault: string; lost: number },
  answers: readonly Answer[],
  isRight: (answer: Answer) => boolean,
): void {
  const rest = answers.filter((answer) => !isRight(answer));
  const wrong = rest.filter((answer) => !isClearRefusal({ path: '', post: '' }, answer));
  const right = answers.length - rest.length;
  report({ ...row, sent: answers.length, right, refused: rest.length - wrong.length, wrong: wrong.length });
  expect(wrong.map(({ status, text }) => `${status} ${text.slice(0, 300)}`)).toEqual([]);
}
