import { ConfigError } from '../config.js';
import type { FollowOptions } from './follow.js';

/** Options that take any number of values, none of which is an address of a node. */
const lists = ['from', 'token', 'teleporter', 'again', 'archive'] as const;

const isAddress = (text: string) => /^https?:\/\//i.test(text);

/**
 * The address of the node and the options, wherever the address stands: an option that takes any number of
 * values takes an address too that follows them.
 *
 * @throws ConfigError where there are two
 */
export function withAddress(
  url: string | undefined,
  options: FollowOptions,
): { readonly urls: string | undefined; readonly options: FollowOptions } {
  const found = [url ?? [], ...lists.map((name) => options[name]?.filter(isAddress) ?? [])].flat();
  if (found.length > 1)
    throw new ConfigError('Which node? Several addresses of nodes of one network are separated by commas.');
  const others = lists.map((name) => [name, options[name]?.filter((each) => !isAddress(each))]);
  return { urls: found[0], options: { ...options, ...(Object.fromEntries(others) as FollowOptions) } };
}

/** What the options say, by setting. @param urls of nodes */
export const optionsOf = (
  urls: string | undefined,
  { genesis, as, only, from, l1, token, teleporter, archive, ranges, processes }: FollowOptions,
) => ({
  FOLLOW: urls,
  FOLLOW_L1: l1?.join(','),
  FOLLOW_GENESIS: genesis,
  FOLLOW_AS: as,
  FOLLOW_ONLY: only,
  FOLLOW_FROM: from?.join(','),
  FOLLOW_TOKENS: token?.join(','),
  FOLLOW_TELEPORTERS: teleporter?.join(','),
  FOLLOW_ARCHIVE: archive?.join(','),
  FOLLOW_RANGES: ranges,
  FOLLOW_PROCESSES: processes,
});
