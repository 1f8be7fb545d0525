import type { TokenCodec } from '../paging/token.js';
import type { Asking } from './asking.js';
import { AFTER_CURSOR, BEFORE_CURSOR } from './marks.js';

const CURSOR = new RegExp(`${BEFORE_CURSOR}(\\d+):(\\d+):([^${AFTER_CURSOR}]*)${AFTER_CURSOR}`, 'g');

/** A reply's text with page tokens in their places. The same place in a list has one token, however often it is told. */
export function tokensIn(text: string, asked: readonly Asking[], tokens: TokenCodec): string {
  if (!text.includes(BEFORE_CURSOR)) return text;
  const issued = new Map<string, string>();
  return text.replace(CURSOR, (whole: string, index: string, place: string, parent: string) => {
    const known = issued.get(whole);
    if (known !== undefined) return known;
    const digest = asked[Number(index)]?.digest?.(JSON.parse(parent) as object);
    if (!digest) throw new Error('a cursor of no list');
    const token = `"${tokens.issue(digest, BigInt(place))}"`;
    issued.set(whole, token);
    return token;
  });
}
