import type { CacheFigures } from '../../telemetry/cache-figures.js';
import type { IdSet } from './id-set.js';

// What an entry takes in addition to the ids: key, slot of the Map, objects.
const ENTRY_BYTES = 500;

/** Sets by key, at most so many bytes of them; the least recently used are dropped first. */
export class SetCache implements CacheFigures {
  private readonly entries = new Map<string, IdSet>();
  private used = 0;
  hits = 0;
  misses = 0;

  /** @param limit bytes; a larger set is never cached */
  constructor(private readonly limit: number) {}

  /** Memory of the cached sets, bytes. */
  get bytes(): number {
    return this.used;
  }

  get size(): number {
    return this.entries.size;
  }

  get(key: string): IdSet | undefined {
    const set = this.entries.get(key);
    if (set) this.hits += 1;
    else this.misses += 1;
    if (set) {
      // A Map iterates in the order of insertion, which this makes the order of use.
      this.entries.delete(key);
      this.entries.set(key, set);
    }
    return set;
  }

  set(key: string, set: IdSet): void {
    this.remove(key);
    if (set.bytes + ENTRY_BYTES > this.limit) return;
    this.entries.set(key, set);
    this.used += set.bytes + ENTRY_BYTES;
    for (const oldest of this.entries.keys()) {
      if (this.used <= this.limit) break;
      this.remove(oldest);
    }
  }

  private remove(key: string): void {
    const set = this.entries.get(key);
    if (!set) return;
    this.entries.delete(key);
    this.used -= set.bytes + ENTRY_BYTES;
  }
}
