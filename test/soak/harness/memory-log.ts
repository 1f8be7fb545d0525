import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Gateway } from '../../hostile/harness/gateway.js';
import type { Sample } from './slope.js';

const EVERY_MS = 1000;
const preload = fileURLToPath(new URL('heap-log.mjs', import.meta.url));

/** Memory of a gateway, bytes. */
export interface MemoryLog {
  /** Settings for its start. */
  env: Record<string, string>;
  /** Samples from now on. */
  start: (gateway: Gateway) => void;
  /** Resident memory, each second. */
  resident: readonly Sample[];
  /** Memory in use right after full collections. */
  held: () => { heap: Sample[]; resident: Sample[] };
  stop: () => void;
}

/** @param collectEveryMs how often the gateway collects and logs its heap */
export function openMemoryLog(collectEveryMs: number): MemoryLog {
  const folder = mkdtempSync(join(tmpdir(), 'moraine-soak-'));
  const file = join(folder, 'heap');
  const resident: Sample[] = [];
  let timer: NodeJS.Timeout | undefined;
  return {
    env: {
      NODE_OPTIONS: `--import ${pathToFileURL(preload).href}`,
      HEAP_LOG: file,
      HEAP_LOG_MS: String(collectEveryMs),
    },
    start(gateway) {
      timer = setInterval(
        () => resident.push({ at: performance.now(), value: gateway.memory().now }),
        EVERY_MS,
      );
    },
    resident,
    held() {
      const lines = readFileSync(file, 'utf8').trim().split('\n');
      const samples = lines.map((line) => {
        const [at = 0, heap = 0, resident = 0] = line.split(' ').map(Number);
        return { at: at - performance.timeOrigin, heap, resident };
      });
      return {
        heap: samples.map(({ at, heap }) => ({ at, value: heap })),
        resident: samples.map(({ at, resident }) => ({ at, value: resident })),
      };
    },
    stop() {
      clearInterval(timer);
      rmSync(folder, { recursive: true });
    },
  };
}
