import { blockchainIdSaid } from './evm/blockchain-id.js';
import { balancesBeginning, internalsBeginning, logsBeginning } from './evm/beginning.js';
import { notOffered } from './evm/offered.js';
import type { Terms } from './node/apis.js';
import { NodeError } from './node/error.js';
import type { EvmNodes } from './node/nodes.js';

/**
 * What an address of an EVM chain can fill, as `follow --check` prints it. Nothing is written.
 *
 * @param nodes a client of this address alone
 * @throws the signal's reason
 */
export async function probeL1(nodes: EvmNodes, signal: AbortSignal): Promise<string> {
  const terms = { signal, patienceMs: 0 };
  try {
    const evmChainId = await nodes.evm.chainId(terms);
    const head = await nodes.evm.height(terms);
    const lacking = await notOffered(nodes, `chain ${evmChainId}`, signal);
    const lines = [
      ['internal transactions', lacking.get('internals') ?? (await tracesFrom(nodes, head, terms))],
      ['NFTs, messages', lacking.get('logs') ?? from(logsBeginning(head), head)],
      ['balances by day', lacking.get('balances') ?? (await balancesFrom(nodes, head, signal))],
    ];
    return [
      `${nodes.endpoints()[0]!.name} has the EVM chain ${evmChainId}, at ${head.toLocaleString('en')}`,
      ...lines.map(([what = '', filled]) => `  ${what.padEnd(21)}  ${filled}`),
      '',
    ].join('\n');
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    return `${error.message}\n`;
  }
}

async function tracesFrom(nodes: EvmNodes, head: bigint, terms: Terms): Promise<string> {
  const beginning = await internalsBeginning(nodes, head, terms);
  const past = 'it keeps no state of the past, or the chain is too long; earlier with --from';
  return beginning === 'now' ? `${from(beginning, head)}: ${past}` : from(beginning, head);
}

async function balancesFrom(nodes: EvmNodes, head: bigint, signal: AbortSignal): Promise<string> {
  const beginning = await balancesBeginning(nodes, head, { signal, patienceMs: 0 });
  if (beginning === 'now')
    return `${from(beginning, head)}: of addresses that something happens to since; earlier with --from`;
  const id = await blockchainIdSaid(nodes, { blockchainId: null }, signal);
  const genesis =
    'accounts of the genesis that nothing happens to only if a stored transaction of the P-chain made the chain';
  return id === null ? `${from(beginning, head)}; ${genesis}` : from(beginning, head);
}

const from = (beginning: bigint | 'now', head: bigint): string =>
  beginning === 'now' ? `from block ${head + 1n}, the next one` : 'from genesis';
