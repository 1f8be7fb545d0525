/**
 * A map that forgets what was not read lately. It has two generations; when the younger one is full, the
 * older one is dropped whole. An entry survives at least until `capacity / 2` other keys were read, and the
 * map never has more than `capacity` entries. A Map used as a queue (delete and insert on each use) would
 * keep the exact order, but to find the oldest entry V8 then iterates over the holes that deleted ones left.
 */
export class BoundedMap<Value> {
  private young = new Map<string, Value>();
  private old = new Map<string, Value>();
  private readonly half: number;
  private youngWeight = 0;

  /** @param weightOf how much of the capacity an entry takes, where that is not 1 */
  constructor(
    capacity: number,
    private readonly weightOf: (value: Value) => number = () => 1,
  ) {
    this.half = Math.max(1, Math.floor(capacity / 2));
  }

  /** Number of entries; one that was read again lately counts in both generations. */
  get size(): number {
    return this.young.size + this.old.size;
  }

  get(key: string): Value | undefined {
    const value = this.young.get(key);
    if (value !== undefined) return value;
    const older = this.old.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  set(key: string, value: Value): void {
    const weight = this.weightOf(value);
    if (this.youngWeight + weight - this.weightAt(key) > this.half) this.age();
    this.youngWeight += weight - this.weightAt(key);
    this.young.set(key, value);
  }

  delete(key: string): void {
    this.youngWeight -= this.weightAt(key);
    this.young.delete(key);
    this.old.delete(key);
  }

  /** Drops what was not read since the last call; the rest goes with the next call unless it is read. */
  age(): void {
    this.old = this.young;
    this.young = new Map();
    this.youngWeight = 0;
  }

  private weightAt(key: string): number {
    const value = this.young.get(key);
    return value === undefined ? 0 : this.weightOf(value);
  }
}
