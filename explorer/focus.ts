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
