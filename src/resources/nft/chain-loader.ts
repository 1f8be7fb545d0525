import { EVM_MAX, type EvmChainName } from '../../avalanche/evm.js';
import { identityOf } from '../../avalanche/identity.js';
import { networks } from '../../avalanche/networks.js';
import type { Config } from '../../config.js';
import type { Context } from '../../graphql/context.js';
import { loadRow } from '../../graphql/row-loader.js';
import { findChains } from '../chain/list.js';
import type { EvmChain } from './key.js';

/**
 * The chain of an EVM id or blockchain id: a stored one, else one that the operator names in RPC_URLS, else a
 * C-chain; null for any other.
 */
export async function loadEvmChain(context: Context, name: EvmChainName): Promise<EvmChain | null> {
  const stored = await loadRow(context, findChains, name);
  if (stored) return { evmChainId: BigInt(stored.chainId), rpcUrl: stored.rpcUrl || null };
  const id = knownId(name, context.config);
  return id === null ? null : { evmChainId: BigInt(id), rpcUrl: null };
}

/**
 * The EVM id itself, because tokens may be stored without their chain; null for an id that cannot be stored.
 */
export async function toEvmChainId(name: EvmChainName, context: Context): Promise<bigint | null> {
  if ('blockchainId' in name) return (await loadEvmChain(context, name))?.evmChainId ?? null;
  const id = BigInt(name.evmChainId);
  return id <= EVM_MAX ? id : null;
}

function knownId(name: EvmChainName, { RPC_URLS }: Pick<Config, 'RPC_URLS'>): string | null {
  if ('evmChainId' in name && name.evmChainId in RPC_URLS) return name.evmChainId;
  const known = networks
    .map(identityOf)
    .find(({ evmChainId, blockchainIds: { c } }) =>
      'evmChainId' in name ? name.evmChainId === String(evmChainId) : name.blockchainId === c,
    );
  return known ? String(known.evmChainId) : null;
}
