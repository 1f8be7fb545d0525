import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
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

// It takes minutes, most of them for the proof: SNAPSHOT=on.
const isOn = process.env['SNAPSHOT'] === 'on';

describe.runIf(hasRecordedNode && isOn)('the snapshot of docs/mainnet.md, by its commands as written', () => {
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
  beforeEach(async () => {
    node = await startRecordedNode('network-a');
    databases = await Promise.all([createDatabase(), createDatabase()]);
    folder = mkdtempSync(join(tmpdir(), 'moraine-snapshot-'));
  });
  afterEach(async () => {
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

  const follow = 'moraine follow http://127.0.0.1:9650 --genesis genesis.json';
  const own = ['--as', 'fuji', '--once', '--only', 'p,x,c-atomic,internals,nfts,messages'];

  test('is made, taken and followed on', async () => {
    const [giver, taker] = databases as [TestDatabase, TestDatabase];
    // So far that what each of them imports is in the others.
    await node.moveHeads({ P: 1200, X: 526, C: 356 });
    await run(follow, giver, own);
    await run(give, giver);
    const [imported, , followed] = take as [string, string, string];
    await run(imported, taker);
    await node.moveHeads({ P: 2119, X: 1110, C: 550 });
    await run(followed, taker, own);
    await run(follow, giver, own);
    const [one, other] = await Promise.all(databases.map(({ url }) => rowsOf(url)));
    expect(other).toEqual(one);
  });

  // The recording has the state of stakers and unspent outputs of its end alone.
  test('is made, taken and proved', async () => {
    const [giver, taker] = databases as [TestDatabase, TestDatabase];
    await run(follow, giver, own);
    await run(give, giver);
    const [imported, verified] = take as [string, string, string];
    expect(take).toHaveLength(3);
    await run(imported, taker);
    expect(await run(verified, taker)).toMatch(/^blocks of p +[1-4],\d00 +no difference/m);
  });
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

test.runIf(!isOn)('without SNAPSHOT=on it is not tried', () => {
  expect(isOn).toBe(false);
});

test.runIf(!hasRecordedNode)('no recorded network lies in ../shared/node', () => {
  expect(hasRecordedNode).toBe(false);
});
