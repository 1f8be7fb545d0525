import { mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { adoptIdentities } from '../../src/avalanche/identity.js';
import type { StreamName } from '../../src/config/follow-settings.js';
import { shareOf } from '../../src/follow/loop/range-lanes.js';
import { createApp, type TestApp } from '../harness/app.js';
import { followOnce, type ToFollow } from '../harness/followed.js';
import { dumpFollowed } from '../harness/followed-dump.js';
import { captureLog } from '../harness/log.js';
import { chainIdOf } from '../harness/recorded-c-chain.js';
import {
  hasRecordedNode,
  recordedFile,
  startRecordedNode,
  type RecordedNetwork,
  type RecordedNode,
} from '../harness/recorded-node.js';
import { dumpChain, type DumpedBlock, type DumpedFrame, type SqdDump } from '../harness/sqd-archive.js';

/** Where the head stands: the recording of network A has balances there. */
const HEAD = 300;
/** The last block of the archive. */
const LAST = 280;

const rpcOf = ({ url }: RecordedNode) => `${url}/ext/bc/C/rpc`;

/** One recorded C-chain, and an archive of its past. */
class ArchivedChain {
  node!: RecordedNode;
  dump!: SqdDump;
  gateway!: TestApp;
  /** What the node alone makes of it, and what it was asked. */
  whole!: Record<string, unknown[]>;
  wholeCalls!: Map<string, number>;
  readonly log = captureLog();

  constructor(
    readonly network: RecordedNetwork,
    readonly streams: readonly StreamName[],
  ) {
    beforeAll(async () => {
      this.node = await startRecordedNode(network, { heads: { C: HEAD } });
      this.gateway = await createApp();
      await this.follow({ archives: new Map() });
      this.whole = await dumpFollowed(this.gateway.storage);
      this.wholeCalls = await this.calls();
      await this.gateway.close();
    });
    beforeEach(async () => {
      this.log.lines.length = 0;
      this.gateway = await createApp();
      this.dump = await dumpChain(rpcOf(this.node), { last: LAST, perFile: 60 });
    });
    afterEach(async () => {
      await this.dump.drop();
      await this.gateway.close();
    });
    afterAll(async () => {
      await this.node.close();
      adoptIdentities({});
    });
  }

  async follow(more: Partial<ToFollow> = {}): Promise<void> {
    const given = {
      urls: [this.node.url],
      genesis: recordedFile(this.network, 'genesis.json'),
      only: this.streams,
      archives: new Map([[BigInt(chainIdOf[this.network]), this.dump?.folder ?? '']]),
      log: this.log.log,
      ...more,
    };
    expect(await followOnce(this.gateway.storage, given)).toEqual([]);
  }

  /** How often each method was called, and what the archive gave. */
  async calls(): Promise<Map<string, number>> {
    const rows = await this.gateway.storage.prisma.followRequest.findMany();
    return new Map(rows.map(({ method, outcome, count }) => [`${method} ${outcome}`, Number(count)]));
  }

  async expectTheSame(): Promise<void> {
    expect(await dumpFollowed(this.gateway.storage)).toEqual(this.whole);
  }

  said(): string {
    return this.log.lines.map(({ msg }) => msg).join('\n');
  }
}

const evm = ['c-atomic', 'internals', 'nfts', 'messages'] as const;

describe.runIf(hasRecordedNode).each([
  ['network-a', [...evm, 'balances']],
  ['network-c', evm],
] as const)('the C-chain of %s with an archive', (network, streams) => {
  const chain = new ArchivedChain(network, streams);

  test('its tables are those of the node alone, which is asked for less than half, and /ready says so', async () => {
    await chain.follow();
    await chain.expectTheSame();
    const calls = await chain.calls();
    for (const method of ['debug_traceBlockByNumber', 'eth_getBlockReceipts']) {
      const [less, all] = [calls.get(`${method} ok`) ?? 0, chain.wholeCalls.get(`${method} ok`)!];
      expect(2 * less, `${method}: ${less} of ${all}`).toBeLessThan(all);
    }
    expect(calls.get('archive_blocks ok')).toBeGreaterThan(LAST);
    expect(calls.get('archive_files refused')).toBeUndefined();
    const { text } = await chain.gateway.get('/ready');
    expect(text).toMatch(/fuji: archives gave ([\d,]+) of \1 blocks, ([\d,]+) of \2 blocks' receipts/);
    expect(chain.said()).toMatch(/: blocks 0 to 280 of archive \S+, in 5 files, and the others from nodes/);
  });

  test('read in several ranges at once, and with a hole: the same', async () => {
    rmSync(dirname(chain.dump.fileOf(70).path), { recursive: true });
    const from = Object.fromEntries(
      streams.filter((each) => each !== 'c-atomic').map((each) => [each, { since: 0 }]),
    );
    await chain.follow({ from, ranges: shareOf(0, 1, 4) });
    await chain.expectTheSame();
    expect((await chain.calls()).get('archive_blocks lacks')).toBeGreaterThan(0);
  });
});

/** Receipts are read where a block may have this topic. */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

/** Every frame of a trace loses what it called. */
const withoutCalls = ({ calls, ...frame }: DumpedFrame): DumpedFrame => {
  void calls;
  return frame;
};

/** The first block that has something, with its change. */
type Change = (block: DumpedBlock) => DumpedBlock | null;

describe.runIf(hasRecordedNode)('an archive that is broken or lies', () => {
  const chain = new ArchivedChain('network-a', ['c-atomic', 'internals', 'nfts', 'messages']);

  const logsOf = ({ transactions: [first] }: DumpedBlock) =>
    (first?.receipt_?.['logs'] ?? []) as {
      topics: string[];
      data: string;
    }[];

  const lies: readonly (readonly [string, (block: DumpedBlock) => boolean, Change, RegExp])[] = [
    [
      'the gas of a trace',
      ({ transactions }) => transactions.length > 0,
      (block) => {
        block.transactions[0]!.debugFrame_!.result.gasUsed = '0x1';
        return block;
      },
      /the traces of block \d+ used \d+ gas, and its header says \d+/,
    ],
    [
      'the caller of a trace',
      ({ transactions }) => transactions.length > 0,
      (block) => {
        block.transactions[0]!.debugFrame_!.result['from'] = `0x${'9'.repeat(40)}`;
        return block;
      },
      /from of the trace of 0x\w+ is 0x9+, and the transaction has/,
    ],
    [
      'a log',
      (block) => logsOf(block)[0]?.topics[0] === TRANSFER,
      (block) => {
        logsOf(block)[0]!.data = '0x1234';
        return block;
      },
      /their root is 0x\w+, and its header says 0x\w+/,
    ],
    [
      'a header',
      () => true,
      (block) => ({ ...block, timestamp: '0x1' }),
      /the hash of block \d+ is not that of its header/,
    ],
    ['a block less', () => true, () => null, /block \d+ was asked for, and another came/],
    [
      'transactions less',
      ({ transactions }) => transactions.length > 0,
      (block) => ({ ...block, transactions: [] }),
      /has 0 transactions, which its header contradicts/,
    ],
    [
      'no object',
      () => true,
      () => 7 as unknown as DumpedBlock,
      /its transactions are not a list of objects/,
    ],
  ];

  test.each(lies)(
    '%s: the file is named, the node is asked, and the tables are the same',
    async (_, has, change, why) => {
      // In the second file: what the first one says is believed by then.
      const height = chain.dump.find(61, has);
      const { path } = chain.dump.fileOf(height);
      chain.dump.alter(height, change);
      await chain.follow();
      await chain.expectTheSame();
      const said = chain.said();
      expect(said).toContain(`the file ${path} is not used, and nodes are asked instead: block `);
      expect(said).toMatch(why);
      expect((await chain.calls()).get('archive_files refused')).toBe(1);
      const { text } = await chain.gateway.get('/ready');
      expect(text).toContain('1 of their files was refused: see the log');
    },
  );

  const broken: readonly (readonly [string, (path: string) => void, RegExp])[] = [
    [
      'cut',
      (path) => truncateSync(path, Math.floor(readFileSync(path).length / 2)),
      /unexpected end of file/,
    ],
    [
      'of zeros without end',
      (path) => writeFileSync(path, gzipSync(Buffer.alloc(2 ** 28))),
      /unpacks to more than 400 times/,
    ],
    [
      'with a line without end',
      (path) => writeFileSync(path, Buffer.alloc(65 * 2 ** 20, 'a')),
      /is longer than 67108864 bytes/,
    ],
    ['of lines without anything', (path) => writeFileSync(path, '\n'.repeat(2_000_000)), /blank lines/],
    ['empty', (path) => writeFileSync(path, ''), /unexpected end of file/],
    // Which of its blocks is asked for first, timing decides: the line may be passed over.
    [
      'of garbage',
      (path) => writeFileSync(path, '{"number":\n'),
      /block \d+ cannot be read|it ends before block \d+/,
    ],
    [
      'a folder',
      (path) => {
        rmSync(path);
        mkdirSync(path);
      },
      /it is no file/,
    ],
    ['missing', (path) => rmSync(path), /no such file/],
  ];

  test.each(broken)(
    'a file that is %s: it is named, the node is asked, and the tables are the same',
    async (_, spoil, why) => {
      const { path } = chain.dump.fileOf(100);
      spoil(path);
      await chain.follow();
      await chain.expectTheSame();
      expect(chain.said()).toContain(`the file ${path} is not used, and nodes are asked instead: `);
      expect(chain.said()).toMatch(why);
    },
  );

  test('of which no file is right, the node makes the same tables', async () => {
    for (const { path } of chain.dump.files) writeFileSync(path, 'x');
    await chain.follow();
    await chain.expectTheSame();
    expect((await chain.calls()).get('archive_files refused')).toBe(chain.dump.files.length);
  });

  test('of another chain, whose blocks have their hashes: a node says otherwise, and it is not used any more', async () => {
    const other = await startRecordedNode('network-c', { heads: { C: LAST } });
    const dump = await dumpChain(rpcOf(other), { last: LAST, perFile: 300 });
    try {
      await chain.follow({ archives: new Map([[BigInt(chainIdOf['network-a']), dump.folder]]) });
      await chain.expectTheSame();
      expect(chain.said()).toMatch(
        /archive \S+ is not used any more, and nodes are asked instead: \S+ has a(?:nother)? block/,
      );
    } finally {
      await dump.drop();
      await other.close();
    }
  });

  test('that hides calls in all traces is found out by samples', async () => {
    chain.dump.alter('all', (block) => {
      for (const { debugFrame_ } of block.transactions)
        debugFrame_!.result = withoutCalls(debugFrame_!.result);
      return block;
    });
    await chain.follow();
    expect(chain.said()).toMatch(/is not used any more.* made other internal transactions than archive/);
  });
});

test.runIf(!hasRecordedNode)('no recorded network lies in ../shared/node', () => {
  expect(hasRecordedNode).toBe(false);
});
