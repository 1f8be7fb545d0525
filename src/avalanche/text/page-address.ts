const isAddress =
  /^(?:[a-z][a-z0-9+.-]{1,20}:\/\/|\/explore\/|(?:[a-z0-9-]{1,63}\.){1,10}[a-z]{2,63}(?::\d{1,5})?\/)\S+$/i;
/** Most parts of an address that are looked at. */
const MOST_PARTS = 40;
/** What addresses say between a contract and its token. */
const beforeToken = /^(?:a|id|token|tokenid|instance)$/i;

/**
 * What the address of a page may be about, the likeliest first: a contract with its token, then ids from the
 * end on, then numbers, then the alias of a chain. Any host and any order of parts: explorers agree on little
 * but that an id is a part by itself.
 */
export function idsInAddress(text: string): string[] {
  if (!isAddress.test(text)) return [];
  const parts = text
    .split(/[/?#&=]/, MOST_PARTS)
    .map(decoded)
    .filter((part) => part !== '');
  const tokens = parts.flatMap((part, index) => {
    const [next = '', afterNext = ''] = parts.slice(index + 1);
    const token = beforeToken.test(next) ? afterNext : next;
    return /^0x[0-9a-f]{40}$/i.test(part) && /^\d+$/.test(token) ? [`${part}:${token}`] : [];
  });
  const rank = (part: string) => (/^[pxc]-chain$/i.test(part) ? 2 : Number(/^[\d,]+$/.test(part)));
  return [...tokens, ...parts.reverse().sort((one, other) => rank(one) - rank(other))];
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '));
  } catch {
    // A percent sign that is none.
    return part;
  }
}
