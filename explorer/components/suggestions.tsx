import { useEffect, useState } from 'preact/hooks';
import { ask } from '../ask.js';
import { SuggestionsDocument, type SuggestionsQuery } from '../generated/graphql.js';
import { words } from '../search.js';
import { shownName } from './text.js';

/** How long nothing is typed before suggestions are asked for, milliseconds. */
const PAUSE = 250;
/** Fewest characters for which they are, and most: no id has more, nor what names are found by. */
const [LEAST, MOST] = [2, 100];

/**
 * What a text may become, as the options of its field. Without an answer there are none: the text can be
 * searched without them.
 */
export function Suggestions({ id, text }: { id: string; text: string }) {
  const [suggestions, setSuggestions] = useState<SuggestionsQuery['searchSuggestions']>([]);
  useEffect(() => {
    const leaving = new AbortController();
    const timer = window.setTimeout(() => {
      if (text.length < LEAST || text.length > MOST) return setSuggestions([]);
      ask(SuggestionsDocument, { text }, leaving.signal).then(
        (answer) => setSuggestions(answer.searchSuggestions),
        () => setSuggestions([]),
      );
    }, PAUSE);
    return () => {
      leaving.abort();
      window.clearTimeout(timer);
    };
  }, [text]);
  return (
    <datalist id={id}>
      {suggestions?.map(({ kind, value, name, network }) => (
        <option key={`${kind} ${network} ${value}`} value={value}>
          {[name === null ? '' : shownName(name), words[kind], network].filter(Boolean).join(', ')}
        </option>
      ))}
    </datalist>
  );
}
