import { encodeCb58 } from '../../avalanche/cb58.js';
import { statement } from '../../storage/statement.js';
import type { Reader } from '../../storage/reader.js';
import { unlessCallRefused } from '../node/error.js';
import type { EvmNodes } from '../node/nodes.js';
import type { EvmChain } from './chain.js';

/** The warp precompile of avalanchego's EVMs, and its `getBlockchainID()`, which messengers call too. */
const WARP = '0x0200000000000000000000000000000000000005';
const GET_BLOCKCHAIN_ID = '0x4213cf78';

/**
 * The blockchain id that a chain's node says it has, CB58; null of a chain without interchain messages. No
 * hash proves it by itself: the ids of messages do, and a CreateChainTx.
 *
 * @throws NodeError
 */
export async function blockchainIdOfNode(
  { evm }: Pick<EvmNodes, 'evm'>,
  { blockchainId }: Pick<EvmChain, 'blockchainId'>,
  signal: AbortSignal,
): Promise<string | null> {
  if (blockchainId !== null) return blockchainId;
  const call = evm.call('eth_call', [{ to: WARP, data: GET_BLOCKCHAIN_ID }, 'latest'], { signal });
  const said = await unlessCallRefused(call, null);
  // A chain without the precompile has no code there, and answers nothing.
  if (typeof said !== 'string' || !/^0x[0-9a-f]{64}$/i.test(said)) return null;
  return encodeCb58(Buffer.from(said.slice(2), 'hex'));
}

const madeStatement = statement(
  'followed_chain_made',
  `SELECT tx_hash AS "txHash" FROM transaction
   WHERE network = $1::network AND chain = 'p' AND tx_type = 'CreateChainTx'
     AND details->'blockchainInfo'->'genesisData'->'config'->>'chainId' = $2 AND ($3::text IS NULL OR tx_hash = $3) LIMIT 2`,
);

/**
 * The transaction that made a chain, CB58, among those that are stored and have a genesis with its EVM chain
 * id: the one that its node names, or the only one. Anybody may make another chain with the same EVM chain
 * id.
 */
export async function madeBy(
  { network, evmChainId }: EvmChain,
  said: string | null,
  reader: Pick<Reader, 'read'>,
): Promise<string | null> {
  const made = await reader.read<{ txHash: string }>(madeStatement, [network, String(evmChainId), said]);
  return made.length === 1 ? made[0]!.txHash : null;
}

const otherStatement = statement(
  'message_chains',
  `SELECT blockchain_id AS "blockchainId", evm_chain_id::text AS "evmChainId", false AS "isMade" FROM chain
   WHERE blockchain_id = ANY($2)
   UNION ALL
   SELECT tx_hash, details->'blockchainInfo'->'genesisData'->'config'->>'chainId', true FROM transaction
   WHERE network = $1::network AND chain = 'p' AND tx_type = 'CreateChainTx' AND tx_hash = ANY($2)`,
);

interface OtherChain {
  readonly blockchainId: string;
  readonly evmChainId: string | null;
  readonly isMade: boolean;
}

/** EVM chain ids by blockchain id, of those that the P-chain's transactions or the list of chains say. */
export async function evmChainIdsOf(
  network: EvmChain['network'],
  ids: readonly string[],
  reader: Pick<Reader, 'read'>,
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const found = await reader.read<OtherChain>(otherStatement, [network, ids]);
  // The creator of a chain may have written anything into its genesis. A valid id of it counts more than that
  // of a file.
  const valid = found.filter(({ evmChainId }) => /^[1-9]\d{0,18}$/.test(evmChainId ?? ''));
  const inOrder = valid.sort((one, other) => Number(one.isMade) - Number(other.isMade));
  return new Map(inOrder.map(({ blockchainId, evmChainId }) => [blockchainId, String(evmChainId)]));
}

const unnamedStatement = statement(
  'message_chains_unnamed',
  `SELECT blockchain_id AS "blockchainId" FROM icm_chain WHERE network = $1::network AND evm_chain_id = 0`,
);

/** The chains of stored messages whose EVM chain id is not known. */
export async function unnamedChains(
  network: EvmChain['network'],
  reader: Pick<Reader, 'read'>,
): Promise<string[]> {
  const rows = await reader.read<{ blockchainId: string }>(unnamedStatement, [network]);
  return rows.map(({ blockchainId }) => blockchainId);
}
