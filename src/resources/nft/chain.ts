import type { EvmChainName } from '../../avalanche/evm.js';
import { blockchainIds, evmChainIds, networks } from '../../avalanche/networks.js';
import type { Config } from '../../config.js';
import type { Storage } from '../../storage/open.js';
import { toChainNode } from '../chain/row.js';
import { findChains } from '../chain/store.js';

/** An EVM chain whose tokens can be read. */
export interface EvmChain {
  evmChainId: bigint;
  /** The JSON-RPC that came with the stored chain; null where there is none. */
  rpcUrl: string | null;
}

export interface ChainSources {
  storage: Storage;
  config: Pick<Config, 'RPC_URLS'>;
}

/**
 * The chain of an EVM id or blockchain id: one that is held, else one that the operator speaks of in RPC_URLS, else a
 * C-chain; null for any other.
 */
export async function findChain(
  { storage, config }: ChainSources,
  name: EvmChainName,
): Promise<EvmChain | null> {
  const [row] = await findChains(storage, [name]);
  if (row) {
    const { chainId, rpcUrl } = toChainNode(row);
    return { evmChainId: BigInt(chainId), rpcUrl: rpcUrl || null };
  }
  const id = knownId(name, config);
  return id === null ? null : { evmChainId: BigInt(id), rpcUrl: null };
}

function knownId(name: EvmChainName, { RPC_URLS }: ChainSources['config']): string | null {
  if ('evmChainId' in name && name.evmChainId in RPC_URLS) return name.evmChainId;
  const network = networks.find((each) =>
    'evmChainId' in name
      ? name.evmChainId === String(evmChainIds[each])
      : name.blockchainId === blockchainIds[each].c,
  );
  return network ? String(evmChainIds[network]) : null;
}
