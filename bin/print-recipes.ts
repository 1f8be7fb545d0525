// Writes docs/recipes.md, which is committed.
import { writeFileSync } from 'node:fs';
import { recipesPage } from './recipes-page.js';

writeFileSync(new URL('../docs/recipes.md', import.meta.url), recipesPage());
