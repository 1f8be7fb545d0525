import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

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
