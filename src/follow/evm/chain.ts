import { chainRows } from '../../resources/chain/import.js';
import type { Network } from '../../avalanche/networks.js';
import { decodePTransaction } from '../../avalanche/codec/p-transaction.js';
import { statement } from '../../storage/statement.js';
import type { Reader } from '../../storage/reader.js';
import type { Nodes } from '../node/nodes.js';
import type { KindRows } from '../pipeline.js';
import { accountsOfGenesis } from '../primary/evm-genesis.js';
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
  const made = await madeBy(blockchainId, nodes, signal);
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

/**
 * The addresses to which the chain's genesis allots coins, 0x and 40 digits in lower case.
 *
 * @throws NodeError; Error for a genesis that is not an EVM chain's
 */
export async function genesisAccounts(
  { blockchainId }: Pick<EvmChain, 'blockchainId'>,
  nodes: Pick<Nodes, 'platform'>,
  signal: AbortSignal,
): Promise<string[]> {
  const { genesis } = await madeBy(blockchainId, nodes, signal);
  const accounts = accountsOfGenesis(genesis);
  if (accounts === null) throw new Error(`the genesis of ${blockchainId} is not that of an EVM chain`);
  return accounts;
}

/** The transaction that made a chain. @throws NodeError */
async function madeBy(blockchainId: string, { platform }: Pick<Nodes, 'platform'>, signal: AbortSignal) {
  const made = await transactionById(blockchainId, decodePTransaction, (prove) =>
    platform.transaction(blockchainId, { signal, prove }),
  );
  if (made.type !== 'CreateChainTx') throw new Error(`${blockchainId} did not make a chain`);
  return made;
}
