/** A place in bytes where the id of something stands that has another id in each repetition. */
export interface Reference {
  readonly offset: number;
  /** The recorded id, in hex. */
  readonly id: string;
}

/** Finds ids in bytes: a look at each offset, by its first 6 bytes. */
export class IdFinder {
  private readonly starts = new Map<number, string[]>();

  constructor(ids: Iterable<string>) {
    for (const id of ids) {
      const start = Number.parseInt(id.slice(0, 12), 16);
      this.starts.set(start, [...(this.starts.get(start) ?? []), id]);
    }
  }

  find(bytes: Buffer): Reference[] {
    const found: Reference[] = [];
    for (let offset = 0; offset + 32 <= bytes.length; offset += 1) {
      const ids = this.starts.get(bytes.readUIntBE(offset, 6));
      if (!ids) continue;
      const id = bytes.toString('hex', offset, offset + 32);
      if (ids.includes(id)) found.push({ offset, id });
    }
    return found;
  }
}
