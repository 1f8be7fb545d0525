import { decodePBlock } from '../../avalanche/codec/block.js';
import type { Nodes } from '../node/nodes.js';
import { blockReader } from '../node/proof.js';

/** What a node says of its network. Ids are CB58. */
export interface NodeFacts {
  readonly networkId: bigint;
  readonly xChainId: string;
  readonly cChainId: string;
  readonly avaxAssetId: string;
  readonly cEvmChainId: bigint;
  /** The hash of the genesis bytes: the parent of block 0 of the P-chain. */
  readonly genesis: string;
}

/** @throws NodeError */
export async function readNodeFacts({ info, platform, evm }: Nodes, signal: AbortSignal): Promise<NodeFacts> {
  const options = { signal };
  const [networkId, xChainId, cChainId, avaxAssetId, cEvmChainId, { value: first }] = await Promise.all([
    info.networkId(options),
    info.blockchainId('X', options),
    info.blockchainId('C', options),
    platform.stakingAssetId(options),
    evm.chainId(options),
    platform.blockByHeight(0n, { ...options, read: blockReader(decodePBlock) }),
  ]);
  const { parent: genesis } = first;
  return { networkId: BigInt(networkId), xChainId, cChainId, avaxAssetId, cEvmChainId, genesis };
}

/** When forks take effect, Unix seconds; infinite for one that is not scheduled. */
export interface ForkTimes {
  readonly apricotPhase1Time: number;
  readonly apricotPhase5Time: number;
  readonly cortinaTime: number;
  readonly durangoTime: number;
  readonly etnaTime: number;
  readonly heliconTime: number;
}

/** @throws NodeError */
export async function readForkTimes({ info }: Nodes, signal: AbortSignal): Promise<ForkTimes> {
  const upgrades = await info.upgrades({ signal });
  const time = (name: keyof ForkTimes) => upgrades[name] ?? Infinity;
  return {
    apricotPhase1Time: time('apricotPhase1Time'),
    apricotPhase5Time: time('apricotPhase5Time'),
    cortinaTime: time('cortinaTime'),
    durangoTime: time('durangoTime'),
    etnaTime: time('etnaTime'),
    heliconTime: time('heliconTime'),
  };
}
