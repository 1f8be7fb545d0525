import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { adoptIdentities } from '../../src/avalanche/identity.js';
import { streamNames } from '../../src/config/follow-settings.js';
import type { Storage } from '../../src/storage/open.js';
import { exportDatabase, runExport } from '../harness/export.js';
import { followOnce } from '../harness/followed.js';
import { dumpFollowed } from '../harness/followed-dump.js';
import { createImportDatabase, runImport, type ImportDatabase } from '../harness/ingest.js';
import { differencesOf, followHalf } from '../harness/moved.js';
import {
  hasRecordedNode,
  recordedFile,
  startRecordedNode,
  type RecordedNode,
} from '../harness/recorded-node.js';

const files = exportDatabase();
let node: RecordedNode;
let databases: ImportDatabase[];

beforeEach(() => (databases = []));
afterEach(async () => {
  await node.close();
  for (const database of databases) await database.close();
});
afterAll(() => {
  files.drop();
  adoptIdentities({});
});

const contents = (name: string) =>
  Object.fromEntries(
    files
      .list(name)
      .map((path) => [basename(path), createHash('sha256').update(readFileSync(path)).digest('hex')]),
  );

describe.runIf(hasRecordedNode)(
  'a network that is followed to the middle, exported, and imported elsewhere',
  () => {
    test.each([
      // What its contracts say of tokens was not recorded of every block.
      { network: 'network-a', tokens: [] },
      { network: 'network-c', tokens: ['all'] },
    ] as const)(
      '$network: followed there to the end, every table equals that of the whole',
      { timeout: 1_200_000 },
      async ({ network, tokens }) => {
        node = await startRecordedNode(network);
        const given = {
          urls: [node.url],
          genesis: recordedFile(network, 'genesis.json'),
          tokens,
        };
        databases = [
          await createImportDatabase(),
          await createImportDatabase(),
          await createImportDatabase(),
        ];
        const [whole, old, fresh] = databases.map(({ storage }) => storage) as [Storage, Storage, Storage];
        expect(await followOnce(whole, given)).toEqual([]);
        const ends = await whole.prisma.followPipeline.findMany();
        const followed = streamNames.filter((stream) =>
          ends.some(({ name }) => name.split(':')[0] === stream),
        );
        // Under the same address, because a stream of the index belongs to its node.
        const { port } = node;
        await node.close();
        node = await startRecordedNode(network, { port, latencyMs: 20 });
        await followHalf(old, node, given, followed);
        await node.close();
        node = await startRecordedNode(network, { port });
        const half = await old.prisma.followPipeline.findMany({
          where: { name: { in: ['p', 'x', 'c-atomic'] } },
        });
        for (const { name, nextHeight } of half)
          expect(nextHeight * 3n).toBeLessThan(
            2n * (ends.find((end) => end.name === name)?.nextHeight ?? 0n),
          );

        await runExport(old, files.path(`${network} old`));
        const { rejected, brokenFiles, lines } = await runImport(fresh, files.list(`${network} old`));
        expect({ rejected, brokenFiles, lines }).toEqual({ rejected: 0, brokenFiles: 0, lines: [] });
        expect(await differencesOf(old, fresh)).toEqual([]);
        expect(await differencesOf(fresh, old)).toEqual([]);
        await runExport(fresh, files.path(`${network} fresh`));
        expect(contents(`${network} fresh`)).toEqual(contents(`${network} old`));

        expect(await followOnce(fresh, given)).toEqual([]);
        expect(await differencesOf(whole, fresh)).toEqual([]);
        expect(await differencesOf(fresh, whole)).toEqual([]);
        expect(await dumpFollowed(fresh)).toEqual(await dumpFollowed(whole));
      },
    );
  },
);
