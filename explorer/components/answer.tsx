import type { ComponentChildren } from 'preact';
import type { Answer } from '../ask.js';
import { graphiqlPath } from '../paths.js';
import type { Document } from '../send.js';

const timeOf = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });
/** A time of today. */
const clock = (ms: number) => (
  <time dateTime={new Date(ms).toISOString()} title={new Date(ms).toUTCString()}>
    {timeOf.format(ms)}
  </time>
);

/**
 * Shown instead of data: that they are loaded, or why there are none or no newer ones, and when they are
 * asked for again.
 */
export function Standing<Data>({ answer: { data, failure, at, againAt, again } }: { answer: Answer<Data> }) {
  if (!failure) return data ? null : <p role="status">Asking the gateway…</p>;
  return (
    <div class="failure">
      <p role="alert">{failure}</p>
      {againAt !== undefined && (
        <p class="again">
          {data && <span>What is shown is of {clock(at)}.</span>}
          <span>It is asked again at {clock(againAt)}.</span>
          <button type="button" onClick={again}>
            Ask again now
          </button>
        </p>
      )}
    </div>
  );
}

/** Of what is asked again and again: of when it is, and a switch that stops that. */
export const Updates = ({
  at,
  isPaused,
  onPause,
}: {
  /** When it was answered, milliseconds since 1970; 0 if it was not. */
  at: number;
  isPaused: boolean;
  onPause: (isPaused: boolean) => void;
}) => (
  <p class="live">
    {at > 0 && (
      <span>
        {isPaused ? 'Paused; of ' : 'Updated at '}
        {clock(at)}
      </span>
    )}
    <button type="button" onClick={() => onPause(!isPaused)}>
      {isPaused ? 'Resume updates' : 'Pause updates'}
    </button>
  </p>
);

/** The document that a page, or a part of it, asked, with its variables. */
export function Asked<Data, Variables>({
  document,
  variables,
  of = 'this page',
}: {
  document: Document<Data, Variables>;
  variables: Variables;
  of?: string;
}) {
  const query = withDefaults(String(document).trim(), variables as Record<string, unknown>);
  return (
    <details class={of === 'this page' ? 'asked' : undefined}>
      <summary>The query behind {of}</summary>
      <p>
        <a href={graphiqlPath(query)}>Open it in GraphiQL</a>
      </p>
      <pre tabIndex={0}>{query}</pre>
    </details>
  );
}

/** The document with each variable's value as its default, so that it runs as it is written. */
function withDefaults(query: string, variables: Record<string, unknown>): string {
  return query.replace(
    /\$(\w+): (\[?)(\w+)(!?\]?)(!?)(?=[,)])/g,
    (match, name: string, ...parts: string[]) => {
      const [open, type = '', close] = parts;
      const value = variables[name];
      return value === undefined
        ? match
        : `$${name}: ${open}${type}${close} = ${literalOf(value, enums.has(type))}`;
    },
  );
}

/** Types and members of inputs whose texts are names. */
const enums: ReadonlySet<string> = new Set(['Network', 'CompositeOperator', 'tokenType']);

/** A value as GraphQL writes it. */
function literalOf(value: unknown, isName = false): string {
  if (Array.isArray(value)) return `[${value.map((each) => literalOf(each)).join(', ')}]`;
  if (typeof value === 'string' && isName) return value;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, each]) => `${name}: ${literalOf(each, enums.has(name))}`);
  return `{ ${members.join(', ')} }`;
}

/** A heading and what is below it. */
export function Part({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section>
      <h2>{title}</h2>
      {children}
    </section>
  );
}
