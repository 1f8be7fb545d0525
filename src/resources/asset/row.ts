import type { Network } from '../../avalanche/networks.js';

/** An asset as resolvers see it. */
export interface AssetNode {
  network: Network;
  assetId: string;
  name: string;
  symbol: string;
  denomination: number;
  type: 'secp256k1' | 'nft';
}
