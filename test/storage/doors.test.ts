import { afterAll, beforeAll, expect, test } from 'vitest';
import { callsAround } from '../../src/storage/caller-reader.js';
import { createApp, type TestApp } from '../harness/app.js';
import { files, textOf } from '../harness/source-imports.js';
import { countStatements } from '../harness/statements.js';

let gateway: TestApp;

beforeAll(async () => {
  gateway = await createApp();
});
afterAll(() => gateway.close());

test('models, raw statements and lent connections are used in few files', () => {
  const models = Object.keys(gateway.storage.prisma).filter((name) => /^[a-z]/.test(name));
  const operations = '(?:find|create|update|delete|upsert|count|aggregate|groupBy)\\w*';
  const users = (use: RegExp) =>
    files.filter((file) => !file.startsWith('storage/') && use.test(textOf(file))).sort();
  // docs/decisions/0017-doors-to-the-database.md says what each door is for.
  expect({
    model: users(new RegExp(`\\b(?:${models.join('|')})\\s*\\.${operations}\\(`)),
    raw: users(/\.\$(?:query|execute)Raw/),
    session: users(/\.session\(/),
    snapshot: users(/\.snapshot\(/),
    execute: users(/\.execute\(/),
    spareConnection: users(/\.spareConnection\(/),
  }).toEqual({
    model: [
      'access/key-cache.ts',
      'access/key-store.ts',
      'follow/gaps.ts',
      'follow/loop/past-rate.ts',
      'follow/loop/ranges.ts',
      'follow/network/identity.ts',
      'follow/network/meet.ts',
      'follow/staking/head-check.ts',
      'follow/status/archived.ts',
      'follow/status/left-out.ts',
      'follow/status/node-notes.ts',
      'follow/status/status.ts',
      'follow/status/view.ts',
      'follow/status/waiting.ts',
      'follow/watermark.ts',
      'resources/asset/list.ts',
      'resources/chain/list.ts',
      'resources/nft/list.ts',
      'resources/nft/store.ts',
      'verify/against-node.ts',
    ],
    raw: [
      'access/last-use.ts',
      'follow/staking/uptimes.ts',
      'http/pages/holdings.ts',
      'jobs/queue.ts',
      'resources/nft/store.ts',
      'resources/webhook/delivery.ts',
      'resources/webhook/dispatch.ts',
      'resources/webhook/operating.ts',
      'resources/webhook/position.ts',
      'resources/webhook/queued-events.ts',
      'resources/webhook/secret.ts',
      'resources/webhook/store.ts',
    ],
    session: [
      'commands/distribute.ts',
      'commands/rebuild.ts',
      'export/snapshot.ts',
      'follow/loop/milestones.ts',
      'follow/loop/range-reader.ts',
      'follow/loop/runner.ts',
      'follow/network/identity.ts',
      'ingest/import-export.ts',
      'ingest/import-files.ts',
      'ingest/known-networks.ts',
      'jobs/queue.ts',
      'load-sample.ts',
      'services.ts',
      'verify/against-node.ts',
      'verify/random-blocks.ts',
    ],
    snapshot: ['resources/evm-holding/store.ts'],
    execute: ['jobs/queue.ts'],
    spareConnection: ['commands/distribute.ts', 'http/metrics/queue.ts'],
  });
});

test('a list is read under a name of its own, and each call and transaction of a client is noted', async () => {
  const called: string[] = [];
  const watched = callsAround(gateway.storage.prisma, (name, work) => {
    called.push(name);
    return work(gateway.storage.prisma);
  });
  await watched.chain.count();
  await watched.$transaction((transaction) => transaction.asset.findMany());
  expect(called).toEqual(['chain.count', '$transaction']);
  const { names } = await countStatements(() => gateway.get('/v1/chains'));
  expect(names).toEqual([expect.stringMatching(/^chains_/)]);
});
