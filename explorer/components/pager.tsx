import { useRoute } from 'preact-iso/router';
import { useContext } from 'preact/hooks';
import { Around, pageHref, type Ends } from '../paging.js';
import { MOST_ROWS } from '../rows-as-csv.js';
import { ask } from '../send.js';
import { CsvButton } from './csv-button.js';

/**
 * The ways to the other pages of a list, and to a file of all its rows; nothing if it has neither.
 *
 * @param csv the list in the REST API, as restList makes it; empty for no file; if omitted, the file has what
 *   the page asks of the graph
 */
export function Pager({ list, title, ends, csv }: { list: string; title: string; ends: Ends; csv?: string }) {
  const here = useRoute();
  const around = useContext(Around);
  const { hasNextPage, hasPreviousPage, startCursor, endCursor } = ends;
  // Of a list that has nothing there is none.
  const file = startCursor
    ? (csv ??
      (around &&
        (() =>
          import('../graph-as-csv.js').then(({ graphAsCsv }) =>
            graphAsCsv(around, list, ends, { ask, most: MOST_ROWS }),
          ))))
    : undefined;
  const isFirst = !here.query[`${list}After`] && !here.query[`${list}Before`];
  const isWhole = isFirst && !hasNextPage;
  if (isWhole && !file) return null;
  return (
    <nav class="pager" aria-label={`Pages of: ${title}`}>
      {!isFirst && <a href={pageHref(here, list)}>First</a>}
      {hasPreviousPage && startCursor && <a href={pageHref(here, list, { before: startCursor })}>Previous</a>}
      {hasNextPage && endCursor && <a href={pageHref(here, list, { after: endCursor })}>Next</a>}
      {file && <CsvButton title={title} path={file} />}
    </nav>
  );
}
