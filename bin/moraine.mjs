#!/usr/bin/env node
// Starts the compiled command line; in a clone it first builds what is stale.
import { existsSync } from 'node:fs';

const root = new URL('../', import.meta.url);
if (existsSync(new URL('src/main.ts', root))) {
  const { build } = await import('./build.mjs');
  await build();
}
// GraphQL's development checks look at every value twice.
process.env.NODE_ENV ??= 'production';
const { main } = await import(new URL('dist/main.js', root));
await main(process.argv);
