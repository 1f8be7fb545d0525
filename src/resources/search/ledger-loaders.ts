import { primaryChains, type Network, type PrimaryChain } from '../../avalanche/networks.js';
import { loadRow } from '../../graphql/row-loader.js';
import type { Find } from '../../lists/find.js';
import { findAssets } from '../asset/list.js';
import { findBlocks, findBlocksByHash } from '../block/list.js';
import { findL1Validators } from '../l1-validator/list.js';
import { findSubnets } from '../subnet/list.js';
import type { TransactionNode } from '../transaction/fields.js';
import { findTransactions } from '../transaction/list.js';
import { findUtxos } from '../utxo/list.js';
import { findValidators } from '../validator/list.js';
import { findVertices } from '../vertex/list.js';
import { ofBlockchainId, ofEvmChainId } from './blockchain-loaders.js';
import { indexed, orUnknown } from './candidate.js';
import type { Candidates, Search } from './fields.js';
import { isStoredAddress } from './store.js';

/** What an id of 32 bytes is. */
export async function ofId(id: string, search: Search): Candidates {
  // All are asked for within one turn of the event loop, so that each find is one statement.
  const transactions = transactionsOf(id, search);
  const all = await Promise.all([
    transactions.then((rows) => orUnknown('TRANSACTION', id, search.networks, rows.map(ofTransaction))),
    ofBlockHash(id, ['p', 'x'], search),
    ofKey(['VERTEX', 'Vertex', id], search, findVertices, (network) => ({ network, vertexHash: id })),
    ofKey(['UTXO', 'Utxo', id], search, findUtxos, (network) => ({ network, utxoId: id })),
    ofKey(['ASSET', 'Asset', id], search, findAssets, (network) => ({ network, assetId: id })),
    ofKey(['SUBNET', 'Subnet', id], search, findSubnets, (network) => ({ network, subnetId: id })),
    ofKey(['L1_VALIDATOR', 'L1Validator', id], search, findL1Validators, (network) => ({
      network,
      validationId: id,
    })),
    ofBlockchainId(id, search, transactions),
  ]);
  return all.flat();
}

/** What an output by its transaction and its index is: the output, and the transaction that is named. */
export async function ofOutput(
  { txHash, utxoId }: { txHash: string; utxoId: string },
  search: Search,
): Candidates {
  const [transactions, outputs] = await Promise.all([
    transactionsOf(txHash, search),
    ofKey(['UTXO', 'Utxo', utxoId], search, findUtxos, (network) => ({ network, utxoId })),
  ]);
  return [...orUnknown('TRANSACTION', txHash, search.networks, transactions.map(ofTransaction)), ...outputs];
}

/** What the id of a node is. */
export const ofNode = (nodeId: string, search: Search): Candidates =>
  ofKey(['VALIDATOR', 'Validator', nodeId], search, findValidators, (network) => ({ network, nodeId }));

/** What a number is: a block of each chain, or an EVM chain. */
export async function ofNumber(number: string, search: Search): Candidates {
  const [blocks, chains] = await Promise.all([
    onChains(search, primaryChains, async (scope) => {
      const row = await loadRow(search.context, findBlocks, { ...scope, blockNumber: number });
      return row && indexed('BLOCK', number, scope, { type: 'Block', row });
    }),
    ofEvmChainId(number, search),
  ]);
  return [...orUnknown('BLOCK', number, search.networks, blocks), ...chains];
}

export async function ofBlockHash(hash: string, chains: readonly PrimaryChain[], search: Search): Candidates {
  const found = await onChains(search, chains, async (scope) => {
    const row = await loadRow(search.context, findBlocksByHash, { ...scope, hash });
    return row && indexed('BLOCK', hash, scope, { type: 'Block', row });
  });
  return orUnknown('BLOCK', hash, search.networks, found);
}

/** What an address is on its network. */
export async function ofAddress(network: Network, address: string, { context }: Search): Candidates {
  const isStored = await isStoredAddress(context.storage, network, address);
  const node = { type: 'Address', row: { network, address } };
  const found = isStored ? [indexed('ADDRESS', address, { network }, node)] : [];
  return orUnknown('ADDRESS', address, [network], found);
}

const ofTransaction = (row: TransactionNode) =>
  indexed(
    'TRANSACTION',
    row.txHash,
    { network: row.network, chain: row.chain },
    { type: 'Transaction', row },
  );

const transactionsOf = (txHash: string, search: Search): Promise<TransactionNode[]> =>
  onChains(search, primaryChains, (scope) => loadRow(search.context, findTransactions, { ...scope, txHash }));

/** What is found at each chain of each network. */
async function onChains<Found>(
  { networks }: Search,
  chains: readonly PrimaryChain[],
  find: (scope: { network: Network; chain: PrimaryChain }) => Promise<Found | null>,
): Promise<Found[]> {
  const scopes = networks.flatMap((network) => chains.map((chain) => ({ network, chain })));
  const found: Found[] = [];
  for (const each of await Promise.all(scopes.map(find))) if (each !== null) found.push(each);
  return found;
}

/**
 * What a value is on each network, for a kind whose ids are unique within a network.
 *
 * @param sort the kind, the type of its nodes, and the value
 */
async function ofKey<Key, Node extends object>(
  [kind, type, value]: [Parameters<typeof indexed>[0], string, string],
  { networks, context }: Search,
  find: Find<Key, Node>,
  keyOn: (network: Network) => Key,
): Candidates {
  const rows = await Promise.all(networks.map((network) => loadRow(context, find, keyOn(network))));
  const found = networks.flatMap((network, index) => {
    const row = rows[index];
    return row ? [indexed(kind, value, { network }, { type, row })] : [];
  });
  return orUnknown(kind, value, networks, found);
}
