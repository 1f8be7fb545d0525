import { networks as allNetworks, type Network } from '../../avalanche/networks.js';
import { SHORTEST } from '../../avalanche/text/beginning.js';
import { formOf } from '../../avalanche/text/form.js';
import type { Context } from '../../graphql/context.js';
import { ofBeginning } from './beginning-loaders.js';
import { inOrder } from './candidate.js';
import type { Search, SearchResult } from './fields.js';
import { candidatesOf } from './form-loaders.js';
import { ofName } from './name-loaders.js';
import { MOST_CHAINS } from './store.js';

/**
 * Says what a text is, or could be.
 *
 * @param network the only one that is searched; null for all
 */
export async function searchFor(
  given: string,
  network: Network | null,
  context: Context,
): Promise<SearchResult> {
  const { text, form, problem } = formOf(given);
  if (network && form?.is === 'address' && form.network !== network) {
    const elsewhere = `This is an address of ${form.network}, and only ${network} was searched.`;
    return { text, problem: elsewhere, candidates: [] };
  }
  const search = { networks: network ? [network] : allNetworks, mostChains: MOST_CHAINS, context };
  if (form) {
    const [found, named] = await Promise.all([
      candidatesOf(form, search),
      // A name may be a number; of those that only begin so, people meant few.
      form.is === 'number' ? ofName(text, search) : [],
    ]);
    const whole = named.filter(({ match }) => match === 'NAME');
    return { text, problem, candidates: inOrder([...found, ...whole]) };
  }
  if (text === '') return { text, problem, candidates: [] };
  return { text, ...(await searchPartly(text, problem, search)) };
}

const NOTHING = `Nothing that is indexed is called so, or has an id that begins so. Ids are written in CB58, node ids begin with NodeID-, EVM addresses and hashes with 0x; of an id at least ${SHORTEST} characters are needed.`;
const MORE = 'More ids begin so than are looked up: with more characters they are fewer.';

/** What has a name or an id that begins with the text. @param problem of a text that nearly has a form */
async function searchPartly(
  text: string,
  problem: string | null,
  search: Search,
): Promise<Omit<SearchResult, 'text'>> {
  const [{ found, hasMore }, named] = await Promise.all([ofBeginning(text, search), ofName(text, search)]);
  const candidates = inOrder([...found, ...named]);
  if (candidates.length === 0) return { problem: problem ?? NOTHING, candidates };
  return { problem: hasMore ? MORE : null, candidates };
}
