import { callsOf } from '../avalanche/codec/recorded.js';
import type { RecordedNetwork } from './recorded-node.js';

/** A log as a node prints it, with the gas price of its transaction. */
export interface RecordedLog {
  address: string;
  topics: string[];
  data: string;
  blockNumber: string;
  transactionHash: string;
  receipt: Record<'gasUsed' | 'effectiveGasPrice', string>;
}

/** Every log of a recorded C-chain, in order. */
export function recordedLogs(network: RecordedNetwork): RecordedLog[] {
  return callsOf(network, 'c')
    .filter(({ method }) => method === 'eth_getBlockReceipts')
    .sort((a, b) => heightOf(a.args) - heightOf(b.args))
    .flatMap(({ result }) => result as unknown as (RecordedLog['receipt'] & { logs: RecordedLog[] })[])
    .flatMap(({ logs, ...receipt }) => logs.map((log) => ({ ...log, receipt })));
}

const heightOf = (args: unknown) => Number((args as [string])[0]);

/**
 * What a recorded node said of its last state, when a contract was called: by contract and call data; null
 * for a revert.
 */
export function recordedReads(network: RecordedNetwork, selector: string): Map<string, string | null> {
  const calls = callsOf(network, 'c-state', true).filter(({ method }) => method === 'eth_call');
  const last = calls.reduce((highest, { args }) => Math.max(highest, callOf(args).height), 0);
  return new Map(
    calls
      .map(({ args, result }) => ({ ...callOf(args), result: (result as unknown as string | null) ?? null }))
      .filter(({ data, height }) => data.startsWith(selector) && height === last)
      .map(({ to, data, result }) => [`${to} ${data.slice(selector.length)}`, result]),
  );
}

function callOf(args: unknown) {
  const [{ to, data }, height] = args as [{ to: string; data: string }, string];
  return { to: to.toLowerCase(), data, height: Number(height) };
}
