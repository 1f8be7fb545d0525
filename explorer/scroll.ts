import { useEffect } from 'preact/hooks';

/** How long a page may take to become as long as it was, milliseconds. */
const PATIENCE_MS = 10_000;
/** Under which name the tab keeps how far pages were scrolled. */
const KEPT = 'moraine:scroll';
/** Most entries of the history of which that is kept. */
const MOST_ENTRIES = 50;

interface EntryState {
  entry?: string;
}

/** Names the entry of the history that is shown. */
function entry(): string {
  const state = (history.state ?? {}) as EntryState;
  if (state.entry) return state.entry;
  const named = `${Date.now()} ${Math.random()}`;
  history.replaceState({ ...state, entry: named }, '');
  return named;
}

function kept(): Record<string, number> {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT) ?? '{}') as Record<string, number>;
  } catch {
    // The browser keeps nothing for this site.
    return {};
  }
}

function keep(positions: Record<string, number>): void {
  const newest = Object.entries(positions).slice(-MOST_ENTRIES);
  try {
    sessionStorage.setItem(KEPT, JSON.stringify(Object.fromEntries(newest)));
  } catch {
    // As above.
  }
}

/**
 * Has Back lead to where a page was scrolled to. The browser does so before the page is there again, which is
 * drawn later and grows.
 */
export function useKeptScroll(): void {
  useEffect(() => {
    const positions = kept();
    let wanted: number | undefined;
    let until = 0;
    const go = () => {
      if (wanted === undefined) return;
      scrollTo(0, wanted);
      if (Math.abs(scrollY - wanted) < 2 || Date.now() > until) wanted = undefined;
    };
    const comeBack = () => {
      wanted = positions[entry()] ?? 0;
      until = Date.now() + PATIENCE_MS;
      // After the page was drawn anew.
      requestAnimationFrame(() => requestAnimationFrame(go));
    };
    const note = () => {
      if (wanted === undefined) positions[entry()] = scrollY;
    };
    // Whoever scrolls meanwhile is not disturbed.
    const giveUp = () => (wanted = undefined);
    const leaving = new AbortController();
    const { signal } = leaving;
    history.scrollRestoration = 'manual';
    addEventListener('popstate', comeBack, { signal });
    addEventListener('scroll', note, { signal, passive: true });
    for (const act of ['wheel', 'touchstart', 'keydown', 'pointerdown'])
      addEventListener(act, giveUp, { signal, passive: true });
    addEventListener('pagehide', () => keep(positions), { signal });
    const growth = new ResizeObserver(go);
    growth.observe(document.body);
    comeBack();
    return () => {
      leaving.abort();
      growth.disconnect();
    };
  }, []);
}
