import { createHash } from 'node:crypto';
import type { NodeFaults } from './node-proxy.js';
import type { Random } from './random.js';

/** A JSON-RPC call. */
export interface Call {
  id: unknown;
  method: string;
  params: unknown;
}

/** What decides about faults. */
export interface Spoiling {
  faults: NodeFaults;
  happens: (fault: keyof NodeFaults) => boolean;
  random: Random;
  /** By method: the first head that the node named. */
  firstHeads: Map<string, unknown>;
}

/** The answers with the faults that happen to them. */
export function spoil(between: Spoiling, calls: Call[], text: string): string {
  const answers = JSON.parse(text) as Answer | Answer[];
  const spoilt = [answers].flat().map((each, index) => spoilOne(between, calls[index]!, each));
  return JSON.stringify(Array.isArray(answers) ? spoilt : spoilt[0]);
}

interface Answer {
  id: unknown;
  result?: unknown;
  error?: unknown;
}

function spoilOne(between: Spoiling, { method }: Call, given: Answer): Answer {
  const { faults, happens, firstHeads, random } = between;
  let { result } = given;
  if (result === undefined) return given;
  if (isHead(method)) {
    const first = firstHeads.get(method) ?? result;
    firstHeads.set(method, first);
    if (happens('oldHead')) result = first;
    return { ...given, result: lower(result, faults.lag) };
  }
  if (Array.isArray(result)) return { ...given, result: spoilList(between, method, result) };
  // What a transaction called is what nothing proves of its trace (docs/following.md): without it another one
  // is as right.
  const list = Object.entries(result ?? {}).find(
    ([name, value]) => name !== 'calls' && Array.isArray(value) && value.length > 0,
  );
  if (list && happens('empty'))
    return { ...given, result: { ...(result as object), [list[0]]: [], numFetched: '0' } };
  if (happens('flip')) return { ...given, result: changed(result, random, false) };
  if (happens('forge')) return { ...given, result: changed(result, random, true) };
  return given;
}

/** Traces, of which no hash says that a digit is another, or receipts. */
function spoilList({ happens, random }: Spoiling, method: string, list: unknown[]): unknown[] {
  if (list.length === 0) return list;
  if (happens('empty')) return [];
  if (method !== 'eth_getBlockReceipts' || !happens('flip')) return list;
  return list.map((each) => {
    const { logs, ...receipt } = each as Record<string, unknown> & { logs: object[] };
    return { ...receipt, logs: logs.map((log) => changed(log, random, false)) };
  });
}

const isHead = (method: string) => /^(platform|avm)\.getHeight$|^eth_blockNumber$/.test(method);

function lower(head: unknown, by: number): unknown {
  if (typeof head === 'string') return `0x${Math.max(0, Number(head) - by).toString(16)}`;
  return { height: String(Math.max(0, Number((head as { height: string }).height) - by)) };
}

/** The call for the height above, if it is one for a height. */
export function afterNext(call: Call): Call {
  if (call.method.endsWith('.getBlockByHeight')) {
    const params = call.params as { height: string };
    return { ...call, params: { ...params, height: String(Number(params.height) + 1) } };
  }
  if (!/^eth_get(Block|Header)ByNumber$|^debug_traceBlockByNumber$|^eth_getBlockReceipts$/.test(call.method))
    return call;
  const [height, ...rest] = call.params as [string, ...unknown[]];
  return { ...call, params: [`0x${(Number(height) + 1).toString(16)}`, ...rest] };
}

/** The result with another digit in its first long text of bytes. */
function changed(result: unknown, random: Random, withChecksum: boolean): unknown {
  if (typeof result !== 'object' || result === null) return result;
  const found = Object.entries(result).find(
    ([, value]) => typeof value === 'string' && /^0x[\da-f]{16,}$/.test(value),
  ) as [string, string] | undefined;
  if (!found) return result;
  const [name, hex] = found;
  const bytes = Buffer.from(hex.slice(2), 'hex');
  const hasChecksum = 'encoding' in result;
  const end = hasChecksum ? bytes.length - 4 : bytes.length;
  const at = random.below(end);
  bytes[at] = bytes[at]! ^ (1 << random.below(8));
  if (hasChecksum && withChecksum) {
    createHash('sha256').update(bytes.subarray(0, end)).digest().copy(bytes, end, 28);
  }
  return { ...result, [name]: `0x${bytes.toString('hex')}` };
}
