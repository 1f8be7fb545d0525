import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { adoptIdentities } from '../../../src/avalanche/identity.js';
import { startAlteredNode } from '../../harness/altered-node.js';
import { followOnce, startFollowing } from '../../harness/followed.js';
import { createImportDatabase, type ImportDatabase } from '../../harness/ingest.js';
import {
  hasRecordedNode,
  recordedFile,
  startRecordedNode,
  type RecordedNode,
} from '../../harness/recorded-node.js';

interface Container {
  id: string;
  bytes: string;
  index: string;
}

describe.runIf(hasRecordedNode)('the vertices of an index', () => {
  const genesis = hasRecordedNode ? recordedFile('network-c', 'genesis.json') : '';
  const only = ['x-vertices'] as const;
  let node: RecordedNode;
  let database: ImportDatabase;
  let whole: unknown;
  const dump = () =>
    database.storage.prisma.vertex.findMany({ omit: { id: true }, orderBy: { index: 'asc' } });

  beforeAll(async () => {
    node = await startRecordedNode('network-c');
    database = await createImportDatabase();
    expect(await followOnce(database.storage, { urls: [node.url], genesis, only })).toEqual([]);
    whole = await dump();
    await database.close();
  });
  beforeEach(async () => {
    database = await createImportDatabase();
  });
  afterEach(() => database.close());
  afterAll(async () => {
    await node.close();
    adoptIdentities({});
  });

  test.each<[string, RegExp, (all: readonly Container[]) => readonly Container[]]>([
    [
      'one twice, in place of another one',
      /vertex \w+ at 101 of its index was there before/,
      (all) =>
        all.map((each) =>
          each.index === '101' ? { ...all.find(({ index }) => index === '90')!, index: '101' } : each,
        ),
    ],
    [
      'one before its parent',
      /vertex \w+ at 100 of its index comes before its parent/,
      (all) => {
        const swapped: Record<string, string> = { '100': '101', '101': '100' };
        const at = (index: string) => all.find((each) => each.index === (swapped[index] ?? index))!;
        return all.map(({ index }) => ({ ...at(index), index }));
      },
    ],
  ])('%s: it waits and says why, and an honest node fills it', async (_what, note, change) => {
    const other = await startAlteredNode(node.url, ({ path, method }, { result }) => {
      if (path !== '/ext/index/X/vtx' || method !== 'index.getContainerRange') return null;
      const { containers } = result as { containers: readonly Container[] };
      return { result: { ...(result as object), containers: change(containers) } };
    });
    const given = { urls: [other.url], genesis, only, node: { patienceMs: 50 } };
    const following = await startFollowing(database.storage, given);
    while ((following.views[0]?.note ?? null) === null) await sleep(10);
    expect(following.views[0]!.note).toMatch(note);
    expect(await following.stop()).toEqual([]);
    await other.close();
    expect(await followOnce(database.storage, { urls: [node.url], genesis, only })).toEqual([]);
    expect(await dump()).toEqual(whole);
  });

  test('an index of transactions that lacks one of the vertices, with another one twice, is found at the end', async () => {
    const both = ['x-dag', 'x-vertices'] as const;
    const other = await startAlteredNode(node.url, ({ path, method }, { result }) => {
      if (path !== '/ext/index/X/tx' || method !== 'index.getContainerRange') return null;
      const { containers } = result as { containers: readonly Container[] };
      const before = containers.find(({ index }) => index === '300');
      const changed = containers.map((each) =>
        each.index === '301' && before ? { ...before, index: '301' } : each,
      );
      return { result: { ...(result as object), containers: changed } };
    });
    const given = { urls: [other.url], genesis, only: both, node: { patienceMs: 50 } };
    const following = await startFollowing(database.storage, given);
    const notes = () => following.views.map(({ note }) => note ?? '').join();
    while (!notes().includes('lacks')) await sleep(10);
    expect(notes()).toMatch(
      /the index of transactions of this node lacks 1 that its vertices have, such as \w+:/,
    );
    expect(await following.stop()).toEqual([]);
    await other.close();
    expect(
      await followOnce(database.storage, { urls: [node.url], genesis, only: both, again: ['x-dag'] }),
    ).toEqual([]);
    expect(await dump()).toEqual(whole);
  });
});

test.runIf(!hasRecordedNode)('no recorded network lies in ../shared/node', () => {
  expect(hasRecordedNode).toBe(false);
});
