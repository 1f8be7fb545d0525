import { blockchainIds, evmChainIds, type Network } from '../src/avalanche/networks.js';
import type { ChainLine } from '../src/resources/chain/import.js';
import type { L1 } from './l1s.js';

const PRIMARY_SUBNET = blockchainIds.fuji.p;
/** The virtual machine ids of the C-chain and of Subnet-EVM, the same on every network. */
const CORETH = 'mgj786NP7uDwBCcq6YwThhaN8FLyybkCa4zBWTQbNgmK6k9A6';
export const SUBNET_EVM = 'srEXiWaHuhNyGwPUi444Tu47ZEDwxTWrbQiuD7FmgSAQ6X7Dy';

/**
 * The EVM chains of the sample: both C-chains and its own L1s. The names of their nodes end in .example,
 * which no name server knows (RFC 2606), so that the sample never contacts a foreign host.
 */
export function* makeChains(l1s: readonly L1[]): Iterable<ChainLine> {
  yield cChain('fuji', {
    chainName: 'Avalanche C-Chain (Fuji)',
    description: 'The contract chain of the Fuji test network.',
    rpcUrl: 'https://c-chain-fuji.example/rpc',
    wsUrl: 'wss://c-chain-fuji.example/ws',
    explorerUrl: 'https://subnets-test.avax.network/c-chain',
    isTestnet: true,
  });
  yield cChain('mainnet', {
    chainName: 'Avalanche C-Chain',
    description: 'The contract chain of the primary network.',
    rpcUrl: 'https://c-chain.example/rpc',
    wsUrl: 'wss://c-chain.example/ws',
    explorerUrl: 'https://subnets.avax.network/c-chain',
    isTestnet: false,
  });
  for (const [index, l1] of l1s.entries()) yield l1Chain(l1, index);
}

type Named = Pick<ChainLine, 'chainName' | 'description' | 'rpcUrl' | 'wsUrl' | 'explorerUrl' | 'isTestnet'>;

function cChain(network: Network, fields: Named): ChainLine {
  return {
    chainId: evmChainIds[network].toString(),
    blockchainId: blockchainIds[network].c,
    platformChainId: blockchainIds[network].c,
    subnetId: PRIMARY_SUBNET,
    vmId: CORETH,
    vmName: 'EVM',
    isEvm: true,
    isActive: true,
    private: false,
    networkToken: {
      name: 'Avalanche',
      symbol: 'AVAX',
      decimals: 18,
      logoUri: 'https://avax.example/avax.svg',
    },
    chainLogoUri: 'https://avax.example/c-chain.svg',
    enabledFeatures: ['nftIndexing', 'webhooks', 'teleporter'],
    ...fields,
  };
}

function l1Chain(l1: L1, index: number): ChainLine {
  const host = `${l1.chainName.toLowerCase().replace(' ', '-')}.example`;
  return {
    chainId: l1.evmChainId.toString(),
    blockchainId: l1.blockchainId,
    platformChainId: l1.blockchainId,
    subnetId: l1.subnetId,
    vmId: SUBNET_EVM,
    vmName: 'EVM',
    chainName: l1.chainName,
    description: l1.description,
    isTestnet: true,
    isEvm: true,
    // One chain whose nodes do not answer: `status` UNAVAILABLE.
    isActive: index !== 2,
    private: index === 1,
    networkToken: { ...l1.token, decimals: 18, logoUri: `https://${host}/token.svg` },
    rpcUrl: `https://${host}/rpc`,
    wsUrl: `wss://${host}/ws`,
    explorerUrl: `https://explorer.${host}`,
    chainLogoUri: `https://${host}/logo.svg`,
    enabledFeatures: index === 0 ? ['teleporter', 'webhooks'] : ['teleporter'],
  };
}
