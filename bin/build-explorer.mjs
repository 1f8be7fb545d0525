// Bundles the explorer into dist/explorer, and fails if its first view is larger than it may be.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** Bytes of the first view after gzip: the script and the style. */
const MOST_BYTES = 65_000;

const options = {
  outdir: at('dist/explorer'),
  tsconfig: at('explorer/tsconfig.json'),
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  legalComments: 'eof',
};

/** Only pages with a chart load it, from the address at which the gateway serves it. */
const chartsApart = {
  name: 'charts apart',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\/plot\.js$/ }, () => ({ path: '/explorer/plot.js', external: true })),
};

await build({ ...options, entryPoints: { app: at('explorer/main.tsx') }, plugins: [chartsApart] });
// Code splitting would also split off a part of preact-iso that the explorer never runs.
await build({ ...options, entryPoints: { plot: at('explorer/charts/plot.ts') } });

// A gateway that answers trusted operations alone (TRUSTED_OPERATIONS) trusts these.
const { outputFiles } = await build({
  ...options,
  entryPoints: [at('explorer/generated/graphql.ts')],
  write: false,
});
const generated = await import(
  `data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`
);
const documents = Object.entries(generated).filter(([name]) => name.endsWith('Document'));
writeFileSync(at('dist/explorer/documents.json'), JSON.stringify(documents.map(([, text]) => String(text))));

const sizeOf = (...names) =>
  names
    .map((name) => gzipSync(readFileSync(at(`dist/explorer/${name}`))).length)
    .reduce((sum, each) => sum + each, 0);
const bytes = sizeOf('app.js', 'app.css');
console.log(
  `the explorer's first view has ${bytes} bytes after gzip, at most ${MOST_BYTES} are allowed; charts have ${sizeOf('plot.js')}`,
);
if (bytes > MOST_BYTES) process.exitCode = 1;
