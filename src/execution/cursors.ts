import type { TokenCodec } from '../paging/token.js';
import type { BoundArguments } from './bound-arguments.js';
import { AFTER_CURSOR, BEFORE_CURSOR } from './marks.js';

const CURSOR = new RegExp(`${BEFORE_CURSOR}(\\d+):(\\d+):([^${AFTER_CURSOR}]*)${AFTER_CURSOR}`, 'g');

/**
 * Replaces the marks in a reply's text by page tokens. The same position in a list gets one token, however
 * often it occurs.
 */
export function tokensIn(text: string, bound: readonly BoundArguments[], tokens: TokenCodec): string {
  if (!text.includes(BEFORE_CURSOR)) return text;
  const issued = new Map<string, string>();
  return text.replace(CURSOR, (whole: string, index: string, position: string, parent: string) => {
    const known = issued.get(whole);
    if (known !== undefined) return known;
    const digest = bound[Number(index)]?.digest?.(JSON.parse(parent) as object);
    if (!digest) throw new Error('a cursor of no list');
    const token = `"${tokens.issue(digest, BigInt(position))}"`;
    issued.set(whole, token);
    return token;
  });
}
