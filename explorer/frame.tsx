import './style/frame.css';
import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso/router';
import { useEffect, useRef } from 'preact/hooks';
import { SearchField } from './components/suggestions.js';
import { useCurrentSeen } from './focus.js';
import { useHead } from './head.js';
import {
  blocksPath,
  compositePath,
  directories,
  directoryPath,
  networkOf,
  networkPath,
  statusPath,
  transactionsPath,
} from './paths.js';
import { useKeptScroll } from './scroll.js';

/** The sections of a network: the first page, the lists of things, and two tools. */
const sectionsOf = (network: string): [href: string, title: string][] => [
  [networkPath(network), 'Newest'],
  [transactionsPath(network, 'p-chain'), 'Transactions'],
  [blocksPath(network, 'p-chain'), 'Blocks'],
  ...Object.entries(directories).map(([kind, title]): [string, string] => [
    directoryPath(network, kind as keyof typeof directories),
    title,
  ]),
  [compositePath(network), 'Composite query'],
  [statusPath(network), 'Status'],
];

/** What every page has: the search field, and the ways to its sections and to the APIs. */
export function Frame({ children }: { children: ComponentChildren }) {
  const { path } = useLocation();
  const main = useRef<HTMLElement>(null);
  const seen = useRef(path);
  const network = networkOf(path.split('/')[2]);
  const other = network === 'mainnet' ? 'fuji' : 'mainnet';
  useHead(path);
  useKeptScroll();
  useEffect(() => {
    // The first screen moves to a network by itself, perhaps while the visitor types.
    const isTyping = document.activeElement?.matches('input, textarea, select');
    // A screen reader continues at the start of the new page; the first page is read from its top.
    if (seen.current !== path && !isTyping) main.current?.focus({ preventScroll: true });
    seen.current = path;
  }, [path]);
  const skip = (event: Event) => {
    // The address of the page stays as it is.
    event.preventDefault();
    main.current?.focus();
  };
  return (
    <>
      <a class="skip" href="#main" onClick={skip}>
        Skip to the content
      </a>
      <header>
        <a href="/" class="brand">
          <img class="mark" src="/favicon.svg" alt="" width="26" height="26" />
          Moraine
        </a>
        <SearchField network={network} />
        <nav aria-label="APIs">
          <a href="/overview">Overview</a> <a href="/graphql">GraphiQL</a> <a href="/docs">REST API</a>
        </nav>
      </header>
      <nav class="pages" aria-label="Pages" ref={useCurrentSeen(path)}>
        {sectionsOf(network).map(([href, title]) => (
          <>
            <a href={href} aria-current={currentOf(path, href, network)}>
              {title}
            </a>{' '}
          </>
        ))}
        <span>
          {network}, or <a href={networkPath(other)}>{other}</a>
        </span>
      </nav>
      <main id="main" ref={main} tabIndex={-1}>
        {children}
      </main>
    </>
  );
}

/** Whether a section is what is shown, or has it. */
function currentOf(path: string, href: string, network: string): 'page' | 'true' | undefined {
  if (path === href) return 'page';
  // Sections of chains lead to the P-chain.
  const same = path.replace(/\/[xc]-chain\//, '/p-chain/');
  return same === href || (href !== networkPath(network) && same.startsWith(`${href}/`)) ? 'true' : undefined;
}
