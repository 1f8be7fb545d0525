import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { encodeCb58 } from '../../src/avalanche/cb58.js';
import { ZERO_ID } from '../../src/avalanche/codec/ids.js';
import { adoptIdentities } from '../../src/avalanche/identity.js';
import type { Input, PBlock, Produced, XBlock } from '../../src/avalanche/codec/types.js';
import { startAlteredNode } from '../harness/altered-node.js';
import { followOnce, followUntilWaiting, type ToFollow } from '../harness/followed.js';
import { dumpFollowed } from '../harness/followed-dump.js';
import {
  advancedFurther,
  assetOf,
  blocksOf,
  decidedOtherwise,
  decoders,
  ofNoOutput,
  ofOtherAmount,
  ofOtherAsset,
  plainInputOf,
  renamed,
  toOtherChain,
  undecided,
  withOtherBytes,
} from '../harness/forged-blocks.js';
import { createImportDatabase, type ImportDatabase } from '../harness/ingest.js';
import type { Alteration } from '../harness/recorded-c-chain.js';
import {
  hasRecordedNode,
  recordedFile,
  startRecordedNode,
  type RecordedNetwork,
  type RecordedNode,
} from '../harness/recorded-node.js';
import type { ScriptedNode } from '../harness/scripted-node.js';

type Chain = 'p' | 'x';

/** A transaction of a block, of which an input consumes what an earlier block made. */
interface Target {
  readonly height: number;
  readonly input: Input;
  readonly output: Produced;
}

/** The first one after some other blocks. */
function targetIn(blocks: ReadonlyMap<number, PBlock | XBlock>): Target {
  for (const [height, { transactions }] of blocks)
    for (const transaction of height < 20 ? [] : transactions) {
      const input = plainInputOf(transaction);
      const output = transaction.outputs.find(
        (each) => each.output.kind === 'transfer' && each.role === 'own',
      );
      if (input && input.txId !== ZERO_ID && output) return { height, input, output };
    }
  throw new Error('the recording has no such block');
}

/** The height of the first decision after some others. */
function decisionIn(blocks: ReadonlyMap<number, PBlock>): number {
  for (const [height, { type, era }] of blocks)
    if (height > 20 && era === 'banff' && (type === 'commit' || type === 'abort')) return height;
  throw new Error('the recording has no decision');
}

let node: RecordedNode;
let database: ImportDatabase;
let lying: ScriptedNode | undefined;

beforeEach(async () => {
  database = await createImportDatabase();
});
afterEach(async () => {
  await lying?.close();
  lying = undefined;
  await database.close();
});

/** What is compared at the head is what the recording has at its end. */
async function dump({ storage }: ImportDatabase) {
  const { follow_staking: compared, ...rows } = await dumpFollowed(storage);
  void compared;
  return rows;
}

/** What an honest node makes of it. */
async function wholeOf(given: Omit<ToFollow, 'urls'>) {
  const own = await createImportDatabase();
  try {
    expect(await followOnce(own.storage, { ...given, urls: [node.url] })).toEqual([]);
    return await dump(own);
  } finally {
    await own.close();
  }
}

/** What a node changes is waited for with this note, and an honest node gives all afterwards. */
async function expectWaiting(given: Omit<ToFollow, 'urls'>, note: RegExp, change: Alteration): Promise<void> {
  const whole = await wholeOf(given);
  lying = await startAlteredNode(node.url, change);
  await followUntilWaiting(database.storage, { ...given, urls: [lying.url] }, note);
  expect(await followOnce(database.storage, { ...given, urls: [node.url] })).toEqual([]);
  expect(await dump(database)).toEqual(whole);
}

/** A node that gives other bytes of a block. */
const inventing =
  (chain: Chain, height: number, change: (bytes: Buffer) => Buffer): Alteration =>
  ({ method, params }, { result }) =>
    method === `${chain === 'p' ? 'platform' : 'avm'}.getBlockByHeight` &&
    Number((params as { height: string }).height) === height
      ? { result: withOtherBytes(result, 'block', change) }
      : null;

/** What a node invents, and why it is waited for. */
interface Lie {
  readonly at: number;
  /** Where the node's head stands; at the invented block when absent, which nothing after it disproves. */
  readonly head?: number;
  readonly change: (bytes: Buffer) => Buffer;
  readonly note: RegExp;
}

function liesOfBoth({ height: at, input }: Target): Lie[] {
  return [
    {
      at,
      change: (bytes) => ofNoOutput(bytes, input),
      note: /output 9999 of \w+ is consumed, and no node gives it/,
    },
    {
      at,
      change: (bytes) => ofOtherAmount(bytes, input),
      note: /output \d+ of \w+ is \d+ of \w+, and its input says otherwise/,
    },
  ];
}

