import { parseJson } from '../../json.js';

/** A chain as the database hands it out. */
export interface ChainRow {
  /** Row id, the position that page tokens carry; a decimal text. */
  id: string;
  /** The reply's JSON of the chain. */
  text: string;
  blockchainId: string | null;
}

export interface NetworkTokenNode {
  name: string;
  symbol: string;
  decimals: number;
  logoUri?: string;
  description?: string;
}

export const chainStatuses = ['OK', 'UNAVAILABLE'] as const;
export const vmNames = ['EVM', 'BITCOIN', 'ETHEREUM'] as const;
export const chainFeatures = ['nftIndexing', 'webhooks', 'teleporter'] as const;

export type ChainStatus = (typeof chainStatuses)[number];
export type VmName = (typeof vmNames)[number];
export type ChainFeature = (typeof chainFeatures)[number];

/** A chain as resolvers see it: the row's JSON. */
export interface ChainNode {
  /** The row's JSON text, for REST. */
  text: string;
  /** The EVM id, decimal. */
  chainId: string;
  blockchainId: string | null;
  status: ChainStatus;
  chainName: string;
  description: string;
  platformChainId?: string;
  subnetId?: string;
  vmId?: string;
  vmName: VmName;
  explorerUrl?: string;
  rpcUrl: string;
  wsUrl?: string;
  isTestnet: boolean;
  networkToken: NetworkTokenNode;
  chainLogoUri?: string;
  private?: boolean;
  enabledFeatures?: ChainFeature[];
}

export function toChainNode({ text, blockchainId }: ChainRow): ChainNode {
  const node = parseJson(text) as ChainNode;
  node.text = text;
  node.blockchainId = blockchainId;
  return node;
}
