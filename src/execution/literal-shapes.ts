import type { GraphQLSchema } from 'graphql';
import type { CacheFigures } from '../telemetry/cache-figures.js';
import type { Documents } from '../graphql/documents.js';
import type { DocumentLimits } from '../graphql/limits/complexity.js';
import { mostCharacters } from '../graphql/limits/tokens.js';
import { validateBounded } from '../graphql/limits/plugin.js';
import { literalsOf } from './literals.js';
import { parseOrNull, PREFIX, withVariables } from './literal-variables.js';

/** Most shapes that are remembered, and most bytes of them. */
const [MOST_SHAPES, MOST_BYTES] = [1024, 2 * 1024 * 1024];
/**
 * Most tokens of a document that is answered by its shape: a longer one costs more requests when it is new.
 */
const MOST_TOKENS = 250;

/** An operation whose literals are variables. */
export interface SameOperation {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/**
 * What is known of a shape: it was seen once, it cannot have variables for its literals, or the document that
 * has them.
 */
type Shape = 'once' | 'none' | { readonly query: string };

/**
 * Texts that differ in literals alone are one operation. Clients that write ids into their texts send each
 * text once: from the second text of a shape on, its literals are the variables of one document, which has
 * its plan like any other.
 */
export class LiteralShapes implements CacheFigures {
  hits = 0;
  misses = 0;
  bytes = 0;
  /** The least recently used first. */
  private readonly shapes = new Map<string, Shape>();

  private readonly mostTokens: number;
  private readonly mostCharacters: number;

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly documents: Documents,
    { MAX_TOKENS }: Pick<DocumentLimits, 'MAX_TOKENS'>,
  ) {
    this.mostTokens = Math.min(MOST_TOKENS, MAX_TOKENS);
    this.mostCharacters = mostCharacters(MAX_TOKENS);
  }

  get size(): number {
    return this.shapes.size;
  }

  /**
   * Whether `find` would read a document for this text: the first one of its shape whose literals are
   * variables, or that one again after it was dropped.
   */
  wouldRead(text: string): boolean {
    if (this.shapes.size === 0 || text.length > this.mostCharacters) return false;
    const known = this.shapes.get(literalsOf(text)?.shape ?? '');
    return known === 'once' || (typeof known === 'object' && !this.documents.find(known.query));
  }

  /**
   * The same operation as that of a text which was not seen before.
   *
   * @param given variables of the request
   */
  find(text: string, given: Readonly<Record<string, unknown>> | undefined): SameOperation | null {
    // What is too long is refused, although another text of its shape may not be.
    if (text.length > this.mostCharacters) return null;
    const taken = literalsOf(text);
    if (!taken) return null;
    const { shape, literals } = taken;
    const known = this.use(shape);
    if (known === undefined) this.misses += 1;
    if (known === undefined) return this.keep(shape, 'once');
    this.hits += 1;
    if (known === 'none') return null;
    const query = known === 'once' ? withVariables(this.schema, text, taken, this.mostTokens) : known.query;
    if (query === null || !this.isValid(query)) return this.keep(shape, 'none');
    if (known === 'once') this.keep(shape, { query });
    const own = literals.map(({ value }, index) => [PREFIX + String(index), value] as const);
    return { query, variables: { ...given, ...Object.fromEntries(own) } };
  }

  private use(shape: string): Shape | undefined {
    const known = this.shapes.get(shape);
    if (known === undefined) return undefined;
    this.shapes.delete(shape);
    this.shapes.set(shape, known);
    return known;
  }

  private keep(shape: string, known: Shape): null {
    this.forget(shape);
    this.shapes.set(shape, known);
    this.bytes += bytesOf(shape, known);
    for (const oldest of this.shapes.keys()) {
      if (this.shapes.size <= MOST_SHAPES && this.bytes <= MOST_BYTES) break;
      this.forget(oldest);
    }
    return null;
  }

  private forget(shape: string): void {
    const known = this.shapes.get(shape);
    if (known === undefined) return;
    this.shapes.delete(shape);
    this.bytes -= bytesOf(shape, known);
  }

  /** Whether a document of ours is valid; then it is cached. It may have been dropped. */
  private isValid(query: string): boolean {
    if (this.documents.find(query)) return true;
    const document = parseOrNull(query, Infinity);
    if (!document || validateBounded(this.schema, document).length > 0) return false;
    this.documents.remember(query, document);
    return true;
  }
}

const bytesOf = (shape: string, known: Shape) =>
  200 + 2 * shape.length + (typeof known === 'string' ? 0 : 2 * known.query.length);
