import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Gateway } from '../harness/gateway.js';

/** What a gateway holds: between full collections its memory grows and shrinks by itself. */
export interface HeldMemory {
  /** Settings for its start. */
  readonly env: Record<string, string>;
  /** Memory in use right after a full collection, MiB. */
  read(gateway: Gateway): Promise<number>;
  drop(): void;
}

export function heldMemory(): HeldMemory {
  const folder = mkdtempSync(join(tmpdir(), 'moraine-bench-held-'));
  const file = join(folder, 'held');
  const preload = pathToFileURL(join(import.meta.dirname, 'collect.mjs')).href;
  return {
    env: { NODE_OPTIONS: `--import ${preload}`, HELD_FILE: file },
    async read({ child }) {
      rmSync(file, { force: true });
      child.kill('SIGUSR2');
      while (!existsSync(file) || readFileSync(file, 'utf8') === '') await sleep(50);
      return Number(readFileSync(file, 'utf8')) / 2 ** 20;
    },
    drop: () => rmSync(folder, { recursive: true }),
  };
}
