import { identityOf, parseBlockchainId } from '../../avalanche/identity.js';
import { chainName, networkOf, type PrimaryChain } from '../../avalanche/networks.js';
import { loadRow } from '../../graphql/row-loader.js';
import { chainStatusStatement, readChainStatus } from '../chain-status/store.js';
import { findChains, type ChainKey } from '../chain/list.js';
import type { TransactionNode } from '../transaction/fields.js';
import { indexed, orUnknown } from './candidate.js';
import type { Candidates, Search } from './fields.js';

/**
 * A chain of the primary network, on each network.
 *
 * @param value the text, if that is not its alias
 */
export async function ofPrimaryChain(
  chain: PrimaryChain,
  { networks, context }: Search,
  value: string = chainName(chain),
): Candidates {
  const scopes = networks.map((network) => ({
    network,
    chain,
    evmChainId: chain === 'c' ? String(identityOf(network).evmChainId) : null,
  }));
  const [status, rows] = await Promise.all([
    readChainStatus(() => context.storage.read(chainStatusStatement, [])),
    Promise.all(
      scopes.map(({ evmChainId }) =>
        evmChainId ? loadRow(context, findChains, { evmChainId }) : Promise.resolve(null),
      ),
    ),
  ]);
  const found = scopes.flatMap((scope, index) => {
    const row = rows[index] ?? null;
    const isStored = status.some((each) => each.network === scope.network && each.chain === chain);
    return isStored || row ? [indexed('BLOCKCHAIN', value, scope, row && { type: 'Chain', row })] : [];
  });
  return orUnknown('BLOCKCHAIN', value, networks, found, { chain });
}

/**
 * The blockchain with an id: a stored EVM chain, otherwise the transaction that created it.
 *
 * @param transactions those whose hash the id is
 */
export async function ofBlockchainId(
  id: string,
  search: Search,
  transactions: Promise<readonly TransactionNode[]>,
): Candidates {
  const primary = search.networks.filter((network) => parseBlockchainId(network, id));
  const chain = primary[0] && parseBlockchainId(primary[0], id);
  if (chain) return ofPrimaryChain(chain, { ...search, networks: primary }, id);
  const stored = await storedChain({ blockchainId: id }, id, search);
  const created = (await transactions).filter(({ txType }) => txType === 'CreateChainTx');
  const made = created.map((row) =>
    indexed('BLOCKCHAIN', id, { network: row.network }, { type: 'Transaction', row }),
  );
  return orUnknown('BLOCKCHAIN', id, search.networks, stored.length > 0 ? stored : made);
}

export async function ofEvmChainId(number: string, search: Search): Candidates {
  const primary = search.networks.filter((network) => String(identityOf(network).evmChainId) === number);
  if (primary.length > 0) return ofPrimaryChain('c', { ...search, networks: primary }, number);
  const found = await storedChain({ evmChainId: number }, number, search);
  return orUnknown('BLOCKCHAIN', number, search.networks, found);
}

async function storedChain(key: ChainKey, value: string, { networks, context }: Search) {
  const row = await loadRow(context, findChains, key);
  if (!row || !networks.includes(networkOf(row.isTestnet))) return [];
  const scope = { network: networkOf(row.isTestnet), evmChainId: row.chainId };
  return [indexed('BLOCKCHAIN', value, scope, { type: 'Chain', row })];
}
