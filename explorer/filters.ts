import { useRoute } from 'preact-iso/router';

/** A control of a list. Its value is in the address of the page, so that Back leads to what was shown. */
export interface Filter {
  /** Its name in the address. */
  name: string;
  title: string;
  /** What can be chosen, by value, the default first; if omitted, a text is written. */
  options?: Readonly<Record<string, string>>;
  /** Whether it is a day, as YYYY-MM-DD. */
  isDay?: boolean;
  /** How a browser checks what is written, and what it says of it. */
  check?: { pattern?: string; inputMode?: 'decimal' | 'numeric'; title?: string };
}

/** The default of a filter: the first option, or no text. */
const defaultOf = ({ options = {} }: Filter) => Object.keys(options)[0] ?? '';

/** The value of each filter by its name: that of the address, or its default. */
export function useChosen<Name extends string>(
  filters: readonly (Filter & { name: Name })[],
): Record<Name, string> {
  const { query } = useRoute();
  return Object.fromEntries(filters.map((filter) => [filter.name, chosenOf(filter, query)])) as Record<
    Name,
    string
  >;
}

function chosenOf(filter: Filter, query: Readonly<Record<string, string>>): string {
  const value = query[filter.name];
  const isKnown = value !== undefined && (!filter.options || Object.hasOwn(filter.options, value));
  return isKnown ? value : defaultOf(filter);
}

/** The address of the first page of a list with other values of its filters; the tab stays. */
export function filteredHref(
  path: string,
  { tab }: Readonly<Record<string, string>>,
  filters: readonly Filter[],
  values: FormData,
): string {
  const query = new URLSearchParams(tab ? { tab } : {});
  for (const filter of filters) {
    const value = values.get(filter.name);
    if (typeof value !== 'string') continue;
    if (value.trim() !== defaultOf(filter)) query.set(filter.name, value.trim());
  }
  const text = query.toString();
  return text ? `${path}?${text}` : path;
}

/** A written text as a variable: none where nothing is written. */
export const written = (text: string) => text || undefined;

/**
 * A written number of whole coins in smallest units; undefined where nothing is written. What is no number
 * stays as it is: the gateway says what is wrong with it.
 */
export function unitsOf(text: string, denomination: number): string | undefined {
  const [, whole, rest = ''] = /^(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === undefined || rest.length > denomination) return text || undefined;
  return BigInt(whole + rest.padEnd(denomination, '0')).toString();
}

/** Between which days the rows of a list are. */
export const dayFilters = [
  { name: 'since', title: 'From day, UTC', isDay: true },
  { name: 'until', title: 'Before day, UTC', isDay: true },
] as const satisfies readonly Filter[];

/** Written days as the arguments of the graph, and as the bounds of the REST API, which are exclusive. */
export function timesOf(since: string, until: string) {
  const graph = { since: secondsOf(since), until: secondsOf(until) };
  const startTimestamp = graph.since && String(Number(graph.since) - 1);
  return { graph, rest: { startTimestamp, endTimestamp: graph.until } };
}

/** Unix seconds of the beginning of a written day of UTC; undefined where none is written. */
function secondsOf(day: string): string | undefined {
  const seconds = Date.parse(`${day}T00:00:00Z`) / 1000;
  return Number.isNaN(seconds) ? day || undefined : String(seconds);
}
