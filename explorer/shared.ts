import type { Query, QueryClient } from '@tanstack/query-core';
import { useEffect, useState } from 'preact/hooks';

/** What a tab tells the others. */
interface SharedAnswer {
  key: readonly unknown[];
  data: unknown;
  /** When it was answered, milliseconds since 1970. */
  at: number;
}

/** Whether an answer is asked for again and again, as `meta` of a query says. */
export interface Repeated extends Record<string, unknown> {
  path: string;
  isRepeated: boolean;
}

/** Whether a query is asked for again and again. */
export const isRepeated = ({ meta }: Pick<Query, 'meta'>) => !!meta?.['isRepeated'];

/** Has the tabs of a browser share what they ask for again and again. */
export function shareAnswers(client: QueryClient): void {
  const channel = new BroadcastChannel('moraine');
  const answers = client.getQueryCache();
  answers.subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success' || event.action.manual) return;
    const { queryKey, state } = event.query as Query;
    if (isRepeated(event.query))
      channel.postMessage({
        key: queryKey,
        data: state.data,
        at: state.dataUpdatedAt,
      } satisfies SharedAnswer);
  });
  channel.onmessage = (message: MessageEvent<unknown>) => {
    const { key, data, at } = message.data as SharedAnswer;
    const known = answers.find({ queryKey: key });
    if (known && isRepeated(known) && known.state.dataUpdatedAt < at)
      client.setQueryData(key, data, { updatedAt: at });
  };
}

/** Whether the tab is seen. */
export function useSeen(): boolean {
  const [isSeen, setSeen] = useState(!document.hidden);
  useEffect(() => {
    const look = () => setSeen(!document.hidden);
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
  return isSeen;
}

/** Resolves when the tab is seen, at once if it is. */
export const seen = () =>
  new Promise<void>((resolve) => {
    const look = () => {
      if (document.hidden) return;
      document.removeEventListener('visibilitychange', look);
      resolve();
    };
    document.addEventListener('visibilitychange', look);
    look();
  });

/**
 * Whether this tab asks for all tabs of the browser: one does of those that are seen and want the same. The
 * browser has locks only in a secure context; without one every tab asks, and waits anew when another did.
 */
export function useLead(name: string, wants: boolean): boolean {
  const [leads, setLeads] = useState(false);
  const takesPart = useSeen() && wants;
  useEffect(() => {
    if (!takesPart) return;
    const leaving = new AbortController();
    const lead = () => {
      setLeads(true);
      return new Promise((resolve) => leaving.signal.addEventListener('abort', resolve));
    };
    if ('locks' in navigator)
      // Refused when the tab leaves before it leads.
      navigator.locks.request(`moraine ${name}`, { signal: leaving.signal }, lead).catch(() => undefined);
    else void lead();
    return () => {
      setLeads(false);
      leaving.abort();
    };
  }, [name, takesPart]);
  return takesPart && leads;
}
