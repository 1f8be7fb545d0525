import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adoptIdentities } from '../../src/avalanche/identity.js';
import { followOnce, networkFilling } from '../harness/followed.js';
import { dumpFollowed, dumpOf } from '../harness/followed-dump.js';
import { createImportDatabase } from '../harness/ingest.js';
import { launch } from '../harness/launched.js';
import { openNodeProxy, type NodeFaults } from '../harness/node-proxy.js';
import { Random } from '../harness/random.js';
import {
  hasRecordedNode,
  recordedFile,
  startRecordedNode,
  type RecordedNode,
} from '../harness/recorded-node.js';
import { report } from './harness/table.js';

/** Its faults come in groups: it has L1 validators, of which the part in the repository has few. */
const IN_GROUPS = 'network-a';
const KILLS = Number(process.env['FOLLOW_KILLS'] ?? 5);
/** Milliseconds in which half of it is followed. */
const HALF_MS = 3000;
/**
 * By what they do: nothing comes, what comes is old, or it is wrong. test/networks/wrong-nodes.test.ts has
 * them one by one.
 */
const spoiled: Partial<NodeFaults>[] = [
  { delayMs: 20, cut: 0.02, tooMany: 0.02, unavailable: 0.02 },
  // A head never stands on a proposal.
  { lag: 8, oldHead: 0.5 },
  { swap: 0.002, flip: 0.002, forge: 0.002, empty: 0.02 },
];

/** All at once, for the other network. */
const together: Partial<NodeFaults>[] = [Object.assign({}, ...spoiled)];

describe.skipIf(!hasRecordedNode).each(['network-a', 'network-c'] as const)(
  `%s as a whole${hasRecordedNode ? '' : ' (skipped: no recorded network lies in ../shared/node)'}`,
  (network) => {
    const genesis = hasRecordedNode ? recordedFile(network, 'genesis.json') : '';
    let node: RecordedNode;
    let whole: Record<string, unknown[]>;

    beforeAll(async () => {
      whole = await dumpOf(networkFilling(network));
      node = await startRecordedNode(network);
    });

    afterAll(async () => {
      await node.close();
      adoptIdentities({});
    });

    /** Compares what is in the database with an uninterrupted run. */
    function judge(fault: string, rows: Record<string, unknown[]>, note: string): void {
      const isRight = JSON.stringify(rows) === JSON.stringify(whole);
      report({
        fault,
        sent: 1,
        right: Number(isRight),
        refused: 0,
        wrong: Number(!isRight),
        note,
        lost: (whole['transaction']?.length ?? 0) - (rows['transaction']?.length ?? 0),
      });
      expect(rows).toEqual(whole);
    }

    test('is followed by a process that is killed -9 at random moments, to the rows of an uninterrupted run', async () => {
      const database = await createImportDatabase();
      const random = new Random(32);
      const args = ['follow', node.url, '--genesis', genesis, '--as', 'fuji', '--once'];
      const start = () => launch(args, { DATABASE_URL: database.url });
      let midway = 0;
      for (let kill = 0; kill < KILLS; kill += 1) {
        const follower = start();
        await follower.says(/: from block/);
        await sleep(random.below((4 * HALF_MS) / KILLS));
        if (!follower.hasEnded()) midway += 1;
        await follower.stop('SIGKILL');
      }
      const last = start();
      expect((await last.ended).code, last.output()).toBe(0);
      judge(
        `${network}, moraine follow killed -9 ${KILLS} times`,
        await dumpFollowed(database.storage),
        `${midway} times on its way`,
      );
      await database.close();
    });

    test.each(network === IN_GROUPS ? spoiled : together)(
      'from a node with %j stops nothing, and gives the same rows',
      async (faults) => {
        const database = await createImportDatabase();
        const proxy = await openNodeProxy(node.url, { seed: 32, faults });
        const given = { genesis, node: { patienceMs: 500 } };
        try {
          const stopped = await followOnce(database.storage, { ...given, urls: [proxy.url] });
          expect(stopped).toEqual([]);
          expect(await followOnce(database.storage, { ...given, urls: [node.url] })).toEqual([]);
          judge(
            `${network}, a node with ${JSON.stringify(faults)}`,
            await dumpFollowed(database.storage),
            `${Object.values(proxy.counts).reduce((sum, each) => sum + each, 0)} times`,
          );
        } finally {
          await proxy.close();
          await database.close();
        }
      },
    );
  },
);
