import { parse, type DocumentNode } from 'graphql';
import { shareOf } from '../gate.js';
import type { CacheFigures } from '../telemetry/cache-figures.js';

/** Most documents that are remembered. */
const MOST_DOCUMENTS = 256;
/** Longest document that is remembered, characters. */
const LONGEST = 8192;
/**
 * What a parsed document takes, bytes: for each token with its node, each line (which may be a comment, also a token) and
 * each character; measured, the densest of ten kinds of documents took 515 for a token, 89 for a comment.
 */
const BYTES = { document: 2500, token: 550, line: 100, character: 2 };

interface Remembered {
  text: string;
  document: DocumentNode;
  bytes: number;
}

/**
 * The one memory of clients' documents: parsed documents, plans, statements, costs and answers to introspection are all
 * counted in its bytes. Those not asked for longest go first. Strangers choose what is in it.
 */
export class Documents implements CacheFigures {
  hits = 0;
  misses = 0;
  bytes = 0;
  private readonly published = new Map<string, Remembered>();
  private readonly others = new Map<string, Remembered>();
  private readonly byDocument = new WeakMap<DocumentNode, Remembered>();

  /**
   * @param limit bytes
   * @param published texts of our own that clients are given to ask: they are kept from the start, whatever else is asked
   */
  constructor(
    private readonly limit: number,
    published: readonly string[] = [],
  ) {
    for (const text of published) this.keep(this.published, text, parse(text));
  }

  /** Documents of others. */
  get size(): number {
    return this.others.size;
  }

  /** A document that is remembered; counted when it spares parsing it: see `used`. */
  find(text: string): DocumentNode | undefined {
    const known = this.published.get(text);
    if (known) return known.document;
    const found = this.others.get(text);
    if (!found) return undefined;
    // A map lists its keys in the order of insertion, which so becomes the order of use.
    this.others.delete(text);
    this.others.set(text, found);
    return found.document;
  }

  /** The same, counted. */
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

  /** Remembers a document that is valid. */
  remember(text: string, document: DocumentNode): void {
    if (text.length > LONGEST || this.find(text)) return;
    this.keep(this.others, text, document);
    this.forgetOldest();
  }

  /** Whether so many bytes more may be remembered of a document, which has a quarter at most; they are counted then. */
  makeRoom(document: DocumentNode, bytes: number): boolean {
    const of = this.byDocument.get(document);
    if (!of || of.bytes + bytes > shareOf(this.limit)) return false;
    const isPublished = this.published.get(of.text) === of;
    // It may have been forgotten while it was being answered.
    if (!isPublished && this.others.get(of.text) !== of) return false;
    of.bytes += bytes;
    this.bytes += bytes;
    this.forgetOldest();
    return true;
  }

  private keep(where: Map<string, Remembered>, text: string, document: DocumentNode): void {
    const remembered = { text, document, bytes: bytesOf(text, document) };
    where.set(text, remembered);
    this.byDocument.set(document, remembered);
    this.bytes += remembered.bytes;
  }

  private forgetOldest(): void {
    for (const [text, { bytes, document }] of this.others) {
      if (this.bytes <= this.limit && this.others.size <= MOST_DOCUMENTS) return;
      this.others.delete(text);
      this.byDocument.delete(document);
      this.bytes -= bytes;
    }
  }
}

function bytesOf(text: string, { tokenCount = 0 }: DocumentNode): number {
  const lines = text.split(/\r\n|[\n\r]/).length;
  return BYTES.document + BYTES.token * tokenCount + BYTES.line * lines + BYTES.character * text.length;
}
