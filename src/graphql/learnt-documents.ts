import { hash } from 'node:crypto';
import type { SharedDocuments } from '../access/shared-documents.js';
import type { CacheFigures } from '../telemetry/cache-figures.js';

/** Memory of an entry without its text, bytes. */
const ENTRY_BYTES = 300;

/** The lower-case hexadecimal digits by which clients name a document. */
export const sha256Of = (text: string): string => hash('sha256', text, 'hex');

/**
 * Documents that clients sent together with their SHA-256, so that the hash alone is enough the next time.
 * The least recently used are dropped first. What this process does not remember, another gateway may have
 * put into Redis.
 */
export class LearntDocuments implements CacheFigures {
  hits = 0;
  misses = 0;
  bytes = 0;
  /** By hash; the least recently used first. */
  private readonly texts = new Map<string, string>();

  /**
   * @param limit bytes, here and in Redis
   * @param shared undefined: only this process remembers
   */
  constructor(
    private readonly limit: number,
    private readonly shared: SharedDocuments | undefined,
  ) {}

  get size(): number {
    return this.texts.size;
  }

  async find(sha256: string): Promise<string | undefined> {
    const text = this.use(sha256) ?? (await this.findShared(sha256));
    if (text === undefined) this.misses += 1;
    else this.hits += 1;
    return text;
  }

  /** Whether the text is the one that this process remembers under the hash. */
  knows(sha256: string, text: string): boolean {
    return this.texts.get(sha256) === text;
  }

  /** Remembers a text, here and for other gateways. */
  async learn(sha256: string, text: string): Promise<void> {
    this.keep(sha256, text);
    await this.shared?.keep(sha256, text, this.limit);
  }

  private async findShared(sha256: string): Promise<string | undefined> {
    const text = await this.shared?.find(sha256);
    // Others may write into a Redis; what they wrote is no document of this client.
    if (text === undefined || sha256Of(text) !== sha256) return undefined;
    this.keep(sha256, text);
    return text;
  }

  private use(sha256: string): string | undefined {
    const text = this.texts.get(sha256);
    if (text === undefined) return undefined;
    this.texts.delete(sha256);
    this.texts.set(sha256, text);
    return text;
  }

  private keep(sha256: string, text: string): void {
    if (bytesOf(text) > this.limit) return;
    if (this.use(sha256) === undefined) this.bytes += bytesOf(text);
    this.texts.set(sha256, text);
    for (const [oldest, dropped] of this.texts) {
      if (this.bytes <= this.limit) break;
      this.texts.delete(oldest);
      this.bytes -= bytesOf(dropped);
    }
  }
}

const bytesOf = (text: string) => ENTRY_BYTES + 2 * text.length;
