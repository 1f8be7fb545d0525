import { createContext } from 'preact';
import { useRoute } from 'preact-iso/router';

/** Rows on a page of a list. */
const ROWS = 24;

/** The variables that say which page of a list is asked for. */
export type PageVariables<List extends string> = {
  [Key in `${List}First` | `${List}Last`]?: number;
} & { [Key in `${List}After` | `${List}Before`]?: string };

/** What a page of a list says of its neighbours. */
export interface Ends {
  hasNextPage: boolean;
  hasPreviousPage: boolean;
  startCursor?: string | null;
  endCursor?: string | null;
}

/** What a page, or a part of it, asked, and the answer. */
export interface AskedPage {
  /** A document, as a text. */
  document: { toString: () => string };
  variables: unknown;
  data: unknown;
}

/** What is asked where a list is shown: files of lists are made with it. */
export const Around = createContext<AskedPage | undefined>(undefined);

/**
 * The pages of lists that the address names, such as `?holdersAfter=CURSOR`; of other lists the first.
 *
 * @param lists names of the lists, as the variables of the document begin
 */
export function usePages<List extends string>(...lists: List[]): PageVariables<List> {
  const { query } = useRoute();
  const entries = lists.flatMap((list): [string, string | number][] => {
    const before = query[`${list}Before`];
    const after = query[`${list}After`];
    if (before)
      return [
        [`${list}Last`, ROWS],
        [`${list}Before`, before],
      ];
    return [[`${list}First`, ROWS], ...(after ? [[`${list}After`, after] as [string, string]] : [])];
  });
  return Object.fromEntries(entries) as PageVariables<List>;
}

/** The address of another page of one list; the other lists stay where they are. */
export function pageHref(
  here: { path: string; query: Record<string, string> },
  list: string,
  page?: { after: string } | { before: string },
): string {
  const query = new URLSearchParams(here.query);
  query.delete(`${list}After`);
  query.delete(`${list}Before`);
  if (page && 'after' in page) query.set(`${list}After`, page.after);
  if (page && 'before' in page) query.set(`${list}Before`, page.before);
  const text = query.toString();
  return text ? `${here.path}?${text}` : here.path;
}
