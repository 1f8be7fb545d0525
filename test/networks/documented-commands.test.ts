import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDatabase, type TestDatabase } from '../harness/database.js';
import { launch } from '../harness/launched.js';
import {
  hasRecordedNode,
  recordedFile,
  startRecordedNode,
  type RecordedNode,
} from '../harness/recorded-node.js';
import { dumpChain, type SqdDump } from '../harness/sqd-archive.js';

const page = readFileSync(new URL('../../docs/following.md', import.meta.url), 'utf8');
const blocks = [...page.matchAll(/^```\n([^]*?)^```$/gm)].map(([, text = '']) => text);
/** What is written as code within a sentence. */
const spans = [...page.replaceAll(/^```\n[^]*?^```$/gm, '').matchAll(/`([^`\n]+)`/g)].map(
  ([, text = '']) => text,
);

const written = [
  ...blocks.flatMap((text) =>
    [...text.matchAll(/^(?:\$ )?(moraine follow .*)$/gm)].map(([, line = '']) => line),
  ),
  ...spans.filter((text) => /^moraine follow [^…]/.test(text)),
];

/** Options that stand alone, by their names. */
const options = new Map<string, string[]>();
for (const text of new Set(spans))
  if (/^--(?:once$|(?:again|as|from|l1|only|processes|ranges|teleporter|token) )/.test(text)) {
    const [name = ''] = text.split(' ');
    options.set(name, [...(options.get(name) ?? []), text]);
  }

/** As many commands as it takes to have each of them, one of a name in each command. */
const most = Math.max(...[...options.values()].map(({ length }) => length));
const together = Array.from({ length: most }, (_, turn) => {
  const chosen = [...options.values()].map((all) => all[turn] ?? '');
  return ['moraine follow URL', ...chosen.filter((text) => text !== '')].join(' ');
});
const commands = [...written, ...together];

/** The other commands of its blocks, on a line of their own. */
const others = blocks.flatMap((text) =>
  [...text.matchAll(/^moraine (?!follow)[a-z].*$/gm)].map(([line]) => line),
);

/** What stands for a value of the reader's. */
const instead: readonly [RegExp, string][] = [
  [/\bNAME=(?:now|HEIGHT)\b/, 'p=now'],
  [/\bHEIGHT\b|(?<==)M\b/, '7'],
  [/\bNAMES\b/, 'p,x'],
  [/\bCOUNT\b/, '2'],
  [/\bADDRESS\b…?/, `0x${'7'.repeat(40)}`],
];

describe.runIf(hasRecordedNode)('docs/following.md', () => {
  let node: RecordedNode;
  let database: TestDatabase;
  let dump: SqdDump;
  const genesis = recordedFile('network-a', 'genesis.json');
  beforeAll(async () => {
    [node, database] = await Promise.all([startRecordedNode('network-a'), createDatabase()]);
    dump = await dumpChain(`${node.url}/ext/bc/C/rpc`, { last: 49, perFile: 25 });
  });
  afterAll(async () => {
    await node.close();
    await Promise.all([database.drop(), dump.drop()]);
  });

  const run = async (args: readonly string[]) => {
    const process = launch(args, { DATABASE_URL: database.url });
    const { code } = await process.ended;
    return { code, said: process.output() };
  };

  /** Its words, with this node and its files instead of those of the page. */
  const wordsOf = (command: string): string[] => {
    const own = command
      .replaceAll(/(--l1 )URL…?/g, `$1${node.url}/ext/bc/C/rpc`)
      .replaceAll(/\b(?:ARCHIVE_NODE|URL)\b/g, node.url)
      .replaceAll(/http:\/\/127\.0\.0\.1:\d+(?!\d)/g, node.url)
      .replaceAll(/\/ext\/bc\/BLOCKCHAIN_ID\//g, '/ext/bc/C/')
      .replaceAll(/\b43114=\/data\/c-chain\b/g, `43337=${dump.folder}`)
      .replaceAll(/\bgenesis(?:_\w+)?\.json\b/g, genesis);
    const whole = instead.reduce(
      (text, [pattern, value]) => text.replaceAll(new RegExp(pattern, 'g'), value),
      own,
    );
    return whole.split(' ').slice(1);
  };

  test('its commands are many', () => {
    expect(commands.length + [...options.values()].flat().length).toBeGreaterThan(25);
    expect(others.length).toBeGreaterThan(1);
  });

  test.each([...new Set(commands)])('is understood as written: %s', async (command) => {
    const words = wordsOf(command);
    // Nothing is followed here: --check reads all options, and asks the node.
    const check = words.includes('--check') || words.includes('--gaps') ? [] : ['--check'];
    const { code, said } = await run([...words, ...check]);
    expect(code, said).not.toBe(null);
    expect(said).not.toMatch(/unknown option|missing required|too many arguments|is not one of|Which node/);
    expect(code, said).toBe(0);
  });

  test.each([...new Set(others)])('is understood as written: %s', async (command) => {
    const { code, said } = await run(wordsOf(command));
    expect(said).not.toMatch(/unknown option|unknown command|missing required|too many arguments/);
    // Into this database: verify.test.ts compares those that were.
    if (!said.includes('has nothing that was followed')) expect(code, said).toBe(0);
  });

  test('prints what --check prints', async () => {
    const [, command = '', shown = ''] = /^\$ (moraine follow .*)\n([^]*)$/.exec(
      blocks.find((text) => text.startsWith('$ moraine follow'))!,
    )!;
    const { code, said } = await run(wordsOf(command));
    expect(code).toBe(0);
    expect(said.replaceAll(node.url, 'http://127.0.0.1:9650')).toContain(shown);
  });
});

test.runIf(!hasRecordedNode)('no recorded network lies in ../shared/node', () => {
  expect(hasRecordedNode).toBe(false);
});
