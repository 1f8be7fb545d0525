// Fails if a text or the name of a file has a refused word. Decisions and the changelog stay as they were
// written.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findRefusedWords, isRefusedFile } from './refused-words.js';

const root = new URL('../', import.meta.url);
const folders = ['src', 'explorer', 'packages', 'sample', 'test', 'bench', 'bin', 'docs'];
const pages = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'schema.graphql', 'prisma/schema.prisma'];
/** What others generate or wrote before, and the two files that name the words. */
const left = /^(src\/generated|explorer\/generated|docs\/decisions)\/|\/refused-words(\.test)?\.ts$/;

const filesIn = (folder: string) =>
  readdirSync(fileURLToPath(new URL(folder, root)), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(tsx?|mjs|md|css)$/.test(file))
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`);

const files = [...folders.flatMap(filesIn), ...pages].filter((file) => !left.test(file));
const named = files
  .filter(isRefusedFile)
  .map((file) => `${file}: the name of the file is refused; see CONTRIBUTING.md, "Names"`);
const written = files.flatMap((file) =>
  findRefusedWords(readFileSync(new URL(file, root), 'utf8')).map(
    ({ line, word, instead }) => `${file}:${line}: "${word}" is refused; write ${instead}`,
  ),
);
const lines = [...named, ...written];
for (const line of lines) console.error(line);
if (lines.length > 0) process.exitCode = 1;
