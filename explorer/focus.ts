import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

/** Keeps the focus when what has it is moved; near it when it is gone, as a row that newer ones push out. */
export function useKeptFocus(root: RefObject<HTMLElement | null>): void {
  /** What has the focus, and what is around it, from the inside. */
  const focused = useRef<readonly EventTarget[]>([]);
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const note = (event: FocusEvent) => {
      const isInside = root.current?.contains(event.target as Node);
      focused.current = isInside ? event.composedPath() : [];
    };
    document.addEventListener('focusin', note, { signal });
    // There is no event for an element that is taken away; for one that the pointer leaves there is this.
    document.addEventListener('pointerdown', () => (focused.current = []), { signal, capture: true });
    return () => leaving.abort();
  }, []);
  useLayoutEffect(() => {
    if (focused.current.length === 0 || document.activeElement !== document.body) return;
    const next = focused.current.find(
      (each): each is HTMLElement => each instanceof HTMLElement && each.isConnected && each.tabIndex >= 0,
    );
    focused.current = [];
    next?.focus({ preventScroll: true });
  });
}

/** Has a row of links that is wider than the window show the current one. @param current changes with it */
export function useCurrentSeen(current: string): RefObject<HTMLElement | null> {
  const row = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const link = row.current?.querySelector('[aria-current]');
    if (!row.current || !link) return;
    const [outer, inner] = [row.current, link].map((each) => each.getBoundingClientRect());
    if (outer && inner) row.current.scrollLeft += inner.x - outer.x - (outer.width - inner.width) / 2;
  }, [current]);
  return row;
}
