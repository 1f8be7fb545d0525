import { compile, fittingName, type CompiledStatement } from '../storage/statement.js';

/**
 * Most characters of cached list statements, a byte each. A list has a text for each combination of filters,
 * order, direction and cursors, thousands in all, of up to 8 kB, and clients choose them.
 */
const MOST_CHARACTERS = 16 * 2 ** 20;

/** Statements of lists; the least recently used are dropped first, and made again on demand. */
export class StatementMemory {
  characters = 0;
  private readonly known = new Map<string, CompiledStatement>();

  constructor(private readonly most = MOST_CHARACTERS) {}

  /** The statement of this name. @param makeText makes its text, always the same */
  of(name: string, makeText: () => string): CompiledStatement {
    const found = this.known.get(name) ?? this.make(name, makeText());
    // The order of use matters only when one must be dropped soon: each page passes here.
    if (this.characters > this.most / 2) this.moveToEnd(name, found);
    return found;
  }

  // A Map iterates in the order of insertion.
  private moveToEnd(name: string, found: CompiledStatement): void {
    this.known.delete(name);
    this.known.set(name, found);
  }

  private make(name: string, text: string): CompiledStatement {
    const made = compile(fittingName(name), text);
    this.known.set(name, made);
    this.characters += made.text.length;
    for (const [oldest, { text: forgotten }] of this.known) {
      if (this.characters <= this.most) break;
      this.known.delete(oldest);
      this.characters -= forgotten.length;
    }
    return made;
  }
}

/** The cache of all lists. */
export const listStatements = new StatementMemory();
