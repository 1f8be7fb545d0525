/** Why bytes are not what they should be, with where, for people. */
export class CodecError extends Error {
  /**
   * @param offset position in the input, in bytes from 0
   * @param expected what should have been there
   */
  constructor(
    readonly offset: number,
    readonly expected: string,
  ) {
    super(`at byte ${offset}: expected ${expected}`);
    this.name = 'CodecError';
  }
}

/**
 * Reads bytes in order, big endian. What it gives are views of the input, never longer than what is left of
 * it, so that a false length costs nothing.
 */
export class ByteReader {
  #offset: number;
  readonly #end: number;
  readonly #view: DataView;
  /** The whole input: a plain array, because views of a Buffer are Buffers, which behave otherwise. */
  readonly bytes: Uint8Array;

  /** Reads the input from `start` up to `end`; positions in errors are those of the whole input. */
  constructor(bytes: Uint8Array, start = 0, end = bytes.length) {
    this.#offset = start;
    this.#end = end;
    this.bytes = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get offset(): number {
    return this.#offset;
  }

  /** @throws CodecError always, at the start of what was `length` bytes long */
  refuse(expected: string, length = 0): never {
    throw new CodecError(this.#offset - length, expected);
  }

  u8(what: string): number {
    return this.#view.getUint8(this.#advance(1, what));
  }

  u16(what: string): number {
    return this.#view.getUint16(this.#advance(2, what));
  }

  u32(what: string): number {
    return this.#view.getUint32(this.#advance(4, what));
  }

  u64(what: string): bigint {
    return this.#view.getBigUint64(this.#advance(8, what));
  }

  /** A 64-bit number of seconds, far below 2^53, as a number. */
  seconds(what: string): number {
    const value = Number(this.u64(what));
    return Number.isSafeInteger(value) ? value : this.refuse(`${what} below 2^53 seconds`, 8);
  }

  take(length: number, what: string): Uint8Array {
    const start = this.#advance(length, what);
    return this.bytes.subarray(start, start + length);
  }

  /** Bytes whose number stands before them. */
  sized(what: string): Uint8Array {
    return this.take(this.u32(`length of ${what}`), what);
  }

  /**
   * The same as a text. A byte that is not UTF-8, or zero, which PostgreSQL cannot store, becomes U+FFFD: it
   * is for people, ids come from the bytes.
   */
  text(what: string): string {
    const text = Buffer.from(this.take(this.u16(`length of ${what}`), what)).toString('utf8');
    return text.replaceAll('\0', '\uFFFD');
  }

  /** What is sized as an input of its own. */
  within(what: string): ByteReader {
    const length = this.u32(`length of ${what}`);
    const start = this.#advance(length, what);
    return new ByteReader(this.bytes, start, start + length);
  }

  /**
   * A list whose number of items stands before it.
   *
   * @param least bytes of the smallest item: a number of items that cannot fit is refused before anything is
   *   read
   */
  list<T>(what: string, least: number, item: () => T): T[] {
    const count = this.u32(`number of ${what}`);
    const room = Math.floor((this.#end - this.#offset) / least);
    if (count > room) this.refuse(`at most ${room} ${what}, not ${count}`, 4);
    const items: T[] = [];
    for (let index = 0; index < count; index += 1) items.push(item());
    return items;
  }

  /** The version that whole objects start with. */
  version(what: string, expected = 0): void {
    if (this.u16(`codec version of ${what}`) !== expected)
      this.refuse(`codec version ${expected} of ${what}`, 2);
  }

  /** @throws CodecError where bytes are left */
  end(what: string): void {
    if (this.#offset < this.#end)
      this.refuse(`the end of ${what}, not ${this.#end - this.#offset} more bytes`);
  }

  #advance(length: number, what: string): number {
    const start = this.#offset;
    if (length > this.#end - start)
      this.refuse(`${what} (${length} bytes), but ${this.#end - start} are left`);
    this.#offset = start + length;
    return start;
  }
}

/** Reads an input to its end. */
export function readWhole<T>(what: string, bytes: Uint8Array, read: (reader: ByteReader) => T): T {
  const reader = new ByteReader(bytes);
  const value = read(reader);
  reader.end(what);
  return value;
}
