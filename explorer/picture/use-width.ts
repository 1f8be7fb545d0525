import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

/** The width of an element, pixels: pictures are drawn for it, so that their text is not scaled. */
export function useWidth(of: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = of.current;
    if (!element) return;
    const fit = () => setWidth(element.clientWidth);
    fit();
    const seen = new ResizeObserver(fit);
    seen.observe(element);
    return () => seen.disconnect();
  }, [of]);
  return width;
}
