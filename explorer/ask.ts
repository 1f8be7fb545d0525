import { useLocation } from 'preact-iso';
import { useEffect, useState } from 'preact/hooks';
import type { TypedDocumentString } from './generated/graphql.js';

/** What is known of an answer: `data` stays shown while it is asked again. */
export interface Answer<Data> {
  data?: Data;
  /** For people: what was refused, or that the gateway cannot be reached. */
  failure?: string;
  /** Whether `data` are of other variables, and those of these are awaited. */
  isEarlier?: boolean;
}

interface Reply<Data> {
  data?: Data | null;
  errors?: { message: string }[];
}

/**
 * Asks the gateway that served the page.
 *
 * @throws Error with the gateway's own words, for people
 */
export async function ask<Data, Variables>(
  document: TypedDocumentString<Data, Variables>,
  variables: Variables,
  signal?: AbortSignal,
): Promise<Data> {
  const reply = await fetch('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ query: String(document), variables }),
    signal,
  }).catch((error: unknown) => {
    // What browsers say of it is not for people.
    throw signal?.aborted ? error : new Error('The gateway cannot be reached.');
  });
  const { data, errors } = (await reply.json()) as Reply<Data>;
  const messages = errors?.map(({ message }) => message);
  if (messages?.length) throw new Error(messages.join(' '));
  if (!data) throw new Error(`The gateway answered with status ${reply.status}.`);
  return data;
}

/**
 * The answer to a document, asked when its variables change, and again while the page is seen. When only a
 * query of the page's address changes, such as the page of a list, the former data stay shown until the new
 * ones are there.
 *
 * @param everyMs how long after an answer it is asked again, milliseconds; if omitted, never
 */
export function useAnswer<Data, Variables>(
  document: TypedDocumentString<Data, Variables>,
  variables: Variables,
  everyMs?: number,
): Answer<Data> {
  const { path } = useLocation();
  const key = JSON.stringify([String(document), variables]);
  const [known, setKnown] = useState<Answer<Data> & { of: string; at: string }>({ of: '', at: '' });
  useEffect(() => {
    const leaving = new AbortController();
    let timer: number | undefined;
    const again = () => {
      timer = window.setTimeout(() => void run(), everyMs);
    };
    const run = async () => {
      if (window.document.hidden) return again();
      try {
        const data = await ask(document, variables, leaving.signal);
        setKnown({ of: key, at: path, data });
      } catch (error) {
        if (leaving.signal.aborted) return;
        const failure = wordsOf(error);
        setKnown((before) => ({
          of: key,
          at: path,
          data: before.of === key ? before.data : undefined,
          failure,
        }));
      }
      if (everyMs && !leaving.signal.aborted) again();
    };
    void run();
    return () => {
      leaving.abort();
      window.clearTimeout(timer);
    };
  }, [key, everyMs]);
  if (known.of === key) return known;
  return known.at === path && known.data ? { data: known.data, isEarlier: true } : {};
}

/** For people. */
export const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
