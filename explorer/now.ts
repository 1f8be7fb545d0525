import { useEffect, useState } from 'preact/hooks';

/** How often ages are written anew, milliseconds: the smallest that changes a word of most. */
const TICK_MS = 10_000;

const shown = new Set<(now: number) => void>();
let clock: number | undefined;

/** The time now, milliseconds; what uses it is drawn again by one clock for all. */
export function useNow(): number {
  const [, tell] = useState(0);
  useEffect(() => {
    shown.add(tell);
    clock ??= window.setInterval(() => {
      for (const each of shown) each(Date.now());
    }, TICK_MS);
    return () => {
      shown.delete(tell);
      if (shown.size > 0) return;
      window.clearInterval(clock);
      clock = undefined;
    };
  }, []);
  return Date.now();
}
