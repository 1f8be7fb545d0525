import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adoptIdentities } from '../../src/avalanche/identity.js';
import { startAlteredNode } from '../harness/altered-node.js';
import { createDatabase } from '../harness/database.js';
import { followOnce } from '../harness/followed.js';
import { createImportDatabase, type ImportDatabase } from '../harness/ingest.js';
import { launch } from '../harness/launched.js';
import { CHAIN } from '../harness/recorded-c-chain.js';
import {
  hasRecordedNode,
  recordedFile,
  startRecordedNode,
  type RecordedNode,
} from '../harness/recorded-node.js';
import { refusing } from '../harness/refused-trace.js';
import type { ScriptedNode } from '../harness/scripted-node.js';
import { isInternal, recordedFrames } from '../harness/trace-truth.js';

const network = 'network-a';

describe.runIf(hasRecordedNode)('verify of a database with gaps', () => {
  const genesis = hasRecordedNode ? recordedFile(network, 'genesis.json') : '';
  const frames = hasRecordedNode
    ? recordedFrames(network).filter((each) => isInternal(each) && each.frame.to !== undefined)
    : [];
  const { txHash: refused = '', blockNumber: height = 0 } = frames[0] ?? {};
  const others = frames.filter(({ txHash }) => txHash !== refused);
  let node: RecordedNode;
  let silent: ScriptedNode;
  let database: ImportDatabase;

  beforeAll(async () => {
    node = await startRecordedNode(network);
    silent = await startAlteredNode(
      node.url,
      refusing(() => [refused]),
    );
    database = await createImportDatabase();
    expect(await followOnce(database.storage, { urls: [silent.url], genesis })).toEqual([]);
  });
  afterAll(async () => {
    await database.close();
    await silent.close();
    await node.close();
    adoptIdentities({});
  });

  async function verify(...args: string[]): Promise<{ code: number | null; output: string }> {
    const scratch = await createDatabase();
    try {
      const command = launch(['verify', ...args, '--scratch', scratch.url], { DATABASE_URL: database.url });
      const { code } = await command.ended;
      return { code, output: command.output() };
    } finally {
      await scratch.drop();
    }
  }
  const against = (url: string, ...more: string[]) => verify(url, '--genesis', genesis, ...more);
  const gapOf = (stream: string, end: string) =>
    new RegExp(
      `^gaps: fuji ${stream}:${CHAIN}, block ${height}, transaction ${refused}: not stored, because every node refused it; ` +
        `it is asked for again${end}. It said: .+execution timeout`,
      'm',
    );

  test('its rows are missing because of the gaps, which are named; that the node gives them too', async () => {
    const { code, output } = await against(node.url);
    expect(output).toMatch(/^internal_tx +[\d,]+ +no difference except gaps /m);
    expect(output).toMatch(/^internal_tx: [1-9]\d* values? (is|are) missing or old because of gaps$/m);
    for (const stream of ['internals', 'balances'])
      expect(output).toMatch(gapOf(stream, '. This node gives it: follow it too, and the gap is filled'));
    expect(output).toMatch(/no difference was found; 2 gaps are known\n$/);
    expect(code).toBe(0);
  });

  test('a node that refuses the same shows no difference, and they are named all the same', async () => {
    const { code, output } = await against(silent.url);
    expect(output).toMatch(/^internal_tx +[\d,]+ +no difference /m);
    for (const stream of ['internals', 'balances'])
      expect(output).toMatch(gapOf(stream, '. This node does not give it either'));
    expect(output).toMatch(/no difference was found; 2 gaps are known\n$/);
    expect(code).toBe(0);
  });

  test('without a node they are named too', async () => {
    const { code, output } = await verify();
    for (const stream of ['internals', 'balances']) expect(output).toMatch(gapOf(stream, '.*'));
    expect(output).toMatch(/no difference was found; 2 gaps are known\n$/);
    expect(code).toBe(0);
  });

  test('what is wrong and what is missing without a gap is a difference', async () => {
    const [changed] = others;
    const lost = others.find(({ txHash }) => txHash !== changed!.txHash);
    const { prisma } = database.storage;
    const rowOf = ({ txHash, position }: (typeof frames)[number]) => ({
      where: { txHash: Buffer.from(txHash.slice(2), 'hex'), position },
    });
    await prisma.$transaction([
      prisma.internalTx.updateMany({ ...rowOf(changed!), data: { value: 77 } }),
      prisma.internalTx.deleteMany(rowOf(lost!)),
      // Of the address that fees are burned at, which no transaction calls.
      prisma.$executeRaw`UPDATE evm_balance SET balance = balance + 1 WHERE ctid = (SELECT b.ctid FROM evm_balance b
        JOIN evm_address a ON a.id = b.address_id WHERE a.address = '\\x0100000000000000000000000000000000000000' LIMIT 1)`,
    ]);
    const { code, output } = await against(node.url);
    const keyOf = ({ txHash, position }: (typeof frames)[number]) =>
      `^internal_tx: ${CHAIN} .+x${txHash.slice(2)} ${position} 0`;
    expect(output).toMatch(new RegExp(`${keyOf(changed!)}, value: stored 77, should be \\d+$`, 'm'));
    expect(output).toMatch(new RegExp(`${keyOf(lost!)}: stored no such row, should be `, 'm'));
    expect(output).toMatch(/^evm_balance: .+, balance: stored /m);
    expect(output).toMatch(/^differences in .*internal_tx.*; 2 gaps are known\n$/m);
    expect(code).toBe(1);
  });

  test('what is stored and the node refuses is not compared, and named', async () => {
    const again = ['internals', 'balances'] as const;
    expect(await followOnce(database.storage, { urls: [node.url], genesis, again })).toEqual([]);
    const { code, output } = await against(silent.url);
    expect(output).toMatch(
      new RegExp(
        `^what was refused of internals:${CHAIN}: the node refuses block ${height}, transaction ${refused}: `,
        'm',
      ),
    );
    expect(output).not.toMatch(/^internal_tx: /m);
    expect(output).toMatch(/^not compared: what was refused of \w+:\d+, what was refused of \w+:\d+$/m);
    expect(code).toBe(1);
  });
});

test.runIf(!hasRecordedNode)('no recorded network lies in ../shared/node', () => {
  expect(hasRecordedNode).toBe(false);
});
