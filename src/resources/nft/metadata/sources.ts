import type { Config } from '../../../config.js';
import { createOutbound } from '../../../outbound/fetch.js';
import type { OutboundObserver } from '../../../outbound/observer.js';
import type { MetadataSources } from './read.js';

/**
 * Where metadata is read from, by the settings. A chain's RPC is the operator's, which is trusted, else the
 * one that came with the imported chain, which is guarded like any foreign address.
 *
 * @param importedRpcUrl the rpcUrl of a stored chain; null if there is none
 * @param observer observes fetches that are part of no job
 */
export function metadataSources(
  config: Pick<Config, 'RPC_URLS' | 'IPFS_GATEWAY' | 'ARWEAVE_GATEWAY' | 'FETCH_ALLOW_LOOPBACK'>,
  importedRpcUrl: (evmChainId: bigint) => Promise<string | null>,
  observer?: OutboundObserver,
): MetadataSources {
  return {
    outbound: createOutbound({ allowLoopback: config.FETCH_ALLOW_LOOPBACK, observer }),
    gateways: { ipfs: config.IPFS_GATEWAY, arweave: config.ARWEAVE_GATEWAY },
    rpcOf: async (evmChainId, chain) => {
      const set = config.RPC_URLS[evmChainId.toString()];
      if (set !== undefined) return { url: set, trusted: true };
      const url = chain ? chain.rpcUrl : await importedRpcUrl(evmChainId);
      return url === null ? null : { url, trusted: false };
    },
  };
}
