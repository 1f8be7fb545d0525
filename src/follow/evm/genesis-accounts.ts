import type { Reader } from '../../storage/reader.js';
import { unlessRefused } from '../node/error.js';
import { accountsOfGenesis, evmChainIdOfGenesis, type AccountsOfGenesis } from './evm-genesis.js';
import { madeIn, messengerIdOf, type ChainParts } from './chain.js';
import { accountsAmong } from './config-changes.js';

/** Most accounts that a node is believed to have given coins. */
const MOST_NAMED = 10_000;

/**
 * The accounts to which a chain's genesis gives coins. They stand in the transaction that made the chain. Of a chain of which that
 * is not known they are those for which the node signs, which of a node for development are the ones that it gave coins; that
 * these are all, nothing says.
 *
 * @throws NodeError
 */
export async function genesisAccounts(
  parts: ChainParts,
  reader: Pick<Reader, 'read'>,
  signal: AbortSignal,
): Promise<AccountsOfGenesis> {
  const id = await messengerIdOf(parts, reader, signal);
  const made = id === null ? null : await accountsMadeBy(id, parts, signal);
  return made ?? { accounts: await namedByNode(parts, signal), isWhole: false };
}

/** Null of a transaction that did not make this chain, or that no node has: the chain's own node may say any id. */
async function accountsMadeBy(
  id: string,
  { chain, platform }: ChainParts,
  signal: AbortSignal,
): Promise<AccountsOfGenesis | null> {
  const made = await unlessRefused(madeIn(id, platform, { signal }), ['not-found'], null);
  if (made === null || evmChainIdOfGenesis(made.genesis) !== String(chain.evmChainId)) return null;
  return accountsOfGenesis(made.genesis);
}

async function namedByNode({ nodes }: ChainParts, signal: AbortSignal): Promise<string[]> {
  const asked = nodes.evm.call('eth_accounts', [], { signal });
  const named = await unlessRefused(asked, ['method-missing', 'plan-lacks'], []);
  if (!Array.isArray(named) || named.length > MOST_NAMED) return [];
  return accountsAmong(named.filter((each) => typeof each === 'string'));
}
