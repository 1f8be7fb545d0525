import { useLocation } from 'preact-iso/router';
import { pageHref, type Ends } from '../paging.js';
import { CsvButton } from './csv-button.js';

/**
 * The ways to the other pages of a list, and to a file of all its rows; nothing if it has neither.
 *
 * @param csv the list in the REST API, as restList makes it
 */
export function Pager({
  list,
  title,
  ends: { hasNextPage, hasPreviousPage, startCursor, endCursor },
  csv,
}: {
  list: string;
  title: string;
  ends: Ends;
  csv?: string;
}) {
  const here = useLocation();
  const isFirst = !here.query[`${list}After`] && !here.query[`${list}Before`];
  const isWhole = isFirst && !hasNextPage;
  if (isWhole && !csv) return null;
  return (
    <nav class="pager" aria-label={`Pages of: ${title}`}>
      {!isFirst && <a href={pageHref(here, list)}>First</a>}
      {hasPreviousPage && startCursor && <a href={pageHref(here, list, { before: startCursor })}>Previous</a>}
      {hasNextPage && endCursor && <a href={pageHref(here, list, { after: endCursor })}>Next</a>}
      {csv && <CsvButton title={title} path={csv} />}
    </nav>
  );
}
