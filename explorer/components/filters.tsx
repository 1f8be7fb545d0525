import { useLocation, useRoute } from 'preact-iso/router';
import { useEffect, useRef } from 'preact/hooks';
import { filteredHref, useChosen, type Filter } from '../filters.js';

/** The controls of a list. A choice shows at once, a written text with Enter or the button. */
export function Filters({ label, filters }: { label: string; filters: readonly Filter[] }) {
  const { path, query } = useRoute();
  const { route } = useLocation();
  const chosen = useChosen(filters);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    // The address leads, also on Back; the control that has the focus keeps it.
    for (const [name, value] of Object.entries(chosen)) {
      const control = form.current?.elements.namedItem(name);
      if (control instanceof HTMLInputElement || control instanceof HTMLSelectElement) control.value = value;
    }
  }, [JSON.stringify(chosen)]);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (form.current) route(filteredHref(path, query, filters, new FormData(form.current)));
  };
  return (
    <form ref={form} class="filters" aria-label={label} onSubmit={submit}>
      {filters.map(({ name, title, options, isDay = false, check }) => (
        <label key={name}>
          {title}
          {options ? (
            <select name={name} onChange={() => form.current?.requestSubmit()}>
              {Object.entries(options).map(([value, words]) => (
                <option key={value} value={value}>
                  {words}
                </option>
              ))}
            </select>
          ) : isDay ? (
            <input name={name} type="date" />
          ) : (
            <input name={name} autocomplete="off" spellcheck={false} {...check} />
          )}
        </label>
      ))}
      {filters.some(({ options }) => !options) && <button type="submit">Show</button>}
    </form>
  );
}
