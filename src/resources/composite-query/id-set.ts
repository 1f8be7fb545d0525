/**
 * A set of dense address ids (1 to 2^31-1), immutable. Either one bit for each id up to the largest or, if
 * that is smaller, the sorted ids themselves: never more than 4 bytes an id nor a bit per known address.
 *
 * Measured on 2,000,000 of 5,000,000 ids against roaring bitmaps in WebAssembly: filling 8 ms against 436,
 * intersecting and counting 1 ms against 4, the same 625 kB; and nothing to dispose of.
 */
export class IdSet {
  static readonly empty = new IdSet(new Uint32Array(0), false, 0);

  private constructor(
    /** Words of bits, or sorted ids. */
    private readonly data: Uint32Array,
    private readonly dense: boolean,
    readonly size: number,
  ) {}

  /**
   * The ids of `included` that are not in `excluded`.
   *
   * @param included ids in any order, repeated or not
   * @param excluded likewise
   */
  static of(included: Uint32Array, excluded: Uint32Array = new Uint32Array(0)): IdSet {
    if (included.length === 0) return IdSet.empty;
    let largest = 0;
    for (const id of included) if (id > largest) largest = id;
    const words = new Uint32Array((largest >>> 5) + 1);
    for (const id of included) words[id >>> 5] = word(words, id) | bit(id);
    for (const id of excluded) if (id <= largest) words[id >>> 5] = word(words, id) & ~bit(id);
    return fromWords(words);
  }

  /** The intersection of the sets. */
  static and(sets: readonly IdSet[]): IdSet {
    const [smallest, ...others] = [...sets].sort((a, b) => a.data.length - b.data.length);
    if (!smallest) return IdSet.empty;
    const sparse = sets.filter((set) => !set.dense).sort((a, b) => a.size - b.size)[0];
    if (sparse) {
      const rest = sets.filter((set) => set !== sparse);
      const ids = sparse.data.filter((id) => rest.every((set) => set.has(id)));
      return new IdSet(ids, false, ids.length);
    }
    const words = smallest.data.slice();
    for (const { data } of others)
      for (let index = 0; index < words.length; index += 1) words[index] = at(words, index) & at(data, index);
    return fromWords(words);
  }

  /** The union of the sets. */
  static or(sets: readonly IdSet[]): IdSet {
    const words = new Uint32Array(Math.max(0, ...sets.map((set) => (set.largest >>> 5) + 1)));
    for (const { data, dense } of sets) {
      if (dense)
        for (let index = 0; index < data.length; index += 1)
          words[index] = at(words, index) | at(data, index);
      else for (const id of data) words[id >>> 5] = word(words, id) | bit(id);
    }
    return fromWords(words);
  }

  has(id: number): boolean {
    if (this.dense) return (word(this.data, id) & bit(id)) !== 0;
    return this.data[this.firstIndexFrom(id)] === id;
  }

  /** Up to `limit` ids in ascending order, above `after` and below `before`; the last if `fromEnd`. */
  slice(limit: number, after: number | null, before: number | null, fromEnd = false): number[] {
    const low = (after ?? 0) + 1;
    const high = Math.min((before ?? Infinity) - 1, this.largest);
    if (this.dense) {
      const found: number[] = [];
      const step = fromEnd ? -1 : 1;
      for (let id = fromEnd ? high : low; id >= low && id <= high && found.length < limit; id += step) {
        // Words without a bit are skipped, because an intersection may be nearly empty.
        if (word(this.data, id) === 0) id = fromEnd ? id & ~31 : id | 31;
        else if (this.has(id)) found.push(id);
      }
      return fromEnd ? found.reverse() : found;
    }
    const from = this.firstIndexFrom(low);
    const to = Math.max(from, this.firstIndexFrom(high + 1));
    const kept = fromEnd ? [Math.max(from, to - limit), to] : [from, Math.min(to, from + limit)];
    return [...this.data.subarray(...kept)];
  }

  /** Memory of the ids, bytes. */
  get bytes(): number {
    return this.data.byteLength;
  }

  private get largest(): number {
    if (this.dense) return this.data.length * 32 - 1;
    return this.data[this.data.length - 1] ?? 0;
  }

  /** Index of the first of the sorted ids that is not below `id`. */
  private firstIndexFrom(id: number): number {
    let low = 0;
    let high = this.data.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (at(this.data, middle) < id) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The set as a text, for another process. */
  toText(): string {
    const { buffer, byteOffset, byteLength } = this.data;
    return (this.dense ? 'bits ' : 'ids ') + Buffer.from(buffer, byteOffset, byteLength).toString('base64');
  }

  /** @param text as toText writes it on a machine of the same byte order */
  static fromText(text: string): IdSet {
    const [kind, data = ''] = text.split(' ');
    // A copy, because a Buffer may begin anywhere in its memory.
    const words = new Uint32Array(new Uint8Array(Buffer.from(data, 'base64')).buffer);
    return kind === 'bits' ? IdSet.fromWords(words) : IdSet.of(words);
  }

  /** @param words bits; used, not copied */
  static fromWords(words: Uint32Array): IdSet {
    let size = 0;
    for (const each of words) size += bitCount(each);
    if (size >= words.length) return new IdSet(words, true, size);
    const ids = new Uint32Array(size);
    let next = 0;
    for (let index = 0; index < words.length; index += 1) {
      for (let rest = at(words, index); rest !== 0; rest &= rest - 1) {
        ids[next] = index * 32 + (31 - Math.clz32(rest & -rest));
        next += 1;
      }
    }
    return new IdSet(ids, false, size);
  }
}

const fromWords = (words: Uint32Array) => IdSet.fromWords(words);
const bit = (id: number) => 1 << (id & 31);
// Beyond the end of an array there is undefined, which bitwise operators take for 0; the cast says so to the
// compiler.
const at = (data: Uint32Array, index: number) => data[index] as number;
const word = (words: Uint32Array, id: number) => at(words, id >>> 5);

/** Ones in a 32-bit word, by adding neighbouring bits, pairs, nibbles and bytes (Hacker's Delight, 5-1). */
function bitCount(value: number): number {
  const pairs = value - ((value >>> 1) & 0x55555555);
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
