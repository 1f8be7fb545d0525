import type { EvmChainName } from '../../avalanche/evm.js';
import { blockchainIds, evmChainIds, networks } from '../../avalanche/networks.js';
import type { Config } from '../../config.js';

/** An EVM chain whose tokens can be asked about. */
export interface EvmChain {
  evmChainId: bigint;
  /** The JSON-RPC that came with the imported chain. */
  rpcUrl: string | null;
}

/** The chain of an EVM id or blockchain id: a C-chain, or one that RPC_URLS names; null for any other. */
export function findChain(config: Pick<Config, 'RPC_URLS'>, name: EvmChainName): Promise<EvmChain | null> {
  const cChain = networks.find((network) =>
    'blockchainId' in name
      ? name.blockchainId === blockchainIds[network].c
      : name.evmChainId === String(evmChainIds[network]),
  );
  const id = cChain
    ? String(evmChainIds[cChain])
    : 'evmChainId' in name && name.evmChainId in config.RPC_URLS
      ? name.evmChainId
      : null;
  return Promise.resolve(id === null ? null : { evmChainId: BigInt(id), rpcUrl: null });
}
