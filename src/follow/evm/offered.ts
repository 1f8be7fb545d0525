import type { EvmStream } from '../../config/follow-settings.js';
import type { EvmNodes } from '../node/nodes.js';
import { canTrace, givesBalances, givesReceipts } from './beginning.js';

/** Why streams of an EVM chain cannot be followed, for people: those that no endpoint offers what they need. @throws NodeError */
export async function notOffered(
  nodes: EvmNodes,
  chain: string,
  signal: AbortSignal,
): Promise<ReadonlyMap<EvmStream, string>> {
  const lacking = new Map<EvmStream, string>();
  const head = await nodes.evm.height({ signal });
  const traces = await canTrace(nodes, signal);
  if (!traces)
    lacking.set(
      'internals',
      `no node offers traces (debug-tracer): internal transactions of ${chain} are not stored`,
    );
  if (!(await givesReceipts(nodes, signal)))
    lacking.set('logs', `no node offers eth_getBlockReceipts: NFTs and messages of ${chain} are not stored`);
  if (!traces || !(await givesBalances(nodes, head, { signal })))
    lacking.set('balances', `no node offers traces and eth_getBalance: balances of ${chain} are not stored`);
  return lacking;
}
