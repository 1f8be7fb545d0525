import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { decodePBlock, decodeXBlock } from '../../src/avalanche/codec/block.js';
import { decodeAtomicTransaction } from '../../src/avalanche/codec/c-transaction.js';
import type { PBlock, Transaction } from '../../src/avalanche/codec/types.js';
import { withoutChecksum } from '../../src/avalanche/cb58.js';

/** A network next to the checkout; without it the part of it that lies in the repository. */
const whole = new URL('../../../shared/node/network-a/', import.meta.url);
const excerpt = new URL('../../test/harness/recording/', import.meta.url);
const isWhole = existsSync(whole);

/** The genesis file of the recorded network. */
export const genesisFile = fileURLToPath(new URL('genesis.json', isWhole ? whole : excerpt));
export const recordingName = isWhole ? 'network-a' : 'the part of network-a in this repository';

/** A call and what a node answered. */
interface Call {
  p: string;
  m: string;
  a: unknown;
  r?: Record<string, unknown>;
}

/** What a recorded network consists of. */
export interface Recording {
  readonly networkId: number;
  /** By height, from 0 on. */
  readonly pBlocks: readonly PBlock[];
  /** Of all chains, those of genesis left out. */
  readonly transactions: readonly Transaction[];
  /** Outputs that the end of a staker paid, by its transaction's id. */
  readonly rewards: ReadonlyMap<string, readonly Uint8Array[]>;
  /** Every other answer, by path, method and parameters. */
  readonly answers: ReadonlyMap<string, unknown>;
}

/** A call in one form, whatever form its numbers have. */
export const keyOf = (path: string, method: string, params: unknown): string =>
  JSON.stringify([path, method, Array.isArray(params) ? params : Object.entries(params ?? {}).sort()]);

export const bytesOf = (hex: unknown): Uint8Array =>
  withoutChecksum(Buffer.from(String(hex).slice(2), 'hex'));

export function readRecording(): Recording {
  const pBlocks: PBlock[] = [];
  const transactions: Transaction[] = [];
  const rewards = new Map<string, Uint8Array[]>();
  const answers = new Map<string, unknown>();
  for (const { p, m, a, r } of calls()) {
    if (!r) continue;
    const { height, txID } = a as Record<string, string>;
    if (m === 'platform.getBlockByHeight') pBlocks[Number(height)] = decodePBlock(bytesOf(r['block']));
    else if (m === 'avm.getBlockByHeight')
      transactions.push(...decodeXBlock(bytesOf(r['block'])).transactions);
    else if (m === 'avax.getAtomicTx') transactions.push(decodeAtomicTransaction(bytesOf(r['tx'])));
    else if (m === 'platform.getRewardUTXOs' && txID !== undefined)
      rewards.set(txID, (r['utxos'] as string[]).map(bytesOf));
    answers.set(keyOf(p, m, a), r);
  }
  for (const block of pBlocks)
    transactions.push(...block.transactions, ...(block.proposal ? [block.proposal] : []));
  const { networkID } = answers.get(keyOf('/ext/info', 'info.getNetworkID', {})) as { networkID: string };
  return { networkId: Number(networkID), pBlocks, transactions, rewards, answers };
}

function calls(): Call[] {
  const parts = isWhole
    ? ['info', 'p', 'p-state', 'x', 'c'].map((name) =>
        gunzipSync(readFileSync(new URL(`${name}.jsonl.gz`, whole))).toString(),
      )
    : [brotliDecompressSync(readFileSync(new URL('calls.jsonl.br', excerpt))).toString()];
  return parts.flatMap((text) =>
    text
      .trim()
      .split('\n')
      // Blocks of the EVM are most of the file, and nothing here reads them.
      .filter((line) => !/"m":"(?:eth_get|debug_)/.test(line.slice(0, 100)))
      .map((line) => JSON.parse(line) as Call),
  );
}
