// Writes docs/tables.md, which is committed.
import { writeFileSync } from 'node:fs';
import { tablesPage } from './tables-page.js';

writeFileSync(new URL('../docs/tables.md', import.meta.url), await tablesPage());