function liesOfP(network: RecordedNetwork): Lie[] {
  const blocks = blocksOf(network, 'p', decoders.p);
  const decision = decisionIn(blocks);
  return [
    ...liesOfBoth(targetIn(blocks)),
    {
      at: decision,
      change: undecided,
      note: new RegExp(`block ${decision - 1} of the P-chain is a proposal without a decision`),
    },
    {
      at: decision,
      head: decision + 5,
      change: decidedOtherwise,
      note: /has a block \d+ of p \(\w+\) whose parent is \w+, but our block \d+ is \w+/,
    },
  ];
}

function liesOfX(network: RecordedNetwork): Lie[] {
  const blocks = blocksOf(network, 'x', decoders.x);
  const target = targetIn(blocks);
  const all = [...blocks].flatMap(([height, { transactions }]) =>
    transactions.map((each) => ({ height, each })),
  );
  const noAsset = all.find(({ each }) => each.type === 'BaseTx')!.each.id;
  const [exported] = all.flatMap(({ height, each }) =>
    each.type === 'ExportTx' && each.destinationChain !== ZERO_ID
      ? [{ height, to: each.destinationChain }]
      : [],
  );
  return [
    ...liesOfBoth(target),
    {
      at: target.height,
      change: (bytes) => ofOtherAsset(bytes, target.output, noAsset),
      note: new RegExp(`${noAsset} is named as an asset, but is not a CreateAssetTx`),
    },
    {
      at: exported!.height,
      change: (bytes) => toOtherChain(bytes, exported!.to),
      note: /, from or to which assets are moved, is not the P-, X- or C-chain/,
    },
  ];
}

describe.runIf(hasRecordedNode).each([
  ['network-a', 'p', liesOfP],
  ['network-a', 'x', liesOfX],
  ['network-c', 'p', liesOfP],
  ['network-c', 'x', liesOfX],
] as const)('a node of %s that invents blocks of %s', (network, chain, liesOf) => {
  test('that cannot be is waited for, and all that an honest node gives afterwards is there', async () => {
    node = await startRecordedNode(network);
    const { full } = await node.heads();
    const own = { genesis: recordedFile(network, 'genesis.json'), only: [chain] };
    const moveHead = (head: number) => node.moveHeads({ ...full, [chain.toUpperCase()]: head });
    const lies = liesOf(network).toSorted((one, other) => one.at - other.at);
    for (const { at, head = at, change, note } of lies) {
      await moveHead(head);
      const other = await startAlteredNode(node.url, inventing(chain, at, change));
      await followUntilWaiting(database.storage, { ...own, urls: [other.url] }, note);
      await other.close();
    }
    await moveHead(Math.max(...lies.map(({ at, head = at }) => head)));
    expect(await followOnce(database.storage, { ...own, urls: [node.url] })).toEqual([]);
    expect(await dump(database)).toEqual(await wholeOf(own));
    await node.close();
    adoptIdentities({});
  });
});

