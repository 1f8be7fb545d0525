import { useLocation } from 'preact-iso';
import { pageHref, type Ends } from '../paging.js';

/** The ways to the other pages of a list; nothing if it has only one. */
export function Pager({ list, title, ends }: { list: string; title: string; ends: Ends }) {
  const here = useLocation();
  const { hasNextPage, hasPreviousPage, startCursor, endCursor } = ends;
  const isFirst = !here.query[`${list}After`] && !here.query[`${list}Before`];
  if (isFirst && !hasNextPage) return null;
  return (
    <nav class="pager" aria-label={`Pages of: ${title}`}>
      {!isFirst && <a href={pageHref(here, list)}>First</a>}
      {hasPreviousPage && startCursor && <a href={pageHref(here, list, { before: startCursor })}>Previous</a>}
      {hasNextPage && endCursor && <a href={pageHref(here, list, { after: endCursor })}>Next</a>}
    </nav>
  );
}
