import type { CacheFigures } from '../../telemetry/cache-figures.js';
import type { IdSet } from './id-set.js';

// What an entry takes beside the ids: key, map slot, objects.
const ENTRY_BYTES = 500;

/** Sets by key, at most so many bytes of them; those not used for longest go first. */
export class SetCache implements CacheFigures {
  private readonly entries = new Map<string, IdSet>();
  private held = 0;
  hits = 0;
  misses = 0;

  /** @param limit bytes; a set larger than that is never kept */
  constructor(private readonly limit: number) {}

  /** Memory of the sets that are kept, bytes. */
  get bytes(): number {
    return this.held;
  }

  get size(): number {
    return this.entries.size;
  }

  get(key: string): IdSet | undefined {
    const set = this.entries.get(key);
    if (set) this.hits += 1;
    else this.misses += 1;
    if (set) {
      // A map lists its keys in the order of insertion, which so becomes the order of use.
      this.entries.delete(key);
      this.entries.set(key, set);
    }
    return set;
  }

  set(key: string, set: IdSet): void {
    this.remove(key);
    if (set.bytes + ENTRY_BYTES > this.limit) return;
    this.entries.set(key, set);
    this.held += set.bytes + ENTRY_BYTES;
    for (const oldest of this.entries.keys()) {
      if (this.held <= this.limit) break;
      this.remove(oldest);
    }
  }

  private remove(key: string): void {
    const set = this.entries.get(key);
    if (!set) return;
    this.entries.delete(key);
    this.held -= set.bytes + ENTRY_BYTES;
  }
}
