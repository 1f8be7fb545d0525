import { beginningsOf } from '../../avalanche/text/beginning.js';
import { formOf } from '../../avalanche/text/form.js';
import { readIdsFrom, type FoundId } from './beginning-list.js';
import { evmChainsOf } from './evm-signs-loaders.js';
import type { Search, SearchCandidate } from './fields.js';
import { candidatesOf } from './form-loaders.js';
import { readHexFrom } from './hex-list.js';
import { MOST_CHAINS_OF_BEGINNING } from './store.js';

/** Most ids that a text is the beginning of, each of which is searched for. */
export const MOST_IDS = 4;

/** What has an id that begins with a text, and whether more ids do than were searched for. */
export async function ofBeginning(
  text: string,
  search: Search,
): Promise<{ found: SearchCandidate[]; hasMore: boolean }> {
  const near = { ...search, mostChains: MOST_CHAINS_OF_BEGINNING };
  const beginnings = beginningsOf(text);
  const isHex = beginnings.some((each) => each.of === 'hex');
  const chains = isHex ? [...(await evmChainsOf(near)).keys()] : [];
  const ids = new Set((await idsOf(text, near, chains, MOST_IDS + 1)).map(({ value }) => value));
  const searched = await Promise.all(
    [...ids].slice(0, MOST_IDS).flatMap((id) => {
      const { form } = formOf(id);
      return form ? [candidatesOf(form, near)] : [];
    }),
  );
  const found = searched.flat().filter(({ isIndexed }) => isIndexed);
  return { found: found.map((each) => ({ ...each, match: 'ID_BEGINNING' })), hasMore: ids.size > MOST_IDS };
}

/** @param chains EVM chain ids of those whose internal transactions and NFTs are looked through */
export async function idsOf(
  text: string,
  { networks, context: { storage } }: Pick<Search, 'networks' | 'context'>,
  chains: readonly string[],
  most: number,
): Promise<FoundId[]> {
  const found = await Promise.all(
    beginningsOf(text).map((beginning) =>
      beginning.of === 'hex'
        ? readHexFrom(storage, beginning, { chains, networks }, most)
        : readIdsFrom(storage, beginning, networks, most),
    ),
  );
  return found.flat();
}
