import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Suggestions } from './components/suggestions.js';
import {
  compositePath,
  directories,
  directoryPath,
  networkOf,
  networkPath,
  searchPath,
  statusPath,
} from './paths.js';

/** Longest text that is searched: a row as JSON may be pasted. */
const LONGEST = 8192;

/** What every page has: the search field, and the ways to the APIs. */
export function Frame({ children }: { children: ComponentChildren }) {
  const { path, route } = useLocation();
  const field = useRef<HTMLInputElement>(null);
  const main = useRef<HTMLElement>(null);
  const seen = useRef(path);
  const isSubmitted = useRef(false);
  const [typed, setTyped] = useState('');
  const network = networkOf(path.split('/')[2]);
  const other = network === 'mainnet' ? 'fuji' : 'mainnet';
  useEffect(() => {
    // The first screen moves to a network by itself, perhaps while the visitor types.
    const isTyping = document.activeElement === field.current && !isSubmitted.current;
    // A screen reader continues at the start of the new page; the first page is read from its top.
    if (seen.current !== path && !isTyping) main.current?.focus();
    seen.current = path;
    isSubmitted.current = false;
  }, [path]);
  const submit = (event: Event) => {
    event.preventDefault();
    const text = field.current?.value.trim();
    isSubmitted.current = true;
    if (text) route(searchPath(network, text));
  };
  return (
    <>
      <header>
        <a href="/" class="brand">
          Moraine
        </a>
        <form role="search" onSubmit={submit}>
          <input
            ref={field}
            type="search"
            name="text"
            maxLength={LONGEST}
            list="suggestions"
            autocomplete="off"
            onInput={(event) => setTyped(event.currentTarget.value.trim())}
            aria-label="Search"
            placeholder="Address, hash, id, block number or name"
          />
          <Suggestions id="suggestions" text={typed} />
          <button type="submit">Search</button>
        </form>
        <nav aria-label="APIs">
          <a href="/overview">Overview</a> <a href="/graphql">GraphiQL</a> <a href="/docs">REST API</a>
        </nav>
      </header>
      <nav class="pages" aria-label="Pages">
        <a href={networkPath(network)}>Newest</a>{' '}
        {Object.entries(directories).map(([kind, title]) => (
          <>
            <a href={directoryPath(network, kind as keyof typeof directories)}>{title}</a>{' '}
          </>
        ))}
        <a href={compositePath(network)}>Composite query</a> <a href={statusPath(network)}>Status</a>{' '}
        <span>
          {network}, or <a href={networkPath(other)}>{other}</a>
        </span>
      </nav>
      <main ref={main} tabIndex={-1}>
        {children}
      </main>
    </>
  );
}
