import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPool, storageOn } from '../harness/connections.js';
import { createDatabase, type TestDatabase } from '../harness/database.js';
import { dumpFollowed } from '../harness/followed-dump.js';
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

describe.runIf(hasRecordedNode)('the snapshot of docs/mainnet.md', () => {
  const genesis = recordedFile('network-a', 'genesis.json');
  const snapshot = readFileSync(new URL('../../docs/mainnet.md', import.meta.url), 'utf8')
    .split('## Starting from a snapshot')[1]!
    .split('\n## ')[0]!;
  const [give = '', ...take] = [...snapshot.matchAll(/^```\n([^]*?)^```$/gm)].flatMap(([, text = '']) =>
    text.trim().split('\n'),
  );
  let node: RecordedNode;
  let databases: TestDatabase[] = [];
  let folder: string;
  beforeAll(async () => {
    node = await startRecordedNode('network-a');
    databases = await Promise.all([createDatabase(), createDatabase()]);
    folder = mkdtempSync(join(tmpdir(), 'moraine-snapshot-'));
  });
  afterAll(async () => {
    await node.close();
    await Promise.all(databases.map((database) => database.drop()));
    rmSync(folder, { recursive: true });
  });

  /** The words of a line, with this node, its genesis file and a folder of this test. */
  const run = async (line: string, database: TestDatabase, more: readonly string[] = []) => {
    const own = line
      .replace('http://127.0.0.1:9650', node.url)
      .replace('genesis.json', genesis)
      .replaceAll('snapshot', join(folder, 'snapshot'));
    const [, settings = '', command = ''] = /^((?:[A-Z]+=\S+ )*)moraine (.*)$/.exec(own) ?? [];
    const words = command.split(' ').flatMap((word) => {
      const [parent, isAll] = [word.slice(0, -2), word.endsWith('/*')];
      return isAll ? readdirSync(parent).map((name) => join(parent, name)) : [word];
    });
    const env = Object.fromEntries(
      settings
        .trim()
        .split(' ')
        .filter(Boolean)
        .map((each) => each.split('=')),
    );
    const process = launch([...words, ...more], {
      ...(env as Record<string, string>),
      DATABASE_URL: database.url,
    });
    const { code } = await process.ended;
    expect(code, `${line}\n${process.output()}`).toBe(0);
    return process.output();
  };

  // It takes minutes, most of them for the proof: SNAPSHOT=on.
  test.runIf(process.env['SNAPSHOT'] === 'on')(
    'is made, taken, proved and followed on by its commands as written',
    { timeout: 600_000 },
    async () => {
      const [giver, taker] = databases as [TestDatabase, TestDatabase];
      await node.moveHeads({ P: 1500, X: 800, C: 300 });
      const follow = `moraine follow http://127.0.0.1:9650 --genesis genesis.json`;
      const own = ['--as', 'fuji', '--once'];
      await run(follow, giver, [...own, '--only', 'p,x,c-atomic,internals,nfts,messages']);
      await run(give, giver);
      const [imported, verified, followed] = take as [string, string, string];
      expect(take).toHaveLength(3);
      await run(imported, taker);
      expect(await run(verified, taker)).toMatch(/blocks/);
      await node.moveHeads({ P: 2119, X: 1110, C: 550 });
      await run(followed, taker, [...own, '--only', 'p,x,c-atomic,internals,nfts,messages']);
      await run(follow, giver, [...own, '--only', 'p,x,c-atomic,internals,nfts,messages']);
      const [one, other] = await Promise.all(databases.map(({ url }) => rowsOf(url)));
      expect(other).toEqual(one);
    },
  );
});

/** Every row of a database. */
async function rowsOf(url: string) {
  const pool = createPool(url, 2);
  try {
    return await dumpFollowed(storageOn(pool));
  } finally {
    await pool.end();
  }
}

test.runIf(!hasRecordedNode)('no recorded network lies in ../shared/node', () => {
  expect(hasRecordedNode).toBe(false);
});
