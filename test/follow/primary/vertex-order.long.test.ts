import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { adoptIdentities } from '../../../src/avalanche/identity.js';
import { decodeVertex } from '../../../src/avalanche/codec/vertex.js';
import { checkedBytes } from '../../avalanche/codec/recorded.js';
import { startAlteredNode } from '../../harness/altered-node.js';
import { until } from '../../harness/embedded.js';
import { followOnce, followUntilWaiting, startFollowing } from '../../harness/followed.js';
import { dumpFollowed } from '../../harness/followed-dump.js';
import { createImportDatabase, type ImportDatabase } from '../../harness/ingest.js';
import { liveIndexes, type Container } from '../../harness/live-index.js';
import { hexOf } from '../../harness/node-client.js';
import {
  hasRecordedNode,
  recordedFile,
  startRecordedNode,
  type RecordedNode,
} from '../../harness/recorded-node.js';

/** The last vertex with another height, under the id that it has then. */
function otherEnd(last: Container): Container {
  const bytes = Buffer.from(checkedBytes(last.bytes));
  // After version and chain id.
  bytes.writeBigUInt64BE(bytes.readBigUInt64BE(34) + 1n, 34);
  return { ...last, bytes: hexOf(bytes), id: decodeVertex(bytes).id };
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
    [
      'another end than the X-chain has',
      /vertex \w+ at 239 of its index ends the DAG, and block 0 of the X-chain names \w+ as its end/,
      (all) => all.map((each) => (each.index === '239' ? otherEnd(each) : each)),
    ],
    [
      'one at another place than it says',
      /container 102 of X\/vtx is not 101/,
      (all) => all.map((each) => (each.index === '101' ? { ...each, index: '102' } : each)),
    ],
    [
      'one under another id',
      /container 101 of X\/vtx is \w+, not \w+/,
      (all) => all.map((each) => (each.index === '101' ? { ...each, id: all[0]!.id } : each)),
    ],
  ])('%s: it waits and says why, and an honest node fills it', async (_what, note, change) => {
    const other = await startAlteredNode(node.url, ({ path, method }, { result }) => {
      if (path !== '/ext/index/X/vtx' || method !== 'index.getContainerRange') return null;
      const { containers } = result as { containers: readonly Container[] };
      return { result: { ...(result as object), containers: change(containers) } };
    });
    await followUntilWaiting(database.storage, { urls: [other.url], genesis, only }, note);
    await other.close();
    expect(await followOnce(database.storage, { urls: [node.url], genesis, only })).toEqual([]);
    expect(await dump()).toEqual(whole);
  });

  test('of a node that does not say which it is: it waits, because another one has another order', async () => {
    const other = await startAlteredNode(node.url, ({ method }) =>
      method === 'info.getNodeID' ? { error: { code: -32000, message: 'database is busy' } } : null,
    );
    const given = { urls: [other.url], genesis, only };
    await followUntilWaiting(
      database.storage,
      given,
      /gave blocks of x-vertices, and does not say its id now/,
    );
    await other.close();
    expect(await dump()).toEqual([]);
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
    await followUntilWaiting(
      database.storage,
      { urls: [other.url], genesis, only: both },
      /the index of transactions of this node lacks 1 that its vertices have, such as \w+:/,
    );
    await other.close();
    expect(
      await followOnce(database.storage, { urls: [node.url], genesis, only: both, again: ['x-dag'] }),
    ).toEqual([]);
    expect(await dump()).toEqual(whole);
  });

  test('an index of transactions that has one more than its vertices is found at the end', async () => {
    const other = await startAlteredNode(node.url, ({ path, method, params }, { result }) => {
      if (path !== '/ext/index/X/tx') return null;
      if (method === 'index.getLastAccepted') return { result: { ...(result as object), index: '922' } };
      const { containers } = (result ?? { containers: [] }) as { containers: readonly Container[] };
      const { startIndex } = params as { startIndex: string };
      const isLast = Number(startIndex) + containers.length === 922;
      // One that was there before, after the last one.
      const more = isLast ? [{ ...containers[0]!, index: '922' }] : [];
      return { result: { containers: [...containers, ...more] } };
    });
    const given = { urls: [other.url], genesis, only: ['x-dag', 'x-vertices'] as const };
    await followUntilWaiting(
      database.storage,
      given,
      /the index of transactions of this node has 923 transactions, and its vertices have 922/,
    );
    await other.close();
  });

  test('a stream stays with the node with which it was begun: another one has its own order, and is not mixed in', async () => {
    const both = ['x-dag', 'x-vertices'] as const;
    const honest = await createImportDatabase();
    expect(await followOnce(honest.storage, { urls: [node.url], genesis, only: both })).toEqual([]);
    const all = await rowsOf(honest);
    await honest.close();
    const indexes = liveIndexes();
    let most = 100;
    // The first node of the network, as far as it was recorded.
    const first = await startAlteredNode(node.url, ({ path, method, params }, { result }) => {
      if (method === 'info.getNodeID')
        return { result: { ...(result as object), nodeID: 'NodeID-111111111111111111116DBWJs' } };
      if (!path.startsWith('/ext/index/X/') || method !== 'index.getContainerRange') return null;
      const { startIndex, numToFetch } = params as { startIndex: string; numToFetch: string };
      const [from, count] = [Number(startIndex), Number(numToFetch)];
      const found = indexes.get(path)!.slice(from, Math.min(from + count, most));
      return found.length > 0
        ? { result: { containers: found } }
        : { error: { code: -32000, message: 'database is busy' } };
    });
    const following = await startFollowing(database.storage, {
      urls: [first.url],
      genesis,
      only: both,
      node: { patienceMs: 50 },
    });
    await until(() => Promise.resolve(following.views.every(({ next }) => next !== null && next >= 99n)));
    expect(await following.stop()).toEqual([]);
    const before = await rowsOf(database);
    const notes = await followUntilWaiting(
      database.storage,
      { urls: [node.url], genesis, only: both },
      /was begun with the node NodeID-1{20}\w+, and http\S+ has its index in another order: follow NodeID-1\w+ alone/,
      2,
    );
    expect(Object.keys(notes).sort()).toEqual(['x-dag', 'x-vertices']);
    expect(await rowsOf(database)).toEqual(before);
    most = Infinity;
    expect(await followOnce(database.storage, { urls: [first.url], genesis, only: both })).toEqual([]);
    await first.close();
    expect(await rowsOf(database)).toEqual(all);
  });
});

/** The rows of both streams, but for the time at which a node accepted a vertex. */
async function rowsOf({ storage }: ImportDatabase) {
  const { follow_pipeline: own, vertex, ...rows } = await dumpFollowed(storage);
  void own;
  const vertices = vertex!.map((row) => ({ ...(JSON.parse(row as string) as object), timestamp: null }));
  return { ...rows, vertex: vertices };
}

test.runIf(!hasRecordedNode)('no recorded network lies in ../shared/node', () => {
  expect(hasRecordedNode).toBe(false);
});
