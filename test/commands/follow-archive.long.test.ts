import { writeFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createDatabase, type TestDatabase } from '../harness/database.js';
import { launch, type Launched } from '../harness/launched.js';
import {
  hasRecordedNode,
  recordedFile,
  startRecordedNode,
  type RecordedNode,
} from '../harness/recorded-node.js';
import { dumpChain, type SqdDump } from '../harness/sqd-archive.js';

const [HEAD, LAST, CHAIN] = [120, 99, '43337'];

describe.runIf(hasRecordedNode)('moraine follow --archive', () => {
  let node: RecordedNode;
  let database: TestDatabase;
  let dump: SqdDump;
  const launched: Launched[] = [];

  beforeAll(async () => {
    node = await startRecordedNode('network-a', { heads: { C: HEAD } });
    [database, dump] = await Promise.all([
      createDatabase(),
      dumpChain(`${node.url}/ext/bc/C/rpc`, { last: LAST, perFile: 25 }),
    ]);
  });
  afterEach(async () => {
    for (const each of launched.splice(0)) if (!each.hasEnded()) await each.stop();
  });
  afterAll(async () => {
    await Promise.all([node.close(), database.drop(), dump.drop()]);
  });

  const start = (...args: string[]) => {
    const genesis = recordedFile('network-a', 'genesis.json');
    const given = ['follow', '--as', 'fuji', '--genesis', genesis, '--only', 'internals,nfts', ...args];
    const started = launch(given, { DATABASE_URL: database.url });
    launched.push(started);
    return started;
  };

  test('with --check it says what the archive has of the past, after proving its first blocks', async () => {
    const check = start('--check', '--archive', `${CHAIN}=${dump.folder}`, node.url);
    expect(await check.ended, check.output()).toMatchObject({ code: 0 });
    expect(check.output()).toContain(
      `  blocks 0 to 99 of archive ${dump.folder}, in 4 files: 100 of the past 121 blocks; its first 64 are proved; receipts: yes, traces: yes\n`,
    );
  });

  test('of a folder without files, and of one that is not there, it says so, and follows nothing', async () => {
    for (const [folder, why] of [
      [
        recordedFile('network-a', ''),
        /has no file such as 0000000000\/0000000000-0000000549-1a2b3c4d\/blocks\.jsonl\.gz/,
      ],
      ['/no/such/folder', /--archive: \/no\/such\/folder cannot be read: ENOENT/],
    ] as const) {
      const refused = start('--archive', `${CHAIN}=${folder}`, node.url);
      expect((await refused.ended).code).toBe(1);
      expect(refused.output()).toMatch(why);
    }
    const wrong = start('--archive', dump.folder, node.url);
    expect((await wrong.ended).code).toBe(1);
    expect(wrong.output()).toMatch(
      /FOLLOW_ARCHIVE: .* is not a list of EVM chain ids and folders such as 43114=\/data\/c-chain/,
    );
  });

  test('the log says what it gave, and which file was refused', async () => {
    const { path, first, last } = dump.fileOf(30);
    // As many lines as its name says: whichever block is read first, its line is what is wrong.
    writeFileSync(path, 'no JSON\n'.repeat(last - first + 1));
    const following = start(node.url, '--archive', `${CHAIN}=${dump.folder}`, '--once');
    expect(await following.ended, following.output()).toMatchObject({ code: 0 });
    expect(following.output()).toMatch(
      new RegExp(`the file ${path} is not used, and nodes are asked instead: block (?:2[5-9]|[34]\\d): \\w`),
    );
    expect(following.output()).toMatch(
      /archives gave \d+ of \d+ blocks, .*nodes the others; 1 of their files was refused: see the log/,
    );
  });
});

test.runIf(!hasRecordedNode)('no recorded network lies in ../shared/node', () => {
  expect(hasRecordedNode).toBe(false);
});
