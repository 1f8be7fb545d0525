import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import type { Call } from '../avalanche/codec/recorded.js';
import { type Heads, type NodeServer, serveNode } from './node-server.js';

const folder = new URL('./recording/', import.meta.url);

/** The genesis file of the recorded network. */
export const excerptGenesis = fileURLToPath(new URL('genesis.json', folder));

/** The last heights of the recording. */
export const excerptHeads: Heads = { P: 600, X: 144, C: 219 };

interface Line {
  p: string;
  m: string;
  a: Record<string, unknown> | unknown[];
  r?: unknown;
  e?: object;
}

interface Entry {
  answer: { result: unknown } | { error: object };
  /** The chain and height from which on it is known. */
  since?: [keyof Heads, number];
}

const entries = new Map<string, Entry>();
/** Heights of P's proposals: a node's head never stands on one, because it stores the decision with it. */
const proposals = new Set<number>();
const notFound = (message: string) => ({ error: { code: -32000, message, data: null } });

/** Serves the recording that lies in this repository. Its head can be moved. @param port a free one for 0 */
export async function startExcerptNode(heads: Partial<Heads> = {}, port = 0): Promise<NodeServer> {
  if (entries.size === 0) readRecording();
  return serveNode({ heads: { ...excerptHeads, ...heads }, answer }, port);
}

/** What the recorded node answers to one call. */
export function excerptAnswer(path: string, method: string, params: unknown, heads: Heads): object {
  if (entries.size === 0) readRecording();
  return answer(path, method, params, heads);
}

function keyOf(path: string, method: string, params: unknown): string {
  const sorted = Array.isArray(params)
    ? params
    : Object.entries(params ?? {})
        .map(([name, value]) => [name, typeof value === 'number' ? String(value) : (value as unknown)])
        .sort();
  return JSON.stringify([path, method, sorted]);
}

function readLines(): Line[] {
  const text = brotliDecompressSync(readFileSync(new URL('calls.jsonl.br', folder))).toString();
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}

/** The answered calls of the recording. */
export function excerptCalls(): Call[] {
  return readLines().flatMap(({ p, m, a, r }) =>
    r === undefined ? [] : [{ path: p, method: m, args: a as Call['args'], result: r as Call['result'] }],
  );
}

function readRecording(): void {
  const at: Partial<Record<string, [keyof Heads, number]>> = {};
  for (const { p, m, a, r, e } of readLines()) {
    const chain = p.startsWith('/ext/bc/') ? (p.charAt(8) as keyof Heads) : undefined;
    if (chain && m.endsWith('.getBlockByHeight'))
      at[chain] = [chain, Number((a as { height: string }).height)];
    if (m === 'platform.getBlockByHeight' && isProposal((r as { block: string }).block))
      proposals.add(Number((a as { height: string }).height));
    if (m === 'eth_getBlockByNumber') at.C = ['C', Number((a as string[])[0])];
    if (m === 'avax.getAtomicTx') at.C = ['C', Number((r as { blockHeight: string }).blockHeight)];
    const since = chain && at[chain];
    entries.set(keyOf(p, m, a), { answer: e ? { error: e } : { result: r }, ...(since && { since }) });
  }
}

/** @param block 0x, codec version, type: 0 before Banff, 29 since */
const isProposal = (block: string) => ['00000000', '0000001d'].includes(block.slice(6, 14));

function answer(path: string, method: string, params: unknown, given: Heads): object {
  const heads = proposals.has(given.P) ? { ...given, P: given.P + 1 } : given;
  const head = headAnswer(method, heads);
  if (head !== undefined) return { result: head };
  if (method === 'eth_getHeaderByNumber') return headerAnswer(path, params as string[], heads);
  const entry = entries.get(keyOf(path, method, params));
  const known = entry && (!entry.since || entry.since[1] <= heads[entry.since[0]]);
  return known ? entry.answer : (absent(method, params as Record<string, unknown>) ?? unknown(path, method));
}

function headAnswer(method: string, heads: Heads): unknown {
  if (method === 'platform.getHeight') return { height: String(heads.P) };
  if (method === 'avm.getHeight') return { height: String(heads.X) };
  return method === 'eth_blockNumber' ? `0x${heads.C.toString(16)}` : undefined;
}

function headerAnswer(path: string, [height]: string[], heads: Heads): object {
  const block = answer(path, 'eth_getBlockByNumber', [height, false], heads);
  if (!('result' in block)) return block;
  const { transactions, uncles, size, blockExtraData, ...header } = block.result as Record<string, unknown>;
  void [transactions, uncles, size, blockExtraData];
  return { result: header };
}

/** What a node says of something that it does not have. */
function absent(method: string, params: Record<string, unknown>): object | undefined {
  if (method.endsWith('.getBlockByHeight'))
    return notFound(`couldn't get block at height ${String(params['height'])}: not found`);
  if (method === 'eth_getBlockByNumber')
    return { error: { code: -32000, message: 'cannot query unfinalized data' } };
  if (method === 'platform.getTx') return notFound("couldn't get tx: not found");
  if (method === 'avm.getTx') return notFound('not found');
  if (method === 'platform.getTxStatus') return { result: { status: 'Unknown' } };
  if (method === 'platform.getRewardUTXOs')
    return { result: { numFetched: '0', utxos: [], encoding: 'hex' } };
  if (method === 'avax.getAtomicTx') return notFound(`could not find tx ${String(params['txID'])}`);
  return undefined;
}

function unknown(path: string, method: string): object {
  return path === '/ext/bc/C/rpc'
    ? { error: { code: -32601, message: `the method ${method} does not exist/is not available` } }
    : notFound(`rpc: can't find method "${method}"`);
}
