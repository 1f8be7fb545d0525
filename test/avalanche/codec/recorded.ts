import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { withChecksum } from '../../../src/avalanche/cb58.js';
import { parseJson } from '../../../src/json.js';

const folder = new URL('../../../../shared/node/', import.meta.url);

/**
 * Recordings of whole networks next to the checkout (../shared/node/README.md); none where they are missing.
 */
export const recordedNetworks = existsSync(folder)
  ? readdirSync(folder).filter((name) => name.startsWith('network-'))
  : [];

/** A call that a node answered, with its answer. */
export interface Call {
  path: string;
  method: string;
  args: Record<string, unknown>;
  result: Record<string, unknown>;
}

/**
 * The calls of one file of a recording that have a result; those with an error too, if `refused` ones count.
 */
export function callsOf(network: string, file: string, refused = false): Call[] {
  const lines = read(network, `${file}.jsonl.gz`).split('\n').filter(Boolean);
  return lines
    .map((line) => JSON.parse(line) as { p: string; m: string; a: Call['args']; r: Call['result'] })
    .flatMap(({ p, m, a, r }) => (r || refused ? [{ path: p, method: m, args: a, result: r }] : []));
}

/** Ids of blocks by height with those of their transactions, as the node gave them. */
export function idsOf(network: string) {
  type Block = [id: string, type: number, transactions: string[]];
  return JSON.parse(read(network, 'ids.json.gz')) as Record<'P' | 'X', Block[]>;
}

/** The lines of a file of a recording. */
export const linesOf = (network: string, file: string): unknown[] =>
  read(network, file)
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as unknown);

export function jsonOf(network: string, file: string): unknown {
  return parseJson(read(network, file));
}

function read(network: string, file: string): string {
  const bytes = readFileSync(new URL(`${network}/${file}`, folder));
  return (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
}

/** The bytes of a node's `hex` text, whose last four are a checksum. */
export function checkedBytes(text: unknown): Uint8Array {
  const all = Buffer.from((text as string).slice(2), 'hex');
  const bytes = all.subarray(0, -4);
  if (!all.equals(withChecksum(bytes))) throw new Error('the recording has a wrong checksum');
  return bytes;
}

export function plainBytes(text: unknown): Uint8Array {
  return Buffer.from((text as string).slice(2), 'hex');
}
