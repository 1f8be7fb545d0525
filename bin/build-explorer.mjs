// Bundles the explorer into dist/explorer, and fails if its first view is larger than it may be.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** Bytes of a page that visits begin with, after gzip: scripts and style. */
const MOST_BYTES = 60_000;

// The names of files have hashes, so that those of an earlier build would stay.
rmSync(at('dist/explorer'), { recursive: true, force: true });

const { metafile } = await build({
  entryPoints: { app: at('explorer/main.tsx'), libraries: at('explorer/libraries.ts') },
  outdir: at('dist/explorer'),
  plugins: [{ name: 'documents', setup: dropUnsent }],
  // Where the gateway serves them: what is imported when it is needed is a file of its own.
  publicPath: '/explorer',
  splitting: true,
  tsconfig: at('explorer/tsconfig.json'),
  bundle: true,
  minify: true,
  metafile: true,
  format: 'esm',
  target: 'es2022',
  legalComments: 'eof',
});

/** Fragments have texts of their own, which the documents repeat: without this mark they stay. */
function dropUnsent(build) {
  build.onLoad({ filter: /generated.*graphql\.ts$/ }, ({ path }) => ({
    contents: readFileSync(path, 'utf8').replaceAll('= new Typed', '= /* @__PURE__ */ new Typed'),
    loader: 'ts',
  }));
}
// Only for what it divides.
rmSync(at('dist/explorer/libraries.js'));

const outputs = Object.fromEntries(
  Object.entries(metafile.outputs).map(([path, output]) => [basename(path), output]),
);

/** The scripts that a script needs before it runs. */
const neededBy = (name) =>
  outputs[name].imports
    .filter(({ kind }) => kind === 'import-statement')
    .flatMap(({ path }) => [basename(path), ...neededBy(basename(path))]);

const scripts = Object.keys(outputs).filter((name) => name.endsWith('.js') && name !== 'libraries.js');
const first = [...new Set(neededBy('app.js'))];
/** The file of some pages, and what these need in addition. */
const filesOf = (pages) => {
  const [file] = scripts.filter((name) => name.startsWith(`${pages}-`));
  return [...new Set([file, ...neededBy(file)])].filter((name) => !first.includes(name));
};
const pages = { start: filesOf('start'), things: filesOf('things'), others: filesOf('others') };
const ofPages = Object.values(pages).flat();
const later = scripts.filter((name) => !['app.js', ...first, ...ofPages].includes(name));
// What the gateway serves in addition to app.js and app.css.
writeFileSync(at('dist/explorer/files.json'), JSON.stringify({ first, pages, later }));

// A gateway that answers trusted operations alone (TRUSTED_OPERATIONS) trusts these.
const { outputFiles } = await build({
  entryPoints: ['graphql.ts', 'things/graphql.ts', 'others/graphql.ts'].map((name) =>
    at(`explorer/generated/${name}`),
  ),
  outdir: at('dist/explorer'),
  bundle: true,
  format: 'esm',
  write: false,
});
const generated = await Promise.all(
  outputFiles.map(
    ({ contents }) => import(`data:text/javascript;base64,${Buffer.from(contents).toString('base64')}`),
  ),
);
const documents = generated
  .flatMap((module) => Object.entries(module))
  .filter(([name]) => name.endsWith('Document'))
  .map(([, text]) => String(text));
writeFileSync(at('dist/explorer/documents.json'), JSON.stringify(documents));

const sizeOf = (...names) =>
  names
    .map((name) => gzipSync(readFileSync(at(`dist/explorer/${name}`))).length)
    .reduce((sum, each) => sum + each, 0);
const viewOf = (files) => sizeOf('app.js', ...first, ...files, 'app.css');
const [start, things, others] = Object.values(pages).map(viewOf);
const rest = later.map((name) => `${name.replace(/-\w+\.js$/, '')} ${sizeOf(name)}`).join(', ');
console.log(
  `the explorer's first view has ${start} bytes after gzip, that of a transaction, a block or an address ${things}, of which at most ${MOST_BYTES} are allowed, and that of other pages ${others}; loaded later: ${rest}`,
);
if (Math.max(start, things) > MOST_BYTES) process.exitCode = 1;
