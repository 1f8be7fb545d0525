import type { Plugin } from 'graphql-yoga';
import { refusal } from '../access/charge.js';
import type { Access } from '../access/access-control.js';
import type { Config } from '../config.js';
import type { Documents } from './documents.js';
import { documentSize } from './limits/tokens.js';
import type { NewDocuments } from './new-documents.js';

/** How much of a document that is not cached one request pays for. */
const ONE_REQUEST = { tokens: 250, characters: 4096 };

/**
 * What a document that is not cached costs by its length.
 *
 * @param maxTokens see documentSize
 * @returns requests, not rounded
 */
export function priceOfLength(query: string, maxTokens: number): number {
  const { tokens, characters } = documentSize(query, maxTokens);
  return Math.max(tokens / ONE_REQUEST.tokens, characters / ONE_REQUEST.characters);
}

/**
 * A document that is not cached costs by its length if that is more than its root fields: it has to be parsed
 * and checked, which takes up to 10 ms. A caller who may not pay is refused before that, and who may waits
 * for its turn. An operation that the plan never admits has paid, as one whose text differs in literals alone
 * from a cached one: its refusal is admission's to report.
 */
export function readInTurn(
  { MAX_TOKENS }: Pick<Config, 'MAX_TOKENS'>,
  documents: Documents,
  newDocuments: NewDocuments,
  toGraphQLError: (error: unknown) => Error,
): Plugin {
  async function pay(query: string, { charge }: Access): Promise<void> {
    if (!charge.limited || (charge.isTaken && !charge.decision)) return;
    charge.owe(priceOfLength(query, MAX_TOKENS));
    const decision = await charge.look();
    if (!decision.admitted) throw refusal(decision, charge.plan);
  }
  return {
    async onParams({ params, context, setResult }) {
      // A body may be JSON without an object: `null`.
      const query = (params as { query?: unknown } | null)?.query;
      if (typeof query !== 'string' || documents.find(query)) return;
      const { access } = context as { access: Access };
      try {
        await pay(query, access);
        await newDocuments.turn(access);
      } catch (error) {
        setResult({ errors: [toGraphQLError(error) as never] });
      }
    },
  };
}
