import { Lexer, parse, Source, TokenKind, type DocumentNode, type ParseOptions } from 'graphql';
import { AppError } from '../../errors.js';

/** Counting continues a little past the limit, so that the error can say how far over it the document is. */
const COUNTED_LIMITS = 10;
/**
 * Most characters for each token that is allowed. A document may have as many lines as tokens: blank lines
 * and comments are not tokens, and each error counts the lines before it; 100 errors after 200,000 lines took
 * a second.
 */
const MOST_CHARACTERS = 32;
/** Most characters of a document that may have `max` tokens. */
export const mostCharacters = (max: number): number => MOST_CHARACTERS * max;

/**
 * Parses a client document.
 *
 * @throws AppError QUERY_TOO_COMPLEX when it has more than `max` tokens, more than `max` lines, or more
 *   characters than so many tokens may have; GraphQLError for wrong syntax
 */
export function parseBounded(
  text: string | Source,
  max: number,
  options: ParseOptions | undefined,
): DocumentNode {
  const source = typeof text === 'string' ? new Source(text) : text;
  insistOnLength(source.body, max);
  try {
    return parse(source, { ...options, maxTokens: max });
  } catch (error) {
    const { tokens, isWhole } = countTokens(source, max * COUNTED_LIMITS);
    // A wrong character comes before the limit: then the syntax error is returned.
    if (!isWhole || tokens <= max) throw error;
    const counted = tokens === max * COUNTED_LIMITS ? `${tokens} or more` : String(tokens);
    throw tooLong('tokens', counted, max);
  }
}

/** How long a document is, and how many tokens it has as far as parsing would go. */
export function documentSize(text: string, maxTokens: number): { tokens: number; characters: number } {
  const characters = text.length;
  if (characters > mostCharacters(maxTokens)) return { tokens: 0, characters };
  return { tokens: countTokens(new Source(text), maxTokens).tokens, characters };
}

function insistOnLength(text: string, max: number): void {
  if (text.length > mostCharacters(max))
    throw tooLong('characters', String(text.length), mostCharacters(max));
  const lines = text.split(/\r\n|[\n\r]/, max * COUNTED_LIMITS).length;
  if (lines > max) throw tooLong('lines', String(lines), max);
}

function tooLong(what: string, counted: string, max: number): AppError {
  return new AppError('QUERY_TOO_COMPLEX', `The document has ${counted} ${what}; at most ${max} are allowed`);
}

/** Tokens of a text, counted up to `limit` or to the first that is invalid. */
function countTokens(source: Source, limit: number): { tokens: number; isWhole: boolean } {
  const lexer = new Lexer(source);
  let tokens = 0;
  try {
    while (tokens < limit && lexer.advance().kind !== TokenKind.EOF) tokens += 1;
    return { tokens, isWhole: true };
  } catch {
    return { tokens, isWhole: false };
  }
}
