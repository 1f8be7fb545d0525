import { networks as allNetworks, type Network } from '../../avalanche/networks.js';
import { formOf } from '../../avalanche/text/form.js';
import type { Context } from '../../graphql/context.js';
import { idsOf } from './beginning-loaders.js';
import type { SearchKind, SearchSuggestion } from './fields.js';
import type { Named } from './name-list.js';
import { namesOf } from './name-loaders.js';

/** Most suggestions. */
export const MOST_SUGGESTIONS = 10;
/** Most of them that are ids. */
const MOST_IDS = 5;

const kinds: Readonly<Record<Named, SearchKind>> = {
  chain: 'BLOCKCHAIN',
  created: 'BLOCKCHAIN',
  asset: 'ASSET',
  token: 'NFT_TOKEN',
};

/** What a text that is being typed may become: see Query.searchSuggestions. */
export async function suggestionsFor(
  given: string,
  network: Network | null,
  context: Context,
): Promise<SearchSuggestion[]> {
  const { text } = formOf(given);
  if (text === '') return [];
  const search = { networks: network ? [network] : allNetworks, context };
  const [ids, names] = await Promise.all([idsOf(text, search, [], MOST_IDS), namesOf(text, search)]);
  const named = names.map(({ of, network: on, key, name }) => ({
    kind: kinds[of],
    // Without the chain, as a search takes it.
    value: of === 'token' ? key.slice(key.indexOf(':') + 1) : key,
    network: on,
    name,
  }));
  const unnamed = ids.slice(0, MOST_IDS).map((each) => ({ ...each, name: null }));
  return [...unnamed, ...named].slice(0, MOST_SUGGESTIONS);
}
