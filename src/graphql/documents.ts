import { parse, type DocumentNode } from 'graphql';
import { shareOf } from '../concurrency-limit.js';
import type { CacheFigures } from '../telemetry/cache-figures.js';

/** Most documents that are cached. */
const MOST_DOCUMENTS = 256;
/** Longest document that is cached, characters. */
const LONGEST = 8192;
/**
 * Memory of a parsed document, bytes: for each token with its node, each line (which may be a comment, also a
 * token) and each character. Measured: of ten kinds of documents the densest took 515 for a token, 89 for a
 * comment.
 */
const BYTES = { document: 2500, token: 550, line: 100, character: 2 };

interface Remembered {
  text: string;
  document: DocumentNode;
  bytes: number;
}

/**
 * The one cache of clients' documents: parsed documents, plans, statements, costs and answers to
 * introspection all count in its bytes. The least recently used documents are dropped first. Clients choose
 * what is in it.
 */
export class Documents implements CacheFigures {
  hits = 0;
  misses = 0;
  bytes = 0;
  private readonly published = new Map<string, Remembered>();
  private readonly others = new Map<string, Remembered>();
  private readonly byDocument = new WeakMap<DocumentNode, Remembered>();
  /** The one of `others` that was used last, when it is known. */
  private newest: Remembered | undefined;

  /**
   * @param limit bytes
   * @param published documents of ours that we publish, such as examples: cached from the start, and
   * never dropped
   */
  constructor(
    private readonly limit: number,
    published: readonly string[] = [],
  ) {
    for (const text of published) this.keep(this.published, text, parse(text));
  }

  /** Documents of clients. */
  get size(): number {
    return this.others.size;
  }

  /** A document that is cached; the hit is counted when it spares parsing it: see `used`. */
  find(text: string): DocumentNode | undefined {
    const known = this.published.get(text);
    if (known) return known.document;
    if (this.newest?.text === text) return this.newest.document;
    const found = this.others.get(text);
    if (!found) return undefined;
    // A Map iterates in the order of insertion, which this makes the order of use.
    this.others.delete(text);
    this.others.set(text, found);
    this.newest = found;
    return found.document;
  }

  /** The same, and counted as a hit. */
  findCounted(text: string): DocumentNode | undefined {
    const found = this.find(text);
    if (found) this.hits += 1;
    else this.misses += 1;
    return found;
  }

  /** To be called for a document that was found and used. */
  used(): void {
    this.hits += 1;
  }

  /** Caches a document that is valid. */
  remember(text: string, document: DocumentNode): void {
    if (text.length > LONGEST || this.find(text)) return;
    this.keep(this.others, text, document);
    this.forgetOldest();
  }

  /** Whether a document, which may take a quarter of the memory, may use so many more bytes; counts them. */
  makeRoom(document: DocumentNode, bytes: number): boolean {
    const of = this.byDocument.get(document);
    if (!of || of.bytes + bytes > shareOf(this.limit)) return false;
    const isPublished = this.published.get(of.text) === of;
    // It may have been dropped while it was being answered.
    if (!isPublished && this.others.get(of.text) !== of) return false;
    of.bytes += bytes;
    this.bytes += bytes;
    this.forgetOldest();
    return true;
  }

  private keep(where: Map<string, Remembered>, text: string, document: DocumentNode): void {
    const remembered = { text, document, bytes: bytesOf(text, document) };
    where.set(text, remembered);
    this.newest = undefined;
    this.byDocument.set(document, remembered);
    this.bytes += remembered.bytes;
  }

  private forgetOldest(): void {
    for (const [text, { bytes, document }] of this.others) {
      if (this.bytes <= this.limit && this.others.size <= MOST_DOCUMENTS) return;
      this.others.delete(text);
      this.newest = undefined;
      this.byDocument.delete(document);
      this.bytes -= bytes;
    }
  }
}

function bytesOf(text: string, { tokenCount = 0 }: DocumentNode): number {
  const lines = text.split(/\r\n|[\n\r]/).length;
  return BYTES.document + BYTES.token * tokenCount + BYTES.line * lines + BYTES.character * text.length;
}
