import { readRecipes } from '../../src/recipes.js';

/** The questions of docs/recipes.md. */
export const recipes = readRecipes()[0]!.examples.map(({ name, title, query, variables }) => ({
  name,
  question: title,
  document: query,
  variables: JSON.parse(variables) as Record<string, unknown>,
}));
