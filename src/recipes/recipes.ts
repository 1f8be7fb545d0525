import { ledger } from './ledger.js';
import { network } from './network.js';
import type { Recipe } from './recipe.js';
import { wallets } from './wallets.js';

/** GraphiQL shows them, and docs/recipes.md, which `npm run recipes` writes. */
export const recipes: readonly Recipe[] = [...wallets, ...ledger, ...network];
