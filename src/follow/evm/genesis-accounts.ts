import type { Reader } from '../../storage/reader.js';
import { unlessRefused } from '../node/error.js';
import { accountsOfGenesis, evmChainIdOfGenesis, type AccountsOfGenesis } from './evm-genesis.js';
import { madeIn, messengerIdOf, type ChainDeps } from './chain.js';
import { accountsAmong } from './config-changes.js';

/** Most accounts that a node is believed to have given coins. */
const MOST_NAMED = 10_000;

/**
 * The accounts with coins in a chain's genesis, which is part of the transaction that created the chain. If
 * that is unknown: the accounts for which the node signs. A node for development gave coins to these; whether
 * they are all cannot be known.
 *
 * @throws NodeError
 */
export async function genesisAccounts(
  deps: ChainDeps,
  reader: Pick<Reader, 'read'>,
  signal: AbortSignal,
): Promise<AccountsOfGenesis> {
  const id = await messengerIdOf(deps, reader, signal);
  const made = id === null ? null : await accountsMadeBy(id, deps, signal);
  return made ?? { accounts: await namedByNode(deps, signal), isWhole: false };
}

/**
 * Null of a transaction that did not make this chain, or that no node has: the chain's node may give any id.
 */
async function accountsMadeBy(
  id: string,
  { chain, platform }: ChainDeps,
  signal: AbortSignal,
): Promise<AccountsOfGenesis | null> {
  const made = await unlessRefused(madeIn(id, platform, { signal }), ['not-found'], null);
  if (made === null || evmChainIdOfGenesis(made.genesis) !== String(chain.evmChainId)) return null;
  return accountsOfGenesis(made.genesis);
}

async function namedByNode({ nodes }: ChainDeps, signal: AbortSignal): Promise<string[]> {
  const asked = nodes.evm.call('eth_accounts', [], { signal });
  const named = await unlessRefused(asked, ['method-missing', 'plan-lacks'], []);
  if (!Array.isArray(named) || named.length > MOST_NAMED) return [];
  return accountsAmong(named.filter((each) => typeof each === 'string'));
}
