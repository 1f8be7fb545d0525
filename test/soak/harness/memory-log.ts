import type { Gateway } from '../../hostile/harness/gateway.js';
import type { Sample } from './slope.js';

const EVERY_MS = 1000;

/** Memory of a gateway each second, bytes. */
export interface MemoryLog {
  resident: readonly Sample[];
  heap: readonly Sample[];
  stop: () => void;
}

/** Reads the memory of a gateway each second until it is stopped. */
export function logMemory(gateway: Gateway): MemoryLog {
  const resident: Sample[] = [];
  const heap: Sample[] = [];
  const timer = setInterval(() => {
    const at = performance.now();
    resident.push({ at, value: gateway.memory().now });
    gateway.metric('nodejs_heap_size_used_bytes').then(
      (value) => heap.push({ at, value }),
      // The test sees by itself when the gateway no longer answers.
      () => undefined,
    );
  }, EVERY_MS);
  return { resident, heap, stop: () => clearInterval(timer) };
}