describe.runIf(hasRecordedNode)('a node that says otherwise', () => {
  const network = 'network-c';
  const genesis = recordedFile(network, 'genesis.json');
  beforeAll(async () => {
    node = await startRecordedNode(network);
  });
  afterAll(async () => {
    await node.close();
    adoptIdentities({});
  });

  test('what time it was before the first block of a P-chain that is begun in its middle', async () => {
    const blocks = [...blocksOf(network, 'p', decoders.p).values()];
    const { height, id } = blocks.find(
      (each) => each.height > 100n && each.proposal?.type === 'AdvanceTimeTx',
    )!;
    const { full } = await node.heads();
    await node.moveHeads({ ...full, P: Number(height) + 12 });
    // After its decision.
    const given = { genesis, only: ['p'] as const, from: { p: height + 2n } };
    const note = new RegExp(`it is block \\w+, and the block after it has the parent ${id}`);
    await expectWaiting(given, note, inventing('p', Number(height), advancedFurther));
    await node.moveHeads(full);
  });

  test('which chains and which asset its network has, next to a genesis file', async () => {
    const given = { genesis, only: ['x'] as const };
    const { full } = await node.heads();
    await node.moveHeads({ X: 40 });
    const whole = await wholeOf(given);
    const other = encodeCb58(Buffer.alloc(32, 7));
    lying = await startAlteredNode(node.url, ({ method, params }) => {
      if (method === 'platform.getStakingAssetID') return { result: { assetID: other, subnetID: ZERO_ID } };
      const isX = method === 'info.getBlockchainID' && (params as { alias: string }).alias === 'X';
      return isX ? { result: { blockchainID: other } } : null;
    });
    const signal = AbortSignal.timeout(120_000);
    expect(await followOnce(database.storage, { ...given, urls: [lying.url], signal })).toEqual([]);
    expect(await dump(database)).toEqual(whole);
    await node.moveHeads(full);
  });

  test('which ids its network has, without a genesis file: nothing is begun with an id that is wrong', async () => {
    const other = encodeCb58(Buffer.alloc(32, 7));
    const { prisma } = database.storage;
    const honest = { urls: [node.url], genesis, only: ['x'] as const };
    const { full } = await node.heads();
    await node.moveHeads({ X: 1 });
    const chain =
      (alias: string, id: () => string): Alteration =>
      ({ method, params }) =>
        method === 'info.getBlockchainID' && (params as { alias: string }).alias === alias
          ? { result: { blockchainID: id() } }
          : null;
    const answering =
      (wanted: string, result: unknown): Alteration =>
      ({ method }) =>
        method === wanted ? { result } : null;
    const own = await createImportDatabase();
    expect(await followOnce(own.storage, honest)).toEqual([]);
    const right = await own.storage.prisma.followNetwork.findFirstOrThrow();
    await own.close();
    const lies: [RegExp, Alteration][] = [
      [/platform\.getTx: it does not have this/, chain('X', () => other)],
      [/the X-chain is \w+, and .* say otherwise/, chain('X', () => right.cChainId)],
      [/the C-chain is \w+, and .* say otherwise/, chain('C', () => right.xChainId)],
      [
        /the number of the network is 1338, and .* say \d+/,
        answering('info.getNetworkID', { networkID: '1338' }),
      ],
      [
        /AVAX is \w+, and .* say \w+/,
        answering('platform.getStakingAssetID', { assetID: other, subnetID: ZERO_ID }),
      ],
      [/the EVM chain id is 7, and .* say \d+/, answering('eth_chainId', '0x7')],
    ];
    for (const [note, change] of lies) {
      const liar = await startAlteredNode(node.url, change);
      const given = { urls: [liar.url], genesis: undefined, only: ['x'] as const, node: { patienceMs: 50 } };
      await expect(followOnce(database.storage, given)).rejects.toThrow(note);
      expect(await prisma.followNetwork.count()).toBe(0);
      await liar.close();
    }
    // Of three nodes most say it.
    lying = await startAlteredNode(
      node.url,
      chain('X', () => other),
    );
    const urls = [lying.url, node.url, node.url];
    expect(await followOnce(database.storage, { ...honest, urls, genesis: undefined })).toEqual([]);
    expect(await prisma.followNetwork.findFirst()).toEqual(right);
    // What another version began with a wrong id is named.
    await prisma.followNetwork.updateMany({ data: { xChainId: other } });
    await expect(followOnce(database.storage, honest)).rejects.toThrow(
      `the X-chain is ${other} in the database, and ${right.xChainId} on the node`,
    );
    await node.moveHeads(full);
  });

  const makesAsset = ({ method }: { method: string }, { result }: Record<string, unknown>): boolean =>
    method === 'avm.getTx' && assetOf(result) !== null;
  const notFound = (message: string) => ({ error: { code: -32000, message } });

  test('what an asset is, or that there is none, or not what made an output', async () => {
    const own = { genesis, only: ['c-atomic'] as const };
    const lies: [RegExp, Alteration][] = [
      [
        /avm\.getTx: .*it is transaction \w+, not \w+/,
        (asked, honest) =>
          makesAsset(asked, honest) ? { result: withOtherBytes(honest['result'], 'tx', renamed) } : null,
      ],
      [
        /avm\.getTx: it does not have this/,
        (asked, honest) => (makesAsset(asked, honest) ? notFound('not found') : null),
      ],
      [
        /platform\.getTx: it does not have this/,
        ({ method }) => (method === 'platform.getTx' ? notFound("couldn't get tx: not found") : null),
      ],
    ];
    for (const [note, change] of lies) {
      const other = await startAlteredNode(node.url, change);
      await followUntilWaiting(database.storage, { ...own, urls: [other.url] }, note);
      await other.close();
    }
    expect(await followOnce(database.storage, { ...own, urls: [node.url] })).toEqual([]);
    expect(await dump(database)).toEqual(await wholeOf(own));
  });
});

test.runIf(!hasRecordedNode)('no recorded network lies in ../shared/node', () => {
  expect(hasRecordedNode).toBe(false);
});
