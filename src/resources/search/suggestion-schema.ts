import { argumentRefs, argumentsOf } from '../../graphql/arguments.js';
import type { Builder } from '../../graphql/builder.js';
import type { CostExtension } from '../../graphql/limits/cost-extension.js';
import { searchArguments } from './arguments.js';
import { LONGEST_SHOWN_NAME, type SearchSuggestion } from './fields.js';
import { MOST_SUGGESTIONS, suggestionsFor } from './suggestion-loaders.js';

declare module '../../graphql/builder.js' {
  interface ObjectTypes {
    SearchSuggestion: SearchSuggestion;
  }
}

/** A sixth of a search: two statements or three, and no EVM chain is asked. */
const COST = 100;

export function registerSuggestions(builder: Builder): void {
  builder.objectType('SearchSuggestion', {
    description: 'What a text that is being typed may become.',
    fields: (t) => ({
      kind: t.expose('kind', { type: 'SearchKind', description: 'What it is.' }),
      value: t.exposeString('value', {
        description: 'Its whole id, hash or address, which a search finds: see SearchCandidate.value.',
      }),
      name: t.exposeString('name', {
        nullable: true,
        description: `The name or symbol that begins so, its first ${LONGEST_SHOWN_NAME} characters; null if its id begins so.`,
      }),
      network: t.expose('network', {
        type: 'Network',
        nullable: true,
        description: 'Its network; null for NFTs, EVM addresses and EVM transactions.',
      }),
    }),
  });
  builder.queryField('searchSuggestions', (t) =>
    t.field({
      type: ['SearchSuggestion'],
      description: `What a text may become while it is typed, at most ${MOST_SUGGESTIONS}: ids that begin so, then names, each in the order of search. Costs a sixth of search, because it reads no row of what it finds and asks no EVM chain: internal transactions and NFTs are not looked through for beginnings of addresses and hashes. Empty if nothing begins so.`,
      args: argumentRefs(t, searchArguments),
      extensions: { cost: COST } satisfies CostExtension,
      resolve: (_root, args, context) => {
        const { text, network } = argumentsOf(searchArguments, args, context);
        return suggestionsFor(text, network, context);
      },
    }),
  );
}
