import type { Alteration } from './recorded-c-chain.js';

/** What a node says whose tracer gives up on these transactions: alone, and in their block. */
export const refusing =
  (hashes: () => readonly string[]): Alteration =>
  ({ method, params }, { result }) => {
    if (method === 'debug_traceTransaction')
      return hashes().includes((params as [string])[0])
        ? { error: { code: -32000, message: 'execution timeout' } }
        : null;
    if (method !== 'debug_traceBlockByNumber') return null;
    const traces = (result ?? []) as { txHash: string }[];
    if (!traces.some(({ txHash }) => hashes().includes(txHash))) return null;
    return {
      result: traces.map((each) =>
        hashes().includes(each.txHash) ? { txHash: each.txHash, error: 'execution timeout' } : each,
      ),
    };
  };
