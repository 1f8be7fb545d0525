import { recipes } from '../src/recipes/recipes.js';

/** docs/recipes.md. */
export function recipesPage(): string {
  return [
    '# Recipes',
    'Questions that wallets, explorers and analysts ask, each with the GraphQL query that answers it within the default limits. ' +
      'They are also in GraphiQL (`/graphql`). The variables belong to the generated sample: replace them with your own.',
    ...recipes.flatMap(({ question, text, document, variables }) => [
      `## ${question}`,
      text,
      fenced('graphql', document),
      fenced('json', JSON.stringify(variables, null, 2)),
    ]),
    '',
  ]
    .join('\n\n')
    .replace(/\n\n$/, '\n');
}

const fenced = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\``;
