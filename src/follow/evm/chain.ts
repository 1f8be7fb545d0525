import { chainRows } from '../../resources/chain/import.js';
import type { Network } from '../../avalanche/networks.js';
import { decodePTransaction } from '../../avalanche/codec/p-transaction.js';
import { statement } from '../../storage/statement.js';
import type { Reader } from '../../storage/reader.js';
import type { Nodes } from '../node/nodes.js';
import type { KindRows } from '../pipeline.js';
import { transactionById } from '../primary/proof.js';

/** An EVM chain that is followed. */
export interface EvmChain {
  readonly network: Network;
  readonly evmChainId: bigint;
  /** CB58: the id of the transaction that made it. */
  readonly blockchainId: string;
}

const chainStatement = statement(
  'followed_chain',
  'SELECT 1 AS held FROM chain WHERE evm_chain_id = $1::bigint',
);

/** Nodes take so many decimals of the coin for granted. */
const DECIMALS = 18;
const avax = { name: 'Avalanche', symbol: 'AVAX', decimals: DECIMALS };

/**
 * The chain as a row for `chains`, from the transaction that made it; none if the chain is stored already: files know more
 * of it. A node's own address is no part of it.
 *
 * @throws NodeError
 */
export async function chainRowsOf(
  { network, evmChainId, blockchainId }: EvmChain,
  reader: Pick<Reader, 'read'>,
  nodes: Pick<Nodes, 'platform'>,
  signal: AbortSignal,
): Promise<KindRows[]> {
  const [held] = await reader.read(chainStatement, [String(evmChainId)]);
  if (held) return [];
  const made = await transactionById(blockchainId, decodePTransaction, (prove) =>
    nodes.platform.transaction(blockchainId, { signal, prove }),
  );
  if (made.type !== 'CreateChainTx') throw new Error(`${blockchainId} did not make a chain`);
  const row = {
    ...{
      chainId: String(evmChainId),
      status: 'OK',
      chainName: made.chainName,
      vmId: made.vmId,
      vmName: 'EVM',
    },
    ...{ platformChainId: blockchainId, subnetId: made.subnetId },
    ...{ rpcUrl: '', isTestnet: network !== 'mainnet', networkToken: avax },
  };
  return [{ kind: chainRows, scope: {}, rows: [row] }];
}
