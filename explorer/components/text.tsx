import { useState } from 'preact/hooks';

/** How many characters of an imported name are shown; the title has the whole name. */
const SHOWN_OF_NAME = 40;

/**
 * A text of a chain without what controls a terminal or the direction of writing: it could disguise others.
 */
export const plain = (text: string) => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\u{FFFD}');

/** As much of a name that a stranger chose as is shown of it. */
export function shownName(name: string): string {
  const clean = plain(name);
  return clean.length > SHOWN_OF_NAME ? `${clean.slice(0, SHOWN_OF_NAME)}…` : clean;
}

/** A name that a stranger chose. */
export function Name({ text }: { text: string }) {
  const clean = plain(text);
  const shown = shownName(text);
  return shown === clean ? <span>{clean}</span> : <span title={clean.slice(0, 1000)}>{shown}</span>;
}

/** An id with a link if there is a page of it, shortened unless `whole`. The button copies it whole. */
export function Id({ id, href, whole = false }: { id: string; href?: string; whole?: boolean }) {
  const short = id.length > 20 && !whole ? `${id.slice(0, 10)}…${id.slice(-6)}` : id;
  return (
    <span class={whole ? 'id whole' : 'id'}>
      {href ? (
        <a href={href} title={id}>
          {short}
        </a>
      ) : (
        <span title={id}>{short}</span>
      )}
      <Copy text={id} />
    </span>
  );
}

/** Without a secure context there is no clipboard, and then no button. */
export function Copy({ text }: { text: string }) {
  const [isCopied, setCopied] = useState(false);
  if (!('clipboard' in navigator)) return null;
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  return (
    <button type="button" class="copy" aria-label={`Copy ${text.slice(0, 100)}`} onClick={() => void copy()}>
      {isCopied ? 'copied' : 'copy'}
    </button>
  );
}

/**
 * Of Unix seconds: in the reader's zone, in UTC on hover.
 *
 * @param withUtc whether UTC is written too
 */
export function Time({
  seconds,
  withUtc = false,
}: {
  seconds: number | string | null | undefined;
  withUtc?: boolean;
}) {
  if (seconds === null || seconds === undefined) return <span>unknown</span>;
  const date = new Date(Number(seconds) * 1000);
  // A date has no more than 8.64e15 milliseconds.
  if (Number.isNaN(date.getTime())) return <span>{String(seconds)} s</span>;
  return (
    <time dateTime={date.toISOString()} title={utcOf(date)}>
      {date.toLocaleString()}
      {withUtc && ` (${utcOf(date)})`}
    </time>
  );
}

const utcOf = (date: Date) => `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
