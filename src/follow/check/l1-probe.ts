import type { EvmStream } from '../../config/follow-settings.js';
import { allStreams, type ChosenStreams } from './chosen-streams.js';
import { evmLines, type EvmLine, type OpenCost } from './evm-lines.js';
import { blockchainIdOfNode } from '../evm/blockchain-id.js';
import { NodeError } from '../node/error.js';
import type { EvmNodes } from '../node/nodes.js';

const labels: Readonly<Record<EvmStream, string>> = {
  internals: 'internal transactions',
  nfts: 'NFTs',
  messages: 'messages',
  balances: 'balances by day',
};

/**
 * What an address of an EVM chain can fill, as `follow --check` prints it. Nothing is written.
 *
 * @param nodes a client of this address alone
 * @param openCost as `evmLines`
 * @throws the signal's reason
 */
export async function probeL1(
  nodes: EvmNodes,
  signal: AbortSignal,
  chosen: ChosenStreams = allStreams,
  openCost: OpenCost | null = null,
): Promise<string> {
  const options = { signal, patienceMs: 0 };
  try {
    const evmChainId = await nodes.evm.chainId(options);
    const head = await nodes.evm.height(options);
    const all = await evmLines(nodes, `chain ${evmChainId}`, chosen, options, openCost);
    const { only } = chosen;
    const lines = all.filter(({ stream }) => only.length === 0 || only.includes(stream));
    const genesis = await genesisOf(lines, nodes, signal);
    const width = Math.max(...Object.values(labels).map(({ length }) => length));
    return [
      `${nodes.endpoints()[0]!.name} has the EVM chain ${evmChainId}, at ${head.toLocaleString('en')}`,
      ...lines.map(({ stream, filled, hint }) => {
        const more = stream === 'balances' && genesis !== null ? `; ${genesis}` : '';
        const text = `  ${labels[stream].padEnd(width)}  ${filled}${more}`;
        return hint === null ? text : `${text}\n  ${' '.repeat(width)}  → ${hint}`;
      }),
      '',
    ].join('\n');
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    return `${error.message}\n`;
  }
}

/**
 * What is not known of the accounts of its genesis, where balances would begin with them; null for nothing.
 */
async function genesisOf(
  lines: readonly EvmLine[],
  nodes: EvmNodes,
  signal: AbortSignal,
): Promise<string | null> {
  if (lines.find(({ stream }) => stream === 'balances')?.begins !== 0n) return null;
  const id = await blockchainIdOfNode(nodes, { blockchainId: null }, signal);
  return id === null
    ? 'genesis accounts without activity only if a stored P-chain transaction created the chain'
    : null;
}
