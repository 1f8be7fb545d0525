import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase, type TestDatabase } from '../harness/database.js';
import { commandLine } from '../harness/moraine.js';

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await createDatabase();
  folder = await mkdtemp(join(tmpdir(), 'moraine-output-'));
  await writeFile(join(folder, 'mainnet.assets.ndjson'), '');
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await database.drop();
});

/** Runs a command one of whose outputs nobody reads, and returns what it wrote to the other. */
async function run(args: readonly string[], closed: 'stdout' | 'stderr', env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [commandLine, ...args], {
    env: { PATH: process.env['PATH'], DATABASE_URL: database.url, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child[closed].destroy();
  const other = closed === 'stdout' ? child.stderr : child.stdout;
  const [said, [code, signal]] = await Promise.all([text(other), once(child, 'close')]);
  return { said, code: code as unknown, signal: signal as unknown };
}

/** As a program that SIGPIPE ended: not 0, so that a supervisor starts a service again. */
const brokenPipe = 128 + 13;

test.each([['config'], ['import', 'mainnet.assets.ndjson'], ['export', 'exported'], ['follow', '--gaps']])(
  'moraine %s whose standard output nobody reads ends without a stack trace',
  async (...args) => {
    const placed = args.map((each) => (/^exported|ndjson/.test(each) ? join(folder, each) : each));
    const { said, code, signal } = await run(placed, 'stdout');
    expect(said).not.toMatch(/EPIPE|EIO|^ +at /m);
    expect(signal).toBeNull();
    // It may have done all its work before.
    expect([0, brokenPipe], said).toContain(code);
  },
);

test.each(['1', '2'])('moraine serve of %s processes ends when nobody reads its log', async (processes) => {
  const { said, code } = await run(['serve'], 'stdout', { PROCESSES: processes });
  expect(said).toBe('');
  expect(code).toBe(brokenPipe);
});

test.each(['config', 'serve'])(
  'moraine %s whose output is on a full disk says why it ends',
  async (command) => {
    const full = await open('/dev/full', 'w');
    const child = spawn(process.execPath, [commandLine, command], {
      env: { PATH: process.env['PATH'], DATABASE_URL: database.url, PORT: '0' },
      stdio: ['ignore', full.fd, 'pipe'],
    });
    const [said, [code]] = await Promise.all([text(child.stderr!), once(child, 'close')]);
    await full.close();
    expect(said).toMatch(/^moraine: the output cannot be written: .*no space left on device.*\n$/);
    expect(code).toBe(brokenPipe);
  },
);

test('a command whose standard error nobody reads ends without a stack trace', async () => {
  const { said, code } = await run(['import', 'no-such-file.ndjson'], 'stderr');
  expect(said).toBe('');
  expect([1, brokenPipe]).toContain(code);
});
