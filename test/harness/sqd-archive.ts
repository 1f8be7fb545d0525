import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { temporaryFolder } from './embedded.js';

/** A transaction as the dumper of SQD writes it: a node's, with its receipt and its trace. */
interface DumpedTransaction extends Record<string, unknown> {
  hash: string;
  receipt_?: Record<string, unknown>;
  debugFrame_?: { result: DumpedFrame };
}

/** A frame of callTracer. */
export interface DumpedFrame extends Record<string, unknown> {
  gasUsed: string;
  calls?: DumpedFrame[];
}

/** A block as the dumper of SQD writes it. */
export interface DumpedBlock extends Record<string, unknown> {
  hash: string;
  number: string;
  transactions: DumpedTransaction[];
}

/** A file of an archive. */
export interface DumpedFile {
  readonly path: string;
  readonly first: number;
  readonly last: number;
}

export interface SqdDump {
  readonly folder: string;
  readonly files: readonly DumpedFile[];
  /** Replaces the block of a height, or every one; null leaves it out. */
  alter(height: number | 'all', change: (block: DumpedBlock) => DumpedBlock | null): void;
  fileOf(height: number): DumpedFile;
  /** The height of the first block from one on of which something is true. */
  find(from: number, has: (block: DumpedBlock) => boolean): number;
  drop(): Promise<void>;
}

const FILE = 'blocks.jsonl.gz';
const padded = (height: number) => String(height).padStart(10, '0');

/**
 * Writes blocks of a node as the dumper of SQD does, with `--with-receipts --with-traces`. What it prints was
 * compared with files of the dumper itself: docs/decisions/0093-archives.md.
 *
 * @param rpc the address of the chain's RPC
 * @param perFile blocks in a file; the dumper ends one by its size
 */
export async function dumpChain(
  rpc: string,
  { first = 0, last, perFile }: { readonly first?: number; readonly last: number; readonly perFile: number },
): Promise<SqdDump> {
  const { path: folder, drop } = await temporaryFolder();
  const files: DumpedFile[] = [];
  for (let from = first; from <= last; from += perFile) {
    const to = Math.min(last, from + perFile - 1);
    const heights = Array.from({ length: to - from + 1 }, (_, index) => from + index);
    const blocks = await Promise.all(heights.map((height) => dumpedBlock(rpc, height)));
    const name = `${padded(from)}-${padded(to)}-${blocks.at(-1)!.hash.slice(-8)}`;
    const path = join(folder, padded(first), name, FILE);
    mkdirSync(dirname(path), { recursive: true });
    writeBlocks(path, blocks);
    files.push({ path, first: from, last: to });
  }
  const fileOf = (height: number) => files.find((each) => each.first <= height && height <= each.last)!;
  return {
    folder,
    files,
    fileOf,
    alter(height, change) {
      for (const { path } of height === 'all' ? files : [fileOf(height)]) {
        const altered = readBlocks(path).flatMap((each) =>
          height === 'all' || Number(each.number) === height ? (change(each) ?? []) : each,
        );
        writeBlocks(path, altered);
      }
    },
    find(from, has) {
      const all = files.flatMap(({ path }) => readBlocks(path));
      return Number(all.find((each) => Number(each.number) >= from && has(each))!.number);
    },
    drop,
  };
}

async function dumpedBlock(rpc: string, height: number): Promise<DumpedBlock> {
  const tag = `0x${height.toString(16)}`;
  const block = await call<DumpedBlock>(rpc, 'eth_getBlockByNumber', [tag, true]);
  if (block.transactions.length === 0) return block;
  const [receipts, traces] = await Promise.all([
    call<Record<string, unknown>[]>(rpc, 'eth_getBlockReceipts', [tag]),
    call<{ result: DumpedFrame }[]>(rpc, 'debug_traceBlockByNumber', [tag, { tracer: 'callTracer' }]),
  ]);
  const transactions = block.transactions.map((each, index) => ({
    ...each,
    receipt_: receipts[index]!,
    debugFrame_: traces[index]!,
  }));
  return { ...block, transactions };
}

async function call<T>(rpc: string, method: string, params: unknown[]): Promise<T> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const reply = await fetch(rpc, { method: 'POST', headers, body });
  const { result, error } = (await reply.json()) as { result?: T; error?: { message: string } };
  if (result === undefined) throw new Error(`${method}: ${error?.message}`);
  return result;
}

const readBlocks = (path: string): DumpedBlock[] =>
  gunzipSync(readFileSync(path))
    .toString()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as DumpedBlock);

const writeBlocks = (path: string, blocks: readonly DumpedBlock[]) =>
  writeFileSync(path, gzipSync(blocks.map((each) => `${JSON.stringify(each)}\n`).join('')));
