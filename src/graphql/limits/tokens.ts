import { Lexer, parse, Source, TokenKind, type DocumentNode, type ParseOptions } from 'graphql';
import { AppError } from '../../errors.js';

/** Counting goes on a little past the limit, so that a refusal can tell how far off the document is. */
const COUNTED_LIMITS = 10;

/**
 * Parses a client document.
 *
 * @throws AppError QUERY_TOO_COMPLEX when it has more tokens than `max`; GraphQLError for wrong syntax
 */
export function parseBounded(
  text: string | Source,
  max: number,
  options: ParseOptions | undefined,
): DocumentNode {
  try {
    return parse(text, { ...options, maxTokens: max });
  } catch (error) {
    const source = typeof text === 'string' ? new Source(text) : text;
    const tokens = countTokens(source, max * COUNTED_LIMITS);
    // A wrong character before the limit leaves null: then the syntax error is what to tell.
    if (tokens === null || tokens <= max) throw error;
    const counted = tokens === max * COUNTED_LIMITS ? `${tokens} or more` : String(tokens);
    throw new AppError('QUERY_TOO_COMPLEX', `The document has ${counted} tokens; at most ${max} are allowed`);
  }
}

/** Tokens of a text, counted up to `limit`; null when it cannot be read so far. */
function countTokens(source: Source, limit: number): number | null {
  const lexer = new Lexer(source);
  let count = 0;
  try {
    while (count < limit && lexer.advance().kind !== TokenKind.EOF) count += 1;
    return count;
  } catch {
    return null;
  }
}
