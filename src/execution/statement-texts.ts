import { documentStatement, type Statement } from '../storage/statement.js';

/** Longest text of a statement, characters. */
const MOST_TEXT = 32_000;

/**
 * The texts of the statements of one document, within the bytes that a document may take: each text is stored
 * once, however many operations and variants use it.
 */
export class StatementTexts {
  private readonly known = new Map<string, Statement>();

  /**
   * @param of whose document it is
   * @param makeRoom see Documents
   */
  constructor(
    private readonly of: 'client' | 'own',
    readonly makeRoom: (bytes: number) => boolean,
  ) {}

  /** Undefined for a text that is too long, or that there is no room for. */
  named(text: string): Statement | undefined {
    const known = this.known.get(text);
    if (known) return known;
    if (text.length > MOST_TEXT || !this.makeRoom(bytesOf(text))) return undefined;
    const made = documentStatement(this.of, text);
    this.known.set(text, made);
    return made;
  }
}

// The plan counts them, and keeps the pieces of the text.
const bytesOf = (text: string) => 2 * text.length + 500;
