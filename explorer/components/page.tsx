import type { ComponentChildren } from 'preact';
import { useLocation, useRoute } from 'preact-iso/router';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useAnswer } from '../ask.js';
import { useKeptFocus } from '../focus.js';
import { Around } from '../paging.js';
import type { Document } from '../send.js';
import { Asked, Standing, Updates } from './answer.js';
import { Id } from './text.js';

interface PageProps<Data, Variables, Found> {
  /** What the page is of, in words. */
  title: string;
  /** The heading once it is known what is shown; if omitted, the title is. */
  heading?: (found: Found) => ComponentChildren;
  /** The id of what is shown, whole in the heading. */
  id?: string;
  document: Document<Data, Variables>;
  variables: Variables;
  /** What of the answer is shown; null or undefined where it is not indexed. */
  find: (data: Data) => Found | null | undefined;
  /** The one address of what is found, without a query; the page moves to it from any other. */
  addressOf?: (found: Found) => string | undefined;
  /** What is said where it is not indexed. */
  missing: ComponentChildren;
  /** How long after an answer it is asked again, milliseconds; if omitted, never. */
  everyMs?: number;
  children: (found: Found) => ComponentChildren;
}

/** Whether the reader paused updates: as long as the explorer is open, on all pages. */
let wasPaused = false;

/** A page that asks one document: asked, refused, not indexed or shown, and the document itself. */
export function Page<Data, Variables, Found>({
  title,
  heading,
  id,
  document,
  variables,
  find,
  addressOf,
  missing,
  everyMs,
  children,
}: PageProps<Data, Variables, Found>) {
  const [isPaused, setPaused] = useState(wasPaused);
  const answer = useAnswer(document, variables, isPaused ? undefined : everyMs);
  const { path, query } = useRoute();
  const found = answer.data && find(answer.data);
  const list = useRef<HTMLDivElement>(null);
  useKeptFocus(list);
  useOneAddress(found && !answer.isEarlier ? addressOf?.(found) : undefined);
  const pause = (pauses: boolean) => {
    wasPaused = pauses;
    setPaused(pauses);
    if (!pauses) answer.again();
  };
  return (
    <>
      <div class="head">
        {heading && <p class="kind">{title}</p>}
        <h1>
          {heading && found ? heading(found) : title}
          {id && <Id id={id} whole />}
        </h1>
      </div>
      {everyMs !== undefined && <Updates at={answer.at} isPaused={isPaused} onPause={pause} />}
      <Standing answer={answer} />
      {answer.failure && Object.keys(query).length > 0 && (
        <p>
          <a href={path}>The first page of every list</a>
        </p>
      )}
      {answer.data && !found && <p class="empty">{missing}</p>}
      {found && (
        <div ref={list} aria-busy={answer.isEarlier}>
          <Around.Provider value={{ document, variables, data: answer.data }}>
            {children(found)}
          </Around.Provider>
        </div>
      )}
      {/* Not above what is awaited, which would push it away. */}
      {(answer.data || answer.failure) && <Asked document={document} variables={variables} />}
    </>
  );
}

/**
 * Moves to the one address of what is shown, with the query of this one. Its own path and query count
 * (`useRoute`): while the file of the next page is loaded this one is still shown, and the location is the
 * next one's, which stays.
 */
function useOneAddress(address: string | undefined): void {
  const { path, query } = useRoute();
  const { route, path: locationPath } = useLocation();
  useEffect(() => {
    if (!address || address === path || locationPath !== path) return;
    const search = new URLSearchParams(query).toString();
    route(search ? `${address}?${search}` : address, true);
  }, [address, path, locationPath]);
}
