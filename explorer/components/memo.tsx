import { Copy } from './copy.js';
import { plain } from './text.js';

/** How many characters of a memo are shown; a memo has at most 256 bytes. */
const SHOWN = 600;

/** A memo: as text where its bytes are one, otherwise as hex. The button copies the hex. */
export function Memo({ hex }: { hex: string }) {
  const text = textOf(hex);
  return (
    <span class="memo" title={hex.slice(0, SHOWN)}>
      {text === undefined ? plain(hex).slice(0, SHOWN) : <q>{plain(text).slice(0, SHOWN)}</q>}
      <Copy text={hex} />
    </span>
  );
}

function textOf(hex: string): string | undefined {
  const pairs = hex.slice(2).match(/[\da-f]{2}/gi);
  return pairs ? textOfBytes(Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16))) : undefined;
}

/** The text that bytes are; undefined if they are none that people write. */
export function textOfBytes(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return /\p{Cc}/u.test(text.replaceAll(/[\n\r\t]/g, '')) ? undefined : text;
  } catch {
    return undefined;
  }
}
