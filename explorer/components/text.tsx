import type { JSX } from 'preact';
import { useContext } from 'preact/hooks';
import { useNow } from '../now.js';
import { Copy } from './copy.js';
import { AmongFacts } from './facts.js';
import { Identicon } from './identicon.js';

/** How many characters of an imported name are shown; the title has the whole name. */
const SHOWN_OF_NAME = 40;

/**
 * A text of a chain without what controls a terminal or the direction of writing: it could disguise others.
 */
export const plain = (text: string) =>
  text.replace(CONTROLS, (found, joiner?: string) => joiner ?? found.replace(/./su, '\u{FFFD}'));

/** Controls; the first group is what joins two emoji to one, which stays. */
const CONTROLS =
  /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\u{FE0F}])(\u{200D})(?=\p{Extended_Pictographic})|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** As much of a name that a stranger chose as is shown of it: whole characters. */
export function shownName(name: string): string {
  // A character may have any number of codes; of these many, some are left out.
  const clean = plain(name).slice(0, 1000);
  if (clean.length <= SHOWN_OF_NAME) return clean;
  const shown = [...new Intl.Segmenter('en').segment(clean)].map(({ segment }) => segment);
  return shown.length > SHOWN_OF_NAME ? `${shown.slice(0, SHOWN_OF_NAME).join('')}…` : clean;
}

/** A name that a stranger chose. */
export function Name({ text }: { text: string }) {
  const clean = plain(text);
  const shown = shownName(text);
  return shown === clean ? <span>{clean}</span> : <span title={clean.slice(0, 1000)}>{shown}</span>;
}

/** A whole number, exact, with its digits in groups. */
export const grouped = (value: number | string) => BigInt(value).toLocaleString('en');

/** An id as it is shortened in lists. */
export const shortId = (id: string) => (id.length > 20 ? `${id.slice(0, 10)}…${id.slice(-6)}` : id);

/** Ids that belong to somebody: addresses, with or without a chain, and nodes. */
const HAS_FACE = /^((\w-)?(avax|fuji|local|custom)1|0x[\da-f]{40}$|NodeID-)/i;

/**
 * An id with a link if there is a page of it. The button copies it whole.
 *
 * @param whole whether it is not shortened; if omitted, where it stands among facts
 */
export function Id({ id, href, whole: given }: { id: string; href?: string; whole?: boolean }) {
  const isFact = useContext(AmongFacts);
  const whole = given ?? isFact;
  const shown = whole ? id : shortId(id);
  return (
    <span class={whole ? 'id whole' : 'id'}>
      {HAS_FACE.test(id) && <Identicon of={id} />}
      {href ? (
        <a href={href} title={id}>
          {shown}
        </a>
      ) : (
        <span title={id}>{shown}</span>
      )}
      <Copy text={id} />
    </span>
  );
}

interface Seconds {
  seconds: number | string | null | undefined;
}

/** The day and the time in words: English, as the page is, in the reader's zone. */
const local = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long' });
const utcOf = (date: Date) => `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/**
 * Of Unix seconds: in the reader's zone, in UTC on hover.
 *
 * @param withUtc whether UTC and how long ago it is are written too
 * @param isDay whether only the day is written
 */
export function Time({
  seconds,
  withUtc = false,
  isDay = false,
}: Seconds & { withUtc?: boolean; isDay?: boolean }) {
  return (
    <Moment seconds={seconds}>
      {(date) => (
        <time
          dateTime={date.toISOString()}
          title={isDay ? `${local.format(date)}, ${utcOf(date)}` : utcOf(date)}
        >
          {(isDay ? day : local).format(date)}
          {withUtc && (
            <small>
              {' '}
              {utcOf(date)}, <Ago date={date} />
            </small>
          )}
        </time>
      )}
    </Moment>
  );
}

/** Of Unix seconds: how long ago it is, or how long until then; the time on hover, also in UTC. */
export const Age = ({ seconds }: Seconds) => (
  <Moment seconds={seconds}>
    {(date) => (
      <time class="age" dateTime={date.toISOString()} title={`${local.format(date)}, ${utcOf(date)}`}>
        <Ago date={date} />
      </time>
    )}
  </Moment>
);

function Moment({ seconds, children }: Seconds & { children: (date: Date) => JSX.Element }) {
  if (seconds === null || seconds === undefined) return <span>unknown</span>;
  const date = new Date(Number(seconds) * 1000);
  // A date has no more than 8.64e15 milliseconds.
  return Number.isNaN(date.getTime()) ? <span>{String(seconds)} s</span> : children(date);
}

const Ago = ({ date }: { date: Date }) => <>{agoOf((date.getTime() - useNow()) / 1000)}</>;

const ages = new Intl.RelativeTimeFormat('en', { numeric: 'always', style: 'short' });

/** Units of an age, and of how many seconds each is. */
const units = [
  ['year', 31_556_952],
  ['month', 2_629_746],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** @param seconds from now, negative for the past */
function agoOf(seconds: number): string {
  const [unit, size] = units.find(([, each]) => Math.abs(seconds) >= each) ?? ['second', 1];
  return ages.format(Math.trunc(seconds / size), unit);
}
