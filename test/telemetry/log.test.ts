import { hostname } from 'node:os';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { launch, launchOnTerminal } from '../harness/launched.js';
import { screenOf } from '../harness/screen.js';

const script = fileURLToPath(new URL('../harness/log-process.mjs', import.meta.url));

/** What the process writes. */
async function written(start: typeof launch, env: Record<string, string> = {}): Promise<string> {
  const launched = start([], env, script);
  expect((await launched.ended).code, launched.output()).toBe(0);
  return launched.output();
}

const first = '0001_first';
/** The last lines; those of the steps come before them. */
const sentences = [
  'loaded (rows 12, seconds 0.1, parts ["a","b"])',
  'warning: sent\\u{d}\\n23:59:59 error: forged \\u{1b}[2J\\u{9b}1A\\u{202e}\\u{2028}end ' +
    '(operation sent\\u{d}\\n23:59:59 error: forged \\u{1b}[2J\\u{9b}1A\\u{202e}\\u{2028}end)',
  'error: a request failed: TypeError: no answer: connect ECONNREFUSED 127.0.0.1:1 (at file://',
];

/** The lines without the time of day that each begins with. */
const timeless = (lines: string[]) =>
  lines.filter(Boolean).map((line) => {
    expect(line).toMatch(/^\d\d:\d\d:\d\d /);
    return line.slice(9);
  });

describe.each([
  ['a terminal', launchOnTerminal, {}],
  ['a terminal, with LOG_FORMAT=text', launchOnTerminal, { LOG_FORMAT: 'text' }],
])('on %s', (_where, start, env) => {
  test('each record is one line, whatever a client sent, and steps share a line that counts them', async () => {
    const output = await written(start, env);
    expect(timeless(screenOf(output))).toEqual([
      'applied a migration (3 so far, migration 0003_third)',
      ...sentences.slice(0, 2),
      expect.stringContaining(sentences[2]!),
    ]);
  });
});

test('a terminal gets colours unless NO_COLOR is set, and no other control characters than our own', async () => {
  const coloured = await written(launchOnTerminal);
  expect(coloured).toContain('\u001b[33mwarning: \u001b[39m');
  const plain = await written(launchOnTerminal, { NO_COLOR: '1' });
  const own = ['\u001b[A', '\u001b[K', '\r', '\n'];
  const rest = own.reduce((text, each) => text.replaceAll(each, ''), plain);
  expect(rest).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
});

test('with LOG_FORMAT=text what is no terminal gets the same lines, without control characters', async () => {
  const output = await written(launch, { LOG_FORMAT: 'text' });
  expect(output.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  expect(timeless(output.split('\n'))).toEqual([
    `applied a migration (migration ${first})`,
    'applied a migration (migration 0002_second)',
    'applied a migration (migration 0003_third)',
    ...sentences.slice(0, 2),
    expect.stringContaining(sentences[2]!),
  ]);
});

test.each([
  ['a pipe', launch, {}],
  ['a pipe, with LOG_FORMAT=json', launch, { LOG_FORMAT: 'json' }],
  ['a terminal, with LOG_FORMAT=json', launchOnTerminal, { LOG_FORMAT: 'json' }],
])('%s gets the JSON that pino writes', async (_where, start, env) => {
  const lines = (await written(start, env)).split(/\r?\n/).filter(Boolean);
  const records = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(records).toHaveLength(6);
  const { time, pid } = records[0] as { time: number; pid: number };
  const host = JSON.stringify(hostname());
  expect(lines[0]).toBe(
    `{"level":30,"time":${time},"pid":${pid},"hostname":${host},"migration":"${first}","msg":"applied a migration"}`,
  );
  expect(records.at(-1)).toMatchObject({
    level: 50,
    msg: 'a request failed',
    err: { message: 'no answer: connect ECONNREFUSED 127.0.0.1:1', stack: expect.stringContaining('\n') },
  });
});
