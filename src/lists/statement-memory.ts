import { compile, fittingName, type CompiledStatement } from '../storage/statement.js';

/**
 * Most characters of list statements that are remembered, a byte each. A list has a text for each combination of filters, order,
 * direction and cursors, thousands in all, of up to 8 kB: strangers choose what they ask for.
 */
const MOST_CHARACTERS = 16 * 2 ** 20;

/** Statements of lists; those not used for longest are forgotten first, and made again when they are asked for. */
export class StatementMemory {
  characters = 0;
  private readonly known = new Map<string, CompiledStatement>();

  constructor(private readonly most = MOST_CHARACTERS) {}

  /** The statement of this name. @param makeText makes its text, always the same */
  of(name: string, makeText: () => string): CompiledStatement {
    const found = this.known.get(name) ?? this.make(name, makeText());
    // The order of use matters where one will have to go soon: each page comes by here.
    if (this.characters > this.most / 2) this.moveToEnd(name, found);
    return found;
  }

  // A map lists its keys in the order of insertion.
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

/** The memory of all lists. */
export const listStatements = new StatementMemory();
