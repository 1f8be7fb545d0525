import { chainRows } from '../../resources/chain/import.js';
import type { NetworkTokenNode } from '../../resources/chain/columns.js';
import type { Network } from '../../avalanche/networks.js';
import { decodePTransaction } from '../../avalanche/codec/p-transaction.js';
import { LONGEST_TEXT } from '../../rows/bounds.js';
import { cutText } from '../../rows/cut.js';
import { statement } from '../../storage/statement.js';
import type { Reader } from '../../storage/reader.js';
import type { PlatformApi, CallOptions } from '../node/apis.js';
import { unlessFailed } from '../node/error.js';
import type { EvmNodes } from '../node/nodes.js';
import type { KindRows } from '../pipeline.js';
import { evmChainIdOfGenesis } from './evm-genesis.js';
import { transactionReader } from '../node/proof.js';
import { blockchainIdOfNode, madeBy } from './blockchain-id.js';
import type { HeaderOf } from './proved-head.js';

/** An EVM chain that is followed. */
export interface EvmChain {
  readonly network: Network;
  readonly evmChainId: bigint;
  readonly headerOf: HeaderOf;
  /** CB58: the id of the transaction that made the C-chain; null: the chain's own nodes are asked. */
  readonly blockchainId: string | null;
}

export interface ChainDeps {
  readonly nodes: Pick<EvmNodes, 'evm'>;
  readonly chain: EvmChain;
  /** Gives the transaction that made the chain. */
  readonly platform: Pick<PlatformApi, 'transaction'>;
}

interface Stored {
  blockchainId: string | null;
  status: string;
  chainName: string;
  vmName: string;
  rpcUrl: string;
  isTestnet: boolean;
  networkToken: NetworkTokenNode;
}

const chainStatement = statement(
  'followed_chain',
  `SELECT blockchain_id AS "blockchainId", status, chain_name AS "chainName", vm_name AS "vmName", rpc_url AS "rpcUrl",
     is_testnet AS "isTestnet", network_token AS "networkToken"
   FROM chain WHERE evm_chain_id = $1::bigint`,
);

/** Nodes assume that the coin has this many decimals. */
const DECIMALS = 18;
const avax = { name: 'Avalanche', symbol: 'AVAX', decimals: DECIMALS };
/** Nodes do not name the coin of a chain; an empty text is unknown, and a file may say it. */
const unnamed = { name: '', symbol: '', decimals: DECIMALS };

/**
 * The chain as a row for `chains`, from the transaction that made it, as far as that is known. None if its id
 * is stored, or it is stored and its id is not known yet: files know more of it, and what they said stays. A
 * node's own address is no part of it.
 *
 * @throws NodeError
 */
export async function chainRowsOf(
  { nodes, chain, platform }: ChainDeps,
  reader: Pick<Reader, 'read'>,
  signal: AbortSignal,
): Promise<KindRows[]> {
  const { network, evmChainId, headerOf } = chain;
  const [stored] = await reader.read<Stored>(chainStatement, [String(evmChainId)]);
  if (stored && (stored.blockchainId !== null || headerOf === 'c-chain')) return [];
  const said = await blockchainIdOfNode(nodes, chain, signal);
  const known = headerOf === 'c-chain' ? said : await madeBy(chain, said, reader);
  const made =
    known === null
      ? await creationByNode(said, { chain, platform }, signal)
      : await madeIn(known, platform, { signal });
  if (stored && made === null) return [];
  // Whoever made the chain named it.
  const chainName = made === null ? '' : cutText(made.chainName, LONGEST_TEXT);
  const row = {
    chainId: String(evmChainId),
    status: 'OK',
    chainName: '',
    vmName: 'EVM',
    rpcUrl: '',
    isTestnet: network !== 'mainnet',
    networkToken: headerOf === 'c-chain' ? avax : unnamed,
    ...(made && { chainName, vmId: made.vmId, subnetId: made.subnetId }),
    ...stored,
    // An empty name of a row that the follower wrote before is unknown.
    ...(made && stored?.chainName === '' && { chainName }),
    ...(made && { platformChainId: made.id, blockchainId: made.id }),
  };
  return [{ kind: chainRows, scope: {}, rows: [row] }];
}

/**
 * The blockchain id that messages use for the chain, CB58: from its node, or else the stored one. Null if
 * neither is known.
 *
 * @throws NodeError
 */
export async function messengerIdOf(
  { nodes, chain }: Pick<ChainDeps, 'nodes' | 'chain'>,
  reader: Pick<Reader, 'read'>,
  signal: AbortSignal,
): Promise<string | null> {
  const said = await blockchainIdOfNode(nodes, chain, signal);
  if (said !== null) return said;
  const [stored] = await reader.read<Stored>(chainStatement, [String(chain.evmChainId)]);
  return stored?.blockchainId ?? madeBy(chain, null, reader);
}

/**
 * Most milliseconds to ask a node of the primary network about the chain of an L1, which can be followed
 * without the answer.
 */
const PATIENCE_MS = 2000;

/**
 * The transaction that made a chain according to its own node, if a node of the primary network has it and
 * its genesis has the EVM chain id: the stored P-chain may not have it yet, and a chain without new blocks
 * has no later batch that would name it.
 *
 * @param said what its node says, CB58
 * @returns null if that is not so, or no node answers
 */
async function creationByNode(
  said: string | null,
  { chain, platform }: Pick<ChainDeps, 'chain' | 'platform'>,
  signal: AbortSignal,
) {
  if (said === null) return null;
  const made = await unlessFailed(madeIn(said, platform, { signal, patienceMs: PATIENCE_MS }), () => null);
  signal.throwIfAborted();
  return made && evmChainIdOfGenesis(made.genesis) === String(chain.evmChainId) ? made : null;
}

/** The transaction of an id; null for one that makes no chain. @throws NodeError */
export async function madeIn(id: string, platform: Pick<PlatformApi, 'transaction'>, options: CallOptions) {
  const made = await platform.transaction(id, {
    ...options,
    read: transactionReader(id, decodePTransaction),
  });
  return made.type === 'CreateChainTx' ? made : null;
}
