import { EVM_MAX, type EvmChainName } from '../../avalanche/evm.js';
import { blockchainIds, evmChainIds, networks } from '../../avalanche/networks.js';
import type { Config } from '../../config.js';
import type { Context } from '../../graphql/context.js';
import { chainLoader } from '../chain/loaders.js';

/** An EVM chain whose tokens can be read. */
export interface EvmChain {
  evmChainId: bigint;
  /** The JSON-RPC that came with the stored chain; null where there is none. */
  rpcUrl: string | null;
}

/**
 * The chain of an EVM id or blockchain id: one that is held, else one that the operator speaks of in RPC_URLS, else a
 * C-chain; null for any other.
 */
export async function loadEvmChain(context: Context, name: EvmChainName): Promise<EvmChain | null> {
  const held = await chainLoader(context).load(name);
  if (held) return { evmChainId: BigInt(held.chainId), rpcUrl: held.rpcUrl || null };
  const id = knownId(name, context.config);
  return id === null ? null : { evmChainId: BigInt(id), rpcUrl: null };
}

/** An EVM id as it stands, for tokens of chains that are not held may be; null for one that nothing can be held of. */
export async function toEvmChainId(name: EvmChainName, context: Context): Promise<bigint | null> {
  if ('blockchainId' in name) return (await loadEvmChain(context, name))?.evmChainId ?? null;
  const id = BigInt(name.evmChainId);
  return id <= EVM_MAX ? id : null;
}

function knownId(name: EvmChainName, { RPC_URLS }: Pick<Config, 'RPC_URLS'>): string | null {
  if ('evmChainId' in name && name.evmChainId in RPC_URLS) return name.evmChainId;
  const network = networks.find((each) =>
    'evmChainId' in name
      ? name.evmChainId === String(evmChainIds[each])
      : name.blockchainId === blockchainIds[each].c,
  );
  return network ? String(evmChainIds[network]) : null;
}
