// Bundles the explorer into dist/explorer, and fails if its first view is larger than it may be.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** Bytes of the first view after gzip: the script and the style. */
const MOST_BYTES = 40_000;

const { outputFiles } = await build({
  entryPoints: { app: at('explorer/main.tsx') },
  outdir: at('dist/explorer'),
  tsconfig: at('explorer/tsconfig.json'),
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  legalComments: 'eof',
  write: false,
});
mkdirSync(at('dist/explorer'), { recursive: true });
for (const { path, contents } of outputFiles) writeFileSync(path, contents);
const bytes = ['app.js', 'app.css']
  .map((name) => gzipSync(readFileSync(at(`dist/explorer/${name}`))).length)
  .reduce((sum, each) => sum + each, 0);
console.log(`the explorer's first view has ${bytes} bytes after gzip; at most ${MOST_BYTES} are allowed`);
if (bytes > MOST_BYTES) process.exitCode = 1;
