import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { test } from 'vitest';
import { whileAttacked, type Attacked } from '../harness/attacked.js';

const SECONDS = 4;
const fetchFiles = fileURLToPath(new URL('../harness/fetch-files.mjs', import.meta.url));
/** The page, and the files that it loads. */
const paths = ['/graphql', '/graphiql/graphiql.js', '/graphiql/graphiql.css'];

const fetching =
  (encoding: string) =>
  ({ url }: Attacked) => {
    const child = spawn(process.execPath, [fetchFiles, url, encoding, '4', ...paths], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const printed = text(child.stdout);
    return {
      stop: async () => {
        child.stdin.end();
        return (await printed).trim();
      },
    };
  };

/** In one run: what the others see without it, too. */
test.each([
  ['nobody fetches GraphiQL', () => ({ stop: () => Promise.resolve() })],
  ['GraphiQL and its files without compression, 4 connections', fetching('identity')],
  ['GraphiQL and its files compressed, 4 connections', fetching('gzip')],
])('%s', (fault, attack) => whileAttacked(fault, SECONDS, attack));
