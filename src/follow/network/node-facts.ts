import { decodePBlock } from '../../avalanche/codec/block.js';
import type { Genesis } from '../../avalanche/codec/types.js';
import { publicIdentities } from '../../avalanche/identity.js';
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
  // First, so that nodes of other networks are known when the others are asked for.
  const { value: first } = await platform.blockByHeight(0n, { ...options, read: blockReader(decodePBlock) });
  const [networkId, xChainId, cChainId, avaxAssetId, cEvmChainId] = await Promise.all([
    info.networkId(options),
    info.blockchainId('X', options),
    info.blockchainId('C', options),
    platform.stakingAssetId(options),
    evm.chainId(options),
  ]);
  const { parent: genesis } = first;
  return { networkId: BigInt(networkId), xChainId, cChainId, avaxAssetId, cEvmChainId, genesis };
}

/** The same as far as a genesis file says it, whose hash the node's first block has. */
export const provedFacts = (
  facts: NodeFacts,
  { networkId, xChainId, cChainId, avaxAssetId }: Genesis,
): NodeFacts => ({ ...facts, networkId: BigInt(networkId), xChainId, cChainId, avaxAssetId });

/** When forks take effect, Unix seconds; infinite for one that is not scheduled. */
export interface ForkTimes {
  readonly apricotPhase1Time: number;
  readonly apricotPhase5Time: number;
  readonly cortinaTime: number;
  readonly durangoTime: number;
  readonly etnaTime: number;
  readonly heliconTime: number;
}

type PastForkTimes = Omit<ForkTimes, 'heliconTime'>;

/** By network id: what the programs of public networks fix (avalanchego upgrade/upgrade.go). */
const publicForkTimes: ReadonlyMap<bigint, PastForkTimes> = new Map([
  [
    publicIdentities.mainnet.networkId,
    {
      apricotPhase1Time: Date.UTC(2021, 2, 31, 14) / 1000,
      apricotPhase5Time: Date.UTC(2021, 11, 2, 18) / 1000,
      cortinaTime: Date.UTC(2023, 3, 25, 15) / 1000,
      durangoTime: Date.UTC(2024, 2, 6, 16) / 1000,
      etnaTime: Date.UTC(2024, 11, 16, 17) / 1000,
    },
  ],
  [
    publicIdentities.fuji.networkId,
    {
      apricotPhase1Time: Date.UTC(2021, 2, 26, 14) / 1000,
      apricotPhase5Time: Date.UTC(2021, 10, 24, 15) / 1000,
      cortinaTime: Date.UTC(2023, 3, 6, 15) / 1000,
      durangoTime: Date.UTC(2024, 1, 13, 16) / 1000,
      etnaTime: Date.UTC(2024, 10, 25, 16) / 1000,
    },
  ],
]);

/** Those of a public network are known; of another one a node says them. @throws NodeError */
export async function readForkTimes({ info }: Nodes, signal: AbortSignal): Promise<ForkTimes> {
  const [networkId, upgrades] = await Promise.all([info.networkId({ signal }), info.upgrades({ signal })]);
  const time = (name: keyof ForkTimes) => upgrades[name] ?? Infinity;
  return {
    heliconTime: time('heliconTime'),
    ...(publicForkTimes.get(BigInt(networkId)) ?? pastTimes(time)),
  };
}

function pastTimes(time: (name: keyof ForkTimes) => number): PastForkTimes {
  return {
    apricotPhase1Time: time('apricotPhase1Time'),
    apricotPhase5Time: time('apricotPhase5Time'),
    cortinaTime: time('cortinaTime'),
    durangoTime: time('durangoTime'),
    etnaTime: time('etnaTime'),
  };
}
