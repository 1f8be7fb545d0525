import type { RefObject } from 'preact';
import { useLocation } from 'preact-iso/router';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { askOnce } from '../ask.js';
import { SuggestionsDocument, type SuggestionsQuery } from '../generated/graphql.js';
import { searchPath } from '../paths.js';
import { words } from '../search.js';
import { shownName } from './text.js';

/** Longest text that is searched: a row as JSON may be pasted. */
const LONGEST = 8192;
/** How long nothing is typed before suggestions are asked for, milliseconds. */
const PAUSE = 250;
/** Fewest characters for which they are, and most: no id has more, nor what names are found by. */
const [LEAST, MOST] = [2, 100];

type Suggestion = NonNullable<SuggestionsQuery['searchSuggestions']>[number];

/**
 * What a text may become. Without an answer there is nothing: the text can be searched without it.
 *
 * @param text empty for none
 */
function useSuggestions(text: string): readonly Suggestion[] {
  const [found, setFound] = useState<{ of: string; suggestions: readonly Suggestion[] }>();
  const isAsked = text.length >= LEAST && text.length <= MOST;
  useEffect(() => {
    if (!isAsked) return;
    let isLeft = false;
    const timer = window.setTimeout(() => {
      askOnce(SuggestionsDocument, { text }).then(
        ({ searchSuggestions }) => !isLeft && setFound({ of: text, suggestions: searchSuggestions ?? [] }),
        () => undefined,
      );
    }, PAUSE);
    return () => {
      isLeft = true;
      window.clearTimeout(timer);
    };
  }, [text]);
  // Those of the text before stay until the next are there: nothing jumps.
  return isAsked && found ? found.suggestions : [];
}

/** What a suggestion is, and where. */
const aboutOf = ({ kind, name, network }: Suggestion) =>
  [name === null ? '' : shownName(name), words[kind], network].filter(Boolean).join(', ');

/** Has / lead to a field, except for who types it. */
function useSlash(field: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const lead = (event: KeyboardEvent) => {
      const isTyping = document.activeElement?.matches('input, textarea, select, [contenteditable]');
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
      event.preventDefault();
      field.current?.focus();
      field.current?.select();
    };
    addEventListener('keydown', lead);
    return () => removeEventListener('keydown', lead);
  }, []);
}

/** The search, which / leads to; what a text may become is listed below it while it is typed. */
export function SearchField({ network }: { network: string }) {
  const { route } = useLocation();
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState(-1);
  const suggestions = useSuggestions(isOpen ? typed : '');
  const isListed = isOpen && suggestions.length > 0;
  useSlash(field);
  const close = () => {
    setOpen(false);
    setChosen(-1);
  };
  const search = (text: string) => {
    close();
    if (!text) return;
    field.current?.blur();
    route(searchPath(network, text));
  };
  const submit = (event: Event) => {
    event.preventDefault();
    search(suggestions[chosen]?.value ?? field.current?.value.trim() ?? '');
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && isListed) {
      event.preventDefault();
      return close();
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    setOpen(true);
    // From the text through all suggestions and back to the text.
    const count = suggestions.length + 1;
    setChosen((before) => ((before + 1 + step + count) % count) - 1);
  };
  return (
    <form role="search" class="search" onSubmit={submit}>
      <input
        ref={field}
        type="search"
        name="text"
        maxLength={LONGEST}
        autocomplete="off"
        role="combobox"
        list={undefined}
        aria-expanded={isListed}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={chosen < 0 ? undefined : `${id}-${chosen}`}
        aria-label="Search"
        aria-keyshortcuts="/"
        placeholder="Address, hash, id, block number or name"
        onInput={({ currentTarget }) => {
          setTyped(currentTarget.value.trim());
          setOpen(true);
          setChosen(-1);
        }}
        onKeyDown={press}
        onBlur={close}
      />
      <button type="submit">Search</button>
      <List id={id} suggestions={suggestions} isListed={isListed} chosen={chosen} onChoose={search} />
      <span class="unseen" role="status">
        {isListed && `${suggestions.length} suggestions`}
      </span>
    </form>
  );
}

function List({
  id,
  suggestions,
  isListed,
  chosen,
  onChoose,
}: {
  id: string;
  suggestions: readonly Suggestion[];
  isListed: boolean;
  /** Which one the field names; less than 0 for none. */
  chosen: number;
  onChoose: (text: string) => void;
}) {
  return (
    <ul id={`${id}-list`} role="listbox" aria-label="Suggestions" hidden={!isListed}>
      {suggestions.map((suggestion, index) => (
        <li
          key={`${suggestion.kind} ${suggestion.network} ${suggestion.value}`}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === chosen}
          // The field keeps the focus until the suggestion is chosen.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(suggestion.value)}
        >
          <span class="id">{suggestion.value}</span> <small>{aboutOf(suggestion)}</small>
        </li>
      ))}
    </ul>
  );
}
